import { describe, expect, it } from "vitest";
import { expectRefused } from "./answers.ts";
import { exchange, KNOWLEDGE, SEARCH, USAGE } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

/** An answer without what differs from request to request by design. */
function comparable(answer: string): string {
  return answer.replace(/^(date|x-request-id):.*\r\n/gim, "");
}

const ROUTES = [
  ["POST", SEARCH],
  ["POST", KNOWLEDGE],
  ["GET", KNOWLEDGE],
  ["PUT", `${KNOWLEDGE}/0123456789abcdef01234567`],
  ["DELETE", `${KNOWLEDGE}/0123456789abcdef01234567`],
  ["GET", USAGE],
] as const;

describe("a request without a valid key", () => {
  it.each(ROUTES)("%s %s is answered with 401 and code 10001", async (method, path) => {
    const json = method === "POST" ? { json: { query: "x", title: "Title", body: "b" } } : {};
    expectRefused(await service().send(method, path, json), 401, 10001);
  });

  it("gets the same answer, byte for byte, for a missing, an empty, an unknown, a malformed and a revoked key", async () => {
    const bot = await service().bot();
    await service().engine.revokeKey(bot.id);
    const other = await service().bot();
    const last = other.key.at(-1) === "0" ? "1" : "0";
    const headers = [
      "",
      "x-api-key: \r\n",
      "x-api-key: nobody-ever-issued-this\r\n",
      `x-api-key: ${other.key.slice(0, -1)}${last}\r\n`,
      `x-api-key: ${"k".repeat(5_000)}\r\n`,
      `x-api-key: ${bot.key}\r\n`,
    ];
    const answers = await Promise.all(
      headers.map((header) =>
        exchange(service().port, `GET ${KNOWLEDGE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n`),
      ),
    );
    const [first] = answers.map(comparable);
    expect(first).toMatch(/^HTTP\/1\.1 401 /);
    expect(new Set(answers.map(comparable)).size).toBe(1);
  });

  it("stays refused when a valid key is sent twice in one request", async () => {
    const { key } = await service().bot();
    const answer = await exchange(
      service().port,
      `GET ${KNOWLEDGE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${key}\r\nx-api-key: ${key}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("writes nothing", async () => {
    const bot = await service().bot();
    expect((await bot.with("wrong").create({ title: "Title", body: "body" })).status).toBe(401);
    expect((await bot.list()).json.data).toEqual([]);
  });

  it("learns nothing more: 401 comes before every other refusal", async () => {
    const json = { "content-type": "application/json" };
    const refused = await Promise.all([
      service().send("GET", "/nothing/here"),
      service().send("GET", "/api/v1/nothing"),
      service().send("PATCH", KNOWLEDGE),
      service().send("POST", KNOWLEDGE, { body: "text", headers: { "content-type": "text/plain" } }),
      service().send("POST", KNOWLEDGE, { body: "{broken", headers: json }),
      service().send("POST", KNOWLEDGE, { body: " ".repeat(1_100_000), headers: json }),
      service().send("GET", `${KNOWLEDGE}?unknown=1`),
      service().send("POST", SEARCH, { json: {} }),
    ]);
    for (const reply of refused) expectRefused(reply, 401, 10001);
  });
});

describe("a key", () => {
  it("opens exactly one bot", async () => {
    const [a, b] = [await service().bot(), await service().bot()];
    await a.add({ title: "Only in A", body: "alpha" });
    expect((await a.list()).json.data).toHaveLength(1);
    expect((await b.list()).json.data).toEqual([]);
    expect(a.key).not.toBe(b.key);
  });

  it("is dead at once when the operator rotates it, and the new one opens the same bot", async () => {
    const bot = await service().bot();
    const article = await bot.add({ title: "Kept", body: "body" });
    const fresh = bot.with(await service().engine.rotateKey(bot.id));
    expectRefused(await bot.list(), 401, 10001);
    expect((await fresh.list()).json.data.map(({ id }) => id)).toEqual([article.id]);
  });

  it("is dead on an open connection too, from the next request on", async () => {
    const bot = await service().bot();
    const request = `GET ${KNOWLEDGE} HTTP/1.1\r\nHost: a\r\nx-api-key: ${bot.key}\r\n`;
    expect((await bot.list()).status).toBe(200);
    await service().engine.revokeKey(bot.id);
    const answer = await exchange(service().port, `${request}\r\n${request}Connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 401"]);
  });

  it("is found whatever the case of the header's name", async () => {
    const bot = await service().bot();
    expect((await service().send("GET", KNOWLEDGE, { headers: { "X-API-KEY": bot.key } })).status).toBe(200);
  });
});

describe("several keys of a bot", () => {
  it("are revoked and rotated each by itself, from the next request on", async () => {
    const bot = await service().bot();
    const { engine } = service();
    const [one, two] = [bot.with(await engine.addKey(bot.id, "one")), bot.with(await engine.addKey(bot.id, "two"))];
    await one.add({ title: "Shared", body: "by all of them" });
    for (const client of [bot, one, two]) expect((await client.list()).json.data).toHaveLength(1);
    await engine.revokeKey(bot.id, "one");
    const renewed = bot.with(await engine.rotateKey(bot.id, "two"));
    for (const client of [one, two]) expectRefused(await client.list(), 401, 10001);
    for (const client of [bot, renewed]) expect((await client.list()).status).toBe(200);
  });

  it("open the search alone where that is their scope, and of another bot nothing", async () => {
    const [bot, other] = [await service().bot(), await service().bot()];
    const { id } = await bot.publish({ title: "Refunds", body: "A refund takes three days." });
    const { id: foreign } = await other.publish({ title: "Refunds", body: "A refund takes three days." });
    const site = bot.with(await service().engine.addKey(bot.id, "site", { scope: "search" }));
    expect(await site.ids("refund")).toEqual([id]);
    expect((await site.suggest({ prefix: "ref" })).json.data).toEqual([
      { text: "Refunds", resourceDocId: id, kind: "title" },
    ]);
    expect(await site.ids("refund", { filters: { resourceDocId: foreign } })).toEqual([]);
    for (const path of ["", `/${id}`, `/${foreign}`, `?id=${foreign}`])
      expectRefused(await site.send("GET", KNOWLEDGE + path), 403, 10002);
    expectRefused(await site.create({ title: "Title", body: "body" }), 403, 10002);
    expectRefused(await site.remove(id), 403, 10002);
    expect((await bot.list()).json.data).toHaveLength(1);
  });

  it("have their own rates of requests: searches, reads, refused writes and updates of equal length count", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish({ title: "Refunds", body: "A refund takes three days." });
    const key = await service().engine.addKey(bot.id, "slow", { requestsPerMinute: 4 });
    const slow = bot.with(key);
    expect((await slow.list()).status).toBe(200);
    service().clock.advance(20_000);
    expect(await slow.ids("refund")).toEqual([id]);
    expect((await slow.update(id, { body: "A refund takes seven day." })).status).toBe(200);
    expect((await slow.create({})).status).toBe(400);
    const refused = await slow.list();
    expectRefused(refused, 429, 4290);
    expect(refused.headers.get("retry-after")).toBe("40");
    expectRefused(await slow.send("PATCH", KNOWLEDGE), 405, 20003);
    expect((await bot.list()).status).toBe(200);
    service().clock.advance(40_000);
    expect((await slow.list()).status).toBe(200);
    expectRefused(await slow.list(), 429, 4290);
  });
});

describe("what anyone may ask", () => {
  it.each(["/health", "/ready", "/openapi.json"])("%s needs no key, and does not look at one", async (path) => {
    for (const headers of [{}, { "x-api-key": "wrong" }]) {
      const reply = await service().send("GET", path, { headers });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("x-request-id")).toMatch(/\S/);
    }
  });

  it("describes every path of the API", async () => {
    const { paths } = (await service().send<{ paths: object }>("GET", "/openapi.json")).json;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining([KNOWLEDGE, SEARCH, `${KNOWLEDGE}/{id}`]));
  });
});

describe("OPTIONS", () => {
  it.each([KNOWLEDGE, SEARCH, `${KNOWLEDGE}/0123456789abcdef01234567`])("%s needs no key", async (path) => {
    const reply = await service().send("OPTIONS", path);
    expect(reply.status).toBeLessThan(300);
  });
});
