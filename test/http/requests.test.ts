import { describe, expect, it } from "vitest";
import { expectInvalid, expectRefused } from "./answers.ts";
import { exchange, KNOWLEDGE, SEARCH, USAGE } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();
const MISSING = "0123456789abcdef01234567";
const JSON_TYPE = { "content-type": "application/json" };
const BODY_BYTES_MAX = 1_048_576;

/** A valid create of exactly so many bytes. */
function createOfBytes(bytes: number): string {
  const json = JSON.stringify({ title: "Padded", body: "small" });
  return json + " ".repeat(bytes - json.length);
}

describe("a path that does not exist", () => {
  it.each(["/api", "/api/v1", "/api/v1/knowledges", "/api/v2/knowledge", "/knowledge", `${KNOWLEDGE}/a/b`, "/%ff"])(
    "%s is answered with 404 and code 20002",
    async (path) => {
      const bot = await service().bot();
      expectRefused(await bot.send("GET", path), 404, 20002);
      expectRefused(await bot.send("POST", path, { json: {} }), 404, 20002);
    },
  );
});

describe("a method that a path does not have", () => {
  it.each([
    ["PUT", KNOWLEDGE, ["GET", "POST"]],
    ["DELETE", KNOWLEDGE, ["GET", "POST"]],
    ["PATCH", KNOWLEDGE, ["GET", "POST"]],
    ["GET", SEARCH, ["POST"]],
    ["POST", USAGE, ["GET"]],
    ["PATCH", SEARCH, ["POST"]],
    ["GET", `${KNOWLEDGE}/preview`, ["POST"]],
    ["DELETE", `${KNOWLEDGE}/batch`, ["POST"]],
    ["PATCH", `${KNOWLEDGE}/${MISSING}`, ["GET", "PUT", "DELETE"]],
    ["POST", `${KNOWLEDGE}/${MISSING}`, ["GET", "PUT", "DELETE"]],
  ])("%s %s is answered with 405, code 20003 and what is allowed", async (method, path, allowed) => {
    const reply = await (await service().bot()).send(method, path);
    expectRefused(reply, 405, 20003);
    const allow = (reply.headers.get("allow") ?? "").split(/\s*,\s*/);
    expect(allow).toEqual(expect.arrayContaining(allowed));
    expect(allow).not.toContain(method);
  });
});

