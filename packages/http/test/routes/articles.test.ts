import { QuotaExceededError, RateExceededError, ValidationError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { call, codeOf, rulesOf } from "../support/client.ts";
import { ARTICLE_ID, article, FakeEngine, MISSING_ID } from "../support/fake-engine.ts";
import { serve } from "../support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const BODY = { title: "Reset a key", body: "Ask the operator.", metadata: { tier: 1 }, extra: { nested: [1] } };

async function start() {
  const engine = new FakeEngine();
  return { bot: engine.bot1, ...(await serve(engine)) };
}

describe("create", () => {
  it("passes the body on as it is and answers the article", async () => {
    const { url, bot } = await start();
    const answer = await call(url, "POST", KNOWLEDGE, { body: BODY });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      success: true,
      message: expect.stringContaining("ontent addition was initiated"),
      data: article(),
      characterUsed: 28,
    });
    expect(bot.calls).toEqual([{ method: "createArticle", values: [BODY, {}] }]);
  });

  it("answers 400, 422 and 429 for what the bot refuses", async () => {
    const { url, bot } = await start();
    bot.failure = new ValidationError([
      { message: "a metadata key must be a string, number or boolean", field: "metadata", type: "metadataField" },
    ]);
    const invalid = await call(url, "POST", KNOWLEDGE, { body: BODY });
    expect(invalid.status).toBe(400);
    expect(rulesOf(invalid)).toEqual(["metadata metadataField"]);
    expect(invalid.json).toMatchObject({ message: expect.stringContaining("string, number or boolean") });

    bot.failure = new QuotaExceededError(10, 990, 1_000);
    const full = await call(url, "POST", KNOWLEDGE, { body: BODY });
    expect([full.status, codeOf(full)]).toEqual([422, 30001]);

    bot.failure = new RateExceededError(28, 100, 12_345);
    const fast = await call(url, "POST", KNOWLEDGE, { body: BODY });
    expect(fast.status).toBe(429);
    expect(fast.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(fast.headers.get("retry-after")).toBe("13");

    bot.failure = new RateExceededError(28, 20, undefined);
    const never = await call(url, "POST", KNOWLEDGE, { body: BODY });
    expect(never.status).toBe(429);
    expect(never.headers.get("retry-after")).toBeNull();
  });
});

describe("list", () => {
  it("passes the filter on and answers in the bot's order", async () => {
    const { url, bot } = await start();
    bot.articles = [article({ id: MISSING_ID, source: "https://a.example" }), article()];
    const answer = await call(url, "GET", `${KNOWLEDGE}?title=Reset+a%20key&id=${ARTICLE_ID}`);
    expect(answer.json).toEqual({ success: true, data: bot.articles });
    expect(bot.calls).toEqual([{ method: "articlePage", values: [{ id: ARTICLE_ID, title: "Reset a key" }] }]);
  });

  it("asks for all without parameters, and answers an empty list", async () => {
    const { url, bot } = await start();
    bot.articles = [];
    const answer = await call(url, "GET", KNOWLEDGE);
    expect(answer.text).toBe('{"success":true,"data":[]}');
    expect(bot.calls).toEqual([{ method: "articlePage", values: [{}] }]);
  });

  it("refuses unknown and repeated parameters at once", async () => {
    const { url, bot } = await start();
    const answer = await call(url, "GET", `${KNOWLEDGE}?id=1&id=1&titel=x&__proto__=1`);
    expect(answer.status).toBe(400);
    expect(rulesOf(answer)).toEqual(["id repeated", "titel unknownField", "__proto__ unknownField"]);
    expect(bot.calls).toEqual([]);
  });

  it("refuses parameters that are not percent-encoded UTF-8", async () => {
    const { url, bot } = await start();
    const answer = await call(url, "GET", `${KNOWLEDGE}?title=%zz&id=%ff`);
    expect(rulesOf(answer)).toEqual(["title percentEncoding", "id percentEncoding"]);
    expect(bot.calls).toEqual([]);
  });

  it("answers HEAD like GET without the body", async () => {
    const { url } = await start();
    const get = await call(url, "GET", KNOWLEDGE);
    const head = await call(url, "HEAD", KNOWLEDGE);
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  });
});

describe("update", () => {
  it("passes the id and the body on as they are", async () => {
    const { url, bot } = await start();
    const answer = await call(url, "PUT", `${KNOWLEDGE}/${ARTICLE_ID}`, { body: BODY });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      message: expect.stringContaining("ontent update was initiated"),
      data: article(),
    });
    expect(bot.calls).toEqual([{ method: "updateArticle", values: [ARTICLE_ID, BODY, {}] }]);
  });

  it("answers 404 for a missing article before it looks at the body", async () => {
    const { url, bot } = await start();
    for (const call404 of [
      { body: BODY },
      { body: "{" },
      { body: "x", headers: { "content-type": "text/plain" } },
      { body: "x".repeat(2_000_000) },
    ]) {
      const answer = await call(url, "PUT", `${KNOWLEDGE}/${MISSING_ID}`, call404);
      expect([answer.status, codeOf(answer)]).toEqual([404, 20001]);
    }
    expect(bot.calls).toEqual([]);
  });
});

describe("delete", () => {
  it("confirms the id", async () => {
    const { url, bot } = await start();
    const answer = await call(url, "DELETE", `${KNOWLEDGE}/${ARTICLE_ID}`);
    expect(answer.json).toEqual({ success: true, message: `Article ${ARTICLE_ID} was deleted.` });
    expect(bot.calls).toEqual([{ method: "deleteArticle", values: [ARTICLE_ID, {}] }]);
  });

  it("ignores a body, whatever it is", async () => {
    const { url } = await start();
    const answer = await call(url, "DELETE", `${KNOWLEDGE}/${ARTICLE_ID}`, {
      body: "{nonsense",
      headers: { "content-type": "text/plain" },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    MISSING_ID,
    ARTICLE_ID.toUpperCase(),
    `${ARTICLE_ID}%20`,
    `${ARTICLE_ID.slice(0, -1)}`,
    "__proto__",
    "..%2F..",
    "%00",
    "%zz",
    "%ff",
  ])("answers the same 404 for %s", async (id) => {
    const { url } = await start();
    const expected = await call(url, "DELETE", `${KNOWLEDGE}/5`);
    for (const method of ["DELETE", "PUT"]) {
      const answer = await call(url, method, `${KNOWLEDGE}/${id}`, method === "PUT" ? { body: {} } : {});
      expect([answer.status, codeOf(answer), answer.text]).toEqual([404, 20001, expected.text]);
    }
  });
});
