import { type Bot, Engine, type Logger } from "@loredex/core";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { HttpLogger } from "../src/log.ts";
import { createApiServer } from "../src/server.ts";
import { type Answer, call, codeOf, rulesOf } from "./support/client.ts";
import { isObject } from "./support/is-object.ts";

/** The API on a real engine. Every answer is checked against the OpenAPI description on the way. */

const KNOWLEDGE = "/api/v1/knowledge";
const SEARCH = `${KNOWLEDGE}/search`;
const ARTICLE = { title: "Refunds", body: "# Refunds\n\nA refund takes three working days." };

let engine: Engine;
let bot: Bot;
let key: string;
let url: string;

beforeEach(async () => {
  engine = await Engine.open();
  const created = await engine.createBot({ name: "shop", quotaCharacters: 1_000, rateCharactersPerMinute: 300 });
  key = created.key;
  bot = await engine.bot(created.bot.id);
  const server = createApiServer(engine);
  ({ url } = await server.listen({ port: 0, host: "127.0.0.1" }));
  onTestFinished(async () => {
    await server.close({ timeoutMs: 0 });
    await engine.close();
  });
});

const send = (method: string, target: string, body?: unknown) => call(url, method, target, { key, body });

function field(answer: Answer, name: string): unknown {
  return isObject(answer.json) ? answer.json[name] : undefined;
}

async function create(changes: object = {}): Promise<string> {
  const answer = await send("POST", KNOWLEDGE, { ...ARTICLE, ...changes });
  const data = field(answer, "data");
  if (!isObject(data) || typeof data.id !== "string") throw new Error(answer.text);
  return data.id;
}

describe("an article", () => {
  it("lives from its creation to its end", async () => {
    const id = await create({ metadata: { team: "billing" }, source: "https://help.example.com/refunds" });
    await bot.whenSearchable();
    const listed = await send("GET", `${KNOWLEDGE}?title=Refunds&id=${id}`);
    expect(field(listed, "data")).toMatchObject([{ id, status: "active", ...ARTICLE, characterCount: 52 }]);

    const found = await send("POST", SEARCH, {
      query: "how long does a refund take?",
      options: { includeContent: true },
    });
    expect(found.json).toMatchObject([
      { resourceDocId: id, url: "https://help.example.com/refunds", content: [{ md: ARTICLE.body }] },
    ]);

    const updated = await send("PUT", `${KNOWLEDGE}/${id}`, { body: "Two days.", source: null, metadata: null });
    expect(field(updated, "data")).toMatchObject({ id, body: "Two days.", metadata: {}, status: "uploading" });
    expect(field(updated, "characterUsed")).toBe(16);

    expect((await send("DELETE", `${KNOWLEDGE}/${id}`)).status).toBe(200);
    expect((await send("POST", SEARCH, { query: "Refunds" })).json).toEqual([]);
    expect(codeOf(await send("DELETE", `${KNOWLEDGE}/${id}`))).toBe(20001);
    expect((await send("GET", KNOWLEDGE)).json).toEqual({ success: true, data: [] });
  });

  it("can be sent back as it came", async () => {
    const id = await create({ activeOn: [{ agent: "Ada", channel: "web" }] });
    await bot.whenSearchable();
    const [before] = await bot.listArticles();
    const answer = await send("PUT", `${KNOWLEDGE}/${id}`, before);
    expect(field(answer, "data")).toEqual(before);
  });

  it("keeps metadata of any name", async () => {
    const metadata = '{"__proto__":"a","constructor":1,"a.b":true,"":"empty"}';
    const answer = await send("POST", KNOWLEDGE, `{"title":"Names","body":"x","metadata":${metadata}}`);
    expect(answer.text).toContain(`"metadata":${metadata}`);
    expect((await send("GET", KNOWLEDGE)).text).toContain(`"metadata":${metadata}`);
  });
});

describe("what the engine refuses", () => {
  it("is told with all broken rules", async () => {
    const created = await send("POST", KNOWLEDGE, { title: "x", metadata: { tags: [] }, sourse: "a" });
    expect(rulesOf(created).sort()).toEqual([
      "body required",
      "metadata metadataField",
      "sourse unknownField",
      "title minLength",
    ]);
    expect(field(created, "message")).toMatch(/metadata key must be a string, number or boolean/);
    const searched = await send("POST", SEARCH, { filters: { id: 1 }, options: { topK: 0 } });
    expect(rulesOf(searched).sort()).toEqual(["filters.id unknownField", "options.topK range", "query required"]);
    expect(rulesOf(await send("GET", `${KNOWLEDGE}?titel=x`))).toEqual(["titel unknownField"]);
  });

  it("is told before the quota, and the quota before the rate", async () => {
    const full = await send("POST", KNOWLEDGE, { title: "Long", body: "x".repeat(1_000) });
    expect([full.status, codeOf(full)]).toEqual([422, 30001]);
    expect(full.text).toMatch(/\b4\b.*\b0\b.*\b1000\b/);
    const never = await send("POST", KNOWLEDGE, { title: "Long", body: "x".repeat(400) });
    expect([never.status, never.headers.get("retry-after")]).toEqual([429, null]);
    await create({ body: "x".repeat(200) });
    const later = await send("POST", KNOWLEDGE, { title: "Long", body: "x".repeat(200) });
    expect(later.status).toBe(429);
    expect(later.headers.get("retry-after")).toMatch(/^[1-6]\d?$/);
    expect((await send("GET", KNOWLEDGE)).json).toMatchObject({ data: [{ characterCount: 207 }] });
  });
});

describe("a key", () => {
  it("is dead at once when it was replaced or revoked", async () => {
    const old = key;
    key = await engine.rotateKey("shop");
    expect((await call(url, "GET", KNOWLEDGE, { key: old })).status).toBe(401);
    expect((await send("GET", KNOWLEDGE)).status).toBe(200);
    await engine.revokeKey("shop");
    expect((await send("GET", KNOWLEDGE)).status).toBe(401);
  });

  it("opens one bot only", async () => {
    const id = await create();
    const other = await engine.createBot({ name: "other" });
    for (const [method, body] of [
      ["PUT", {}],
      ["DELETE", undefined],
    ] as const) {
      const foreign = await call(url, method, `${KNOWLEDGE}/${id}`, { key: other.key, body });
      const missing = await call(url, method, `${KNOWLEDGE}/0123456789abcdef01234567`, { key: other.key, body });
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    }
    expect((await call(url, "GET", `${KNOWLEDGE}?id=${id}`, { key: other.key })).json).toEqual({
      success: true,
      data: [],
    });
  });
});

describe("an engine that is closed", () => {
  it("is a service that is shutting down", async () => {
    await engine.close();
    const answer = await send("GET", KNOWLEDGE);
    expect([answer.status, codeOf(answer), answer.headers.get("retry-after")]).toEqual([503, 50001, "1"]);
  });
});

it("takes the engine's logger", () => {
  const logger: Logger = () => {};
  const taken: HttpLogger = logger;
  expect(taken).toBe(logger);
});