describe("the body's type", () => {
  it.each([
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["application/json;charset=UTF-8", 200],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/jsonp", 415],
  ])("%s gives %i", async (type, status) => {
    const bot = await service().bot();
    const headers = { "content-type": type };
    const created = await bot.send("POST", KNOWLEDGE, { body: '{"title":"Typed","body":"b"}', headers });
    expect(created.status).toBe(status);
    const found = await bot.send("POST", SEARCH, { body: '{"query":"typed"}', headers });
    expect(found.status).toBe(status);
    if (status === 415) for (const reply of [created, found]) expectRefused(reply, 415, 40002);
  });

  it("left out gives 415", async () => {
    const { key } = await service().bot();
    const answer = await exchange(
      service().port,
      `POST ${SEARCH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${key}\r\nContent-Length: 13\r\n\r\n{"query":"a"}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(answer).toContain("40002");
  });
});

describe("the body's size", () => {
  it("may be 1 MiB", async () => {
    const bot = await service().bot();
    const reply = await bot.send("POST", KNOWLEDGE, { body: createOfBytes(BODY_BYTES_MAX), headers: JSON_TYPE });
    expect(reply.status, reply.text).toBe(200);
  });

  it("one byte over 1 MiB is answered with 413 and code 40001", async () => {
    const bot = await service().bot();
    const article = await bot.add({ title: "Title", body: "b" });
    const sent = { body: createOfBytes(BODY_BYTES_MAX + 1), headers: JSON_TYPE };
    expectRefused(await bot.send("POST", KNOWLEDGE, sent), 413, 40001);
    expectRefused(await bot.send("POST", SEARCH, sent), 413, 40001);
    expectRefused(await bot.send("PUT", `${KNOWLEDGE}/${article.id}`, sent), 413, 40001);
    expect((await bot.list()).json.data).toHaveLength(1);
  });

  it("is counted as it comes where no length was announced", async () => {
    const { key } = await service().bot();
    const head = `POST ${KNOWLEDGE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunked = (json: string) => `${Buffer.byteLength(json).toString(16)}\r\n${json}\r\n0\r\n\r\n`;
    expect(await exchange(service().port, head, chunked(createOfBytes(BODY_BYTES_MAX)))).toMatch(/^HTTP\/1\.1 200 /);
    const over = await exchange(service().port, head, chunked(createOfBytes(BODY_BYTES_MAX + 1)));
    expect(over).toMatch(/^HTTP\/1\.1 413 /);
    expect(over).toContain("40001");
  });
});

describe("a body that is no JSON object", () => {
  const bodies: readonly (readonly [string, string | Uint8Array])[] = [
    ["nothing", ""],
    ["white space", "  \n"],
    ["a text cut short", '{"title":"abc"'],
    ["a trailing comma", '{"query":"a",}'],
    ["something after the object", '{"query":"a"} {}'],
    ["NaN", '{"query":NaN}'],
    ["an array", "[]"],
    ["a string", '"query"'],
    ["a number", "7"],
    ["null", "null"],
    ["invalid UTF-8", Buffer.from([...Buffer.from('{"query":"'), 0xc3, 0x28, ...Buffer.from('"}')])],
    ["UTF-8 cut in a character", Buffer.from([...Buffer.from('{"query":"a"}'), 0xf0, 0x9f])],
    ["a surrogate in UTF-8", Buffer.from([...Buffer.from('{"query":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
  ];

  it.each(bodies)("(%s) is a 400 on body", async (_, body) => {
    const bot = await service().bot();
    const article = await bot.add({ title: "Title", body: "b" });
    const sent = { body, headers: JSON_TYPE };
    expectInvalid(await bot.send("POST", SEARCH, sent), ["body", "json"]);
    expectInvalid(await bot.send("POST", KNOWLEDGE, sent), ["body", "json"]);
    expectInvalid(await bot.send("PUT", `${KNOWLEDGE}/${article.id}`, sent), ["body", "json"]);
  });

  it("(JSON more than 64 deep) is a 400 of type json; 64 deep is read", async () => {
    const bot = await service().bot();
    const deep = (levels: number) =>
      `{"title":"Deep","body":"b","metadata":{"k":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}}`;
    expectInvalid(await bot.send("POST", KNOWLEDGE, { body: deep(65), headers: JSON_TYPE }), ["body", "json"]);
    expectInvalid(await bot.send("POST", KNOWLEDGE, { body: deep(64), headers: JSON_TYPE }), [
      "metadata",
      "metadataField",
    ]);
    expectInvalid(await bot.send("POST", KNOWLEDGE, { body: deep(200_000), headers: JSON_TYPE }), ["body", "json"]);
  });
});

describe("the order of the checks", () => {
  it("a missing article comes before everything about the body", async () => {
    const bot = await service().bot();
    const path = `${KNOWLEDGE}/${MISSING}`;
    expectRefused(
      await bot.send("PUT", path, { body: createOfBytes(BODY_BYTES_MAX + 1), headers: JSON_TYPE }),
      404,
      20001,
    );
    expectRefused(await bot.send("PUT", path, { body: "{}", headers: { "content-type": "text/plain" } }), 404, 20001);
    expectRefused(await bot.send("PUT", path, { body: "{broken", headers: JSON_TYPE }), 404, 20001);
    expectRefused(await bot.update(MISSING, { title: "x" }), 404, 20001);
    expectRefused(await bot.update(MISSING, {}), 404, 20001);
  });

  it("a missing route or method comes before everything about the body", async () => {
    const bot = await service().bot();
    const sent = { body: createOfBytes(BODY_BYTES_MAX + 1), headers: { "content-type": "text/plain" } };
    expectRefused(await bot.send("POST", "/api/v1/nothing", sent), 404, 20002);
    expectRefused(await bot.send("PATCH", KNOWLEDGE, sent), 405, 20003);
  });

  it("invalid input comes before the quota, and the quota before the rate", async () => {
    const bot = await service().bot({ quotaCharacters: 20, rateCharactersPerMinute: 10 });
    const tooLong = "b".repeat(100);
    expectInvalid(await bot.create({ title: "x", body: tooLong }), ["title", "minLength"]);
    expectRefused(await bot.create({ title: "Title", body: tooLong }), 422, 30001);
    expect((await bot.create({ title: "Title", body: "123456" })).status).toBe(429);
  });
});

describe("what is ignored and what is always there", () => {
  it("a body on GET and DELETE is ignored", async () => {
    const bot = await service().bot();
    const { id } = await bot.add({ title: "Title", body: "b" });
    const withBody = (method: string, path: string) =>
      exchange(
        service().port,
        `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${bot.key}\r\nContent-Length: 7\r\n\r\n{broken`,
      );
    expect(await withBody("GET", KNOWLEDGE)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await withBody("DELETE", `${KNOWLEDGE}/${id}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect((await bot.list()).json.data).toEqual([]);
  });

  it("every answer has an x-request-id of its own", async () => {
    const bot = await service().bot({ quotaCharacters: 100, rateCharactersPerMinute: 50 });
    const created = await bot.create({ title: "Title", body: "b" });
    const replies = [
      created,
      await bot.update(created.json.data.id, { body: "c" }),
      await bot.list(),
      await bot.search({ query: "title" }),
      await bot.create({ title: "Title", body: "b".repeat(99) }),
      await bot.create({ title: "Title", body: "b".repeat(60) }),
      await bot.create({}),
      await bot.remove(created.json.data.id),
      await bot.remove(created.json.data.id),
      await bot.with("wrong").list(),
      await bot.send("GET", "/nothing"),
      await bot.send("PATCH", KNOWLEDGE),
      await bot.send("OPTIONS", KNOWLEDGE),
      await bot.send("POST", KNOWLEDGE, { body: "x", headers: { "content-type": "text/plain" } }),
      await bot.send("POST", KNOWLEDGE, { body: createOfBytes(BODY_BYTES_MAX + 1), headers: JSON_TYPE }),
    ];
    const statuses = replies.map(({ status }) => status);
    expect(statuses.slice(0, 12)).toEqual([200, 200, 200, 200, 422, 429, 400, 200, 404, 401, 404, 405]);
    const ids = replies.map(({ headers }) => headers.get("x-request-id") ?? "");
    for (const id of ids) expect(id).toMatch(/\S/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("what is not HTTP gets an answer with an x-request-id too, and harms nobody", async () => {
    const answers = await Promise.all(
      [
        "nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
      ].map((bytes) => exchange(service().port, bytes)),
    );
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toMatch(/^x-request-id: \S+/im);
    }
    expect((await (await service().bot()).list()).status).toBe(200);
  });

  it("JSON answers say that they are JSON", async () => {
    const bot = await service().bot();
    for (const reply of [
      await bot.list(),
      await bot.search({ query: "x" }),
      await bot.create({}),
      await bot.remove(MISSING),
    ]) {
      expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
    }
  });
});
