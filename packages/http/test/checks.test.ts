import { LoredexError } from "@loredex/core";
import { describe, expect, it, vi } from "vitest";
import { RefusalQueue } from "../src/admission/refusal-queue.ts";
import { type Answer, call, codeOf } from "./support/client.ts";
import { ARTICLE_ID, FakeEngine, KEY, MISSING_ID } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const outcome = (answer: Answer) => [answer.status, codeOf(answer)];

describe("the key", () => {
  it("is asked for before anything else is said", async () => {
    const { url } = await serve(new FakeEngine());
    for (const [method, target] of [
      ["GET", KNOWLEDGE],
      ["GET", `${KNOWLEDGE}?unknown=1`],
      ["POST", KNOWLEDGE],
      ["PUT", `${KNOWLEDGE}/${MISSING_ID}`],
      ["DELETE", `${KNOWLEDGE}/${ARTICLE_ID}`],
      ["PATCH", KNOWLEDGE],
      ["GET", "/nowhere"],
      ["GET", "/%zz"],
    ] as const) {
      expect(outcome(await call(url, method, target, { key: null }))).toEqual([401, 10001]);
    }
  });

  it("gets the same answer when it is missing, unknown, empty or there twice", async () => {
    const { url, port } = await serve(new FakeEngine());
    const bodies = new Set<string>();
    for (const key of [null, "", "unknown", `${KEY} ${KEY}`, KEY.toUpperCase()]) {
      const answer = await call(url, "GET", KNOWLEDGE, { key });
      expect(outcome(answer)).toEqual([401, 10001]);
      bodies.add(answer.text);
    }
    const client = new RawClient(port);
    client.send(
      `GET ${KNOWLEDGE} HTTP/1.1\r\nhost: a\r\nx-api-key: ${KEY}\r\nX-API-Key: ${KEY}\r\nconnection: close\r\n\r\n`,
    );
    const twice = await client.ended();
    expect(client.statuses).toEqual([401]);
    bodies.add(twice.slice(twice.indexOf("\r\n\r\n") + 4));
    expect(bodies.size).toBe(1);
  });

  it("is refused when its bot was removed a moment ago", async () => {
    const engine = new FakeEngine();
    engine.failure = new LoredexError("BOT_NOT_FOUND", "no bot 5f");
    const { url } = await serve(engine);
    expect(outcome(await call(url, "GET", KNOWLEDGE))).toEqual([401, 10001]);
  });

  it("is looked for once more after what other nodes did is known", async () => {
    const engine = new FakeEngine();
    const known = engine.authenticate.bind(engine);
    engine.authenticate = () => undefined;
    let asked = 0;
    engine.catchUp = async () => {
      asked++;
      engine.authenticate = known;
    };
    const { url } = await serve(engine);
    expect(outcome(await call(url, "GET", KNOWLEDGE, { key: null }))).toEqual([401, 10001]);
    expect(asked).toBe(0);
    expect((await call(url, "GET", KNOWLEDGE)).status).toBe(200);
    expect(outcome(await call(url, "GET", KNOWLEDGE, { key: "unknown" }))).toEqual([401, 10001]);
    expect(asked).toBe(2);
    engine.catchUp = () => Promise.reject(new LoredexError("UNREACHABLE", "no answer"));
    expect(outcome(await call(url, "GET", KNOWLEDGE, { key: "unknown" }))).toEqual([503, 50006]);
    engine.catchUp = () => Promise.reject(new LoredexError("CLOSED", "closed"));
    expect(outcome(await call(url, "GET", KNOWLEDGE, { key: "unknown" }))).toEqual([503, 50001]);
  });

  it("never stands in the log", async () => {
    const engine = new FakeEngine();
    engine.bot1.failure = new Error("broken");
    const { url, log } = await serve(engine);
    await call(url, "POST", `${KNOWLEDGE}/search?key=${KEY}`, { body: { query: KEY } });
    await call(url, "GET", `/${KEY}`, { headers: { "x-request-id": KEY.replace("_", " ") } });
    await call(url, "GET", KNOWLEDGE, { key: "lx_other_key" });
    expect(log.length).toBe(4);
    const text = log.map((event) => JSON.stringify(event)).join();
    expect(text).not.toMatch(/lx_/);
  });
});

describe("routes", () => {
  it("answers 404 with code 20002 for a path that does not exist", async () => {
    const { url } = await serve(new FakeEngine());
    for (const target of [
      "//",
      "/api/v1",
      `${KNOWLEDGE}/`,
      `${KNOWLEDGE}/a/b`,
      "/API/v1/knowledge",
      "/health/",
      "/%",
      "/%ff",
    ]) {
      expect(outcome(await call(url, "GET", target))).toEqual([404, 20002]);
    }
  });

  it("answers 405 with the methods that are allowed, before it looks at the body", async () => {
    const { url } = await serve(new FakeEngine());
    const cases = [
      ["PATCH", KNOWLEDGE, "GET, HEAD, POST, OPTIONS"],
      ["GET", `${KNOWLEDGE}/search`, "POST, OPTIONS"],
      ["GET", `${KNOWLEDGE}/query`, "POST, OPTIONS"],
      ["DELETE", `${KNOWLEDGE}/search`, "POST, OPTIONS"],
      ["HEAD", `${KNOWLEDGE}/search`, "POST, OPTIONS"],
      ["GET", `${KNOWLEDGE}/preview`, "POST, OPTIONS"],
      ["PUT", `${KNOWLEDGE}/batch`, "POST, OPTIONS"],
      ["POST", `${KNOWLEDGE}/${ARTICLE_ID}`, "GET, HEAD, PUT, DELETE, OPTIONS"],
    ] as const;
    for (const [method, target, allow] of cases) {
      const answer = await call(url, method, target, method === "PATCH" ? { body: "{" } : {});
      expect(answer.status).toBe(405);
      if (method !== "HEAD") expect(codeOf(answer)).toBe(20003);
      expect(answer.headers.get("allow")).toBe(allow);
    }
    const open = await call(url, "POST", "/health", { key: null });
    expect([...outcome(open), open.headers.get("allow")]).toEqual([405, 20003, "GET, HEAD, OPTIONS"]);
  });

  it("answers OPTIONS without a key", async () => {
    const { url, port } = await serve(new FakeEngine());
    const answer = await call(url, "OPTIONS", KNOWLEDGE, { key: null });
    expect([answer.status, answer.text, answer.headers.get("allow")]).toEqual([204, "", "GET, HEAD, POST, OPTIONS"]);
    expect(outcome(await call(url, "OPTIONS", "/nowhere", { key: null }))).toEqual([404, 20002]);
    const client = new RawClient(port);
    client.send(wire("OPTIONS", "*", { connection: "close" }));
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 204 [\s\S]*allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n/);
  });

  it("answers health and readiness without a key", async () => {
    const { url } = await serve(new FakeEngine());
    expect((await call(url, "GET", "/health", { key: null })).json).toEqual({ status: "ok" });
    expect((await call(url, "GET", "/ready", { key: null })).json).toEqual({
      status: "ready",
      faults: { count: 0, bots: [] },
    });
    expect((await call(url, "HEAD", "/health", { key: null })).status).toBe(200);
  });

  it("is ready whatever bots have, of which it tells ids and kinds alone, and not while nothing can be written", async () => {
    const engine = new FakeEngine();
    const { url } = await serve(engine);
    const faults = Array.from(
      { length: 101 },
      (_, i) => ({ id: `id${i}`, kind: "damaged", message: "/data" }) as const,
    );
    engine.state = { canWrite: true, faults };
    const ready = await call(url, "GET", "/ready", { key: null });
    expect(ready.status).toBe(200);
    expect(ready.json).toMatchObject({ status: "ready", faults: { count: 101, bots: { length: 100 } } });
    engine.state = { canWrite: false, faults };
    const refused = await call(url, "GET", "/ready", { key: null });
    expect(outcome(refused)).toEqual([503, 50002]);
    expect(refused.json).toMatchObject({ faults: { count: 101 } });
    expect(ready.text + refused.text).not.toContain("/data");
  });

  it("is ready without its database as long as searches are answered", async () => {
    const engine = new FakeEngine();
    const { url } = await serve(engine);
    // What the check of a directory says counts for nothing then.
    engine.state = { canWrite: false, faults: [], unreachable: { answersSearches: true } };
    const ready = await call(url, "GET", "/ready", { key: null });
    const faults = { count: 0, bots: [], databaseUnreachable: true };
    expect([ready.status, ready.json]).toEqual([200, { status: "ready", faults }]);
    engine.state = { ...engine.state, unreachable: { answersSearches: false } };
    const refused = await call(url, "GET", "/ready", { key: null });
    expect(outcome(refused)).toEqual([503, 50006]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.json).toMatchObject({ faults });
  });

  it("understands the absolute form of an address", async () => {
    const { port } = await serve(new FakeEngine());
    const client = new RawClient(port);
    client.send(wire("GET", "http://any.example/health", { connection: "close" }));
    expect(await client.ended()).toContain('{"status":"ok"}');
  });
});

describe("a key as a bearer token", () => {
  const statusOf = async (...headers: readonly string[]) => {
    const { port } = await serve(new FakeEngine());
    const client = new RawClient(port);
    const lines = headers.map((header) => `${header}\r\n`).join("");
    client.send(`GET ${KNOWLEDGE} HTTP/1.1\r\nhost: a\r\n${lines}connection: close\r\n\r\n`);
    const answer = await client.ended();
    if (client.statuses[0] === 401) expect(answer).toContain("www-authenticate: ApiKey, Bearer\r\n");
    return client.statuses[0];
  };

  it.each([
    [`Authorization: Bearer ${KEY}`],
    [`authorization: bearer   ${KEY}`],
    [`Authorization: Bearer ${KEY}`, `x-api-key: ${KEY}`],
    ["Authorization: Basic dXNlcjpwYXNz", `x-api-key: ${KEY}`],
  ])("is the key: %s %s", async (...headers) => {
    expect(await statusOf(...headers)).toBe(200);
  });

  it.each([
    ["Authorization: Bearer"],
    ["Authorization: Bearer other"],
    [`Authorization: Bearer ${KEY} ${KEY}`],
    [`Authorization: Basic ${KEY}`],
    [`Authorization: ${KEY}`],
    [`Authorization: Bearer ${KEY}`, `Authorization: Bearer ${KEY}`],
    [`Authorization: Bearer ${KEY}`, "x-api-key: other"],
    ["Authorization: Bearer other", `x-api-key: ${KEY}`],
    ["Authorization: Bearer", `x-api-key: ${KEY}`],
    [`Authorization: Bearer ${KEY}`, "x-api-key:"],
  ])("is no key: %s %s", async (...headers) => {
    expect(await statusOf(...headers)).toBe(401);
  });
});

describe("what a proxy may read as something else", () => {
  it.each(["a b", "a/b", "c@d", "a b/c@d", "a:b", "[::1", "a,b", "http://a", "a\tb"])(
    "is no Host: %j",
    async (host) => {
      const { port } = await serve(new FakeEngine());
      const client = new RawClient(port);
      client.send(`GET /health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      expect(await client.ended()).toContain('"field":"host","type":"header"');
      expect(client.statuses).toEqual([400]);
    },
  );

  it.each(["localhost", "127.0.0.1:8080", "[::1]:80", "a_b.example.", "xn--bcher-kva.example:", ""])(
    "is a Host: %j",
    async (host) => {
      const { port } = await serve(new FakeEngine());
      const client = new RawClient(port);
      client.send(`GET /health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      await client.ended();
      expect(client.statuses).toEqual([200]);
    },
  );

  it.each(["gzip, chunked", "gzip,chunked", "identity, chunked", "chunked, chunked"])(
    "is a body sent as %j",
    async (coding) => {
      const { port } = await serve(new FakeEngine());
      const client = new RawClient(port);
      const headers = { "x-api-key": KEY, "content-type": "application/json", "transfer-encoding": coding };
      client.send(`${wire("POST", KNOWLEDGE, headers)}2\r\n{}\r\n0\r\n\r\n`);
      expect(await client.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});

it("refuses strangers in turns of their own, and asks nobody with a key for one", async () => {
  const turn = vi.spyOn(RefusalQueue.prototype, "next");
  const { url } = await serve(new FakeEngine());
  const statusWith = async (key: string) => (await fetch(url + KNOWLEDGE, { headers: { "x-api-key": key } })).status;
  expect([await statusWith(KEY), turn.mock.calls.length]).toEqual([200, 0]);
  expect([await statusWith("lx_stranger"), turn.mock.calls.length]).toEqual([401, 1]);
  turn.mockRestore();
});

describe("the version", () => {
  it.each([
    ["HTTP/1.0", "transfer-encoding: chunked\r\n", 400, "transfer-encoding"],
    ["HTTP/1.0", "content-length: 2\r\n", 200, undefined],
    ["HTTP/2.0", "content-length: 2\r\n", 400, "http-version"],
  ])("%s with %j is answered %i", async (version, framing, status, field) => {
    const { port } = await serve(new FakeEngine());
    const client = new RawClient(port);
    const headers = `host: a\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    const body = framing.startsWith("content-length") ? "{}" : "2\r\n{}\r\n0\r\n\r\n";
    client.send(`POST ${KNOWLEDGE} ${version}\r\n${headers}${framing}\r\n${body}`);
    const answer = await client.ended();
    expect(client.statuses).toEqual([status]);
    if (field !== undefined) expect(answer).toContain(`"field":"${field}"`);
  });
});

describe("the Host header", () => {
  it.each(["", "host: a\r\nHost: b\r\n", "host: a\r\nhost: a\r\n"])("must be there once: %j", async (hosts) => {
    const { port } = await serve(new FakeEngine());
    const client = new RawClient(port);
    client.send(`GET /health HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`);
    const answer = await client.ended();
    expect(client.statuses).toEqual([400]);
    expect(answer).toContain('"field":"host","type":"header"');
    expect(answer).toMatch(/x-request-id: \S/);
  });

  it("may be missing in HTTP/1.0", async () => {
    const { port } = await serve(new FakeEngine());
    const client = new RawClient(port);
    client.send("GET /health HTTP/1.0\r\n\r\n");
    expect(await client.ended()).toContain('{"status":"ok"}');
  });
});

describe("the request id", () => {
  it.each(["a", "7f9c-11:22/ab=+@_.Z", "x".repeat(128)])("is taken over: %s", async (id) => {
    const { url, log } = await serve(new FakeEngine());
    const answer = await call(url, "GET", KNOWLEDGE, { headers: { "x-request-id": id } });
    expect(answer.headers.get("x-request-id")).toBe(id);
    expect(log).toMatchObject([{ event: "request", requestId: id }]);
  });

  it.each(["", "a b", "x".repeat(129), "{}", "a\tb", "é"])("is a random one instead of %j", async (id) => {
    const { url } = await serve(new FakeEngine());
    const ids = [];
    for (let round = 0; round < 2; round++) {
      const answer = await call(url, "GET", KNOWLEDGE, { headers: { "x-request-id": id } });
      ids.push(answer.headers.get("x-request-id"));
    }
    expect(new Set([id, ...ids]).size).toBe(3);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("what the engine cannot do", () => {
  it.each([
    ["DISK_FULL", 507, 50003, null],
    ["BOT_FULL", 507, 50003, null],
    ["READ_ONLY", 503, 50002, null],
    ["CLOSED", 503, 50001, "1"],
    ["TOO_MANY_OPEN_FILES", 503, 50001, "1"],
    ["STORAGE_FAILED", 500, 50000, null],
  ] as const)("answers %s with %d", async (code, status, number, retryAfter) => {
    const engine = new FakeEngine();
    engine.bot1.failure = new LoredexError(code, "EIO at /var/data");
    const { url } = await serve(engine);
    const answer = await call(url, "POST", KNOWLEDGE, { body: {} });
    expect(outcome(answer)).toEqual([status, number]);
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(answer.text).not.toMatch(/EIO|var/);
  });

  it("says on every route that a bot's data cannot be used", async () => {
    const engine = new FakeEngine();
    engine.failure = new LoredexError("CORRUPT", "segment 3, offset 77");
    const { url, log } = await serve(engine);
    for (const [method, target] of [
      ["GET", KNOWLEDGE],
      ["POST", KNOWLEDGE],
      ["POST", `${KNOWLEDGE}/search`],
      ["POST", `${KNOWLEDGE}/query`],
      ["PUT", `${KNOWLEDGE}/${ARTICLE_ID}`],
      ["DELETE", `${KNOWLEDGE}/${ARTICLE_ID}`],
    ] as const) {
      expect(outcome(await call(url, method, target))).toEqual([503, 50004]);
    }
    await expect.poll(() => log).toHaveLength(6);
    expect(log).toMatchObject(Array(6).fill({ level: "warn", event: "request", status: 503, code: "CORRUPT" }));
  });

  it("logs what is no path of the API as that", async () => {
    const { url, log } = await serve(new FakeEngine());
    await call(url, "GET", "/api/v1/nothing");
    expect(log).toMatchObject([{ event: "request", status: 404, route: "none" }]);
  });

  it("logs a fault with the id of its answer", async () => {
    const engine = new FakeEngine();
    engine.bot1.failure = new TypeError("cannot read properties");
    const { url, log } = await serve(engine);
    const answer = await call(url, "POST", `${KNOWLEDGE}/search`, { body: {} });
    expect(outcome(answer)).toEqual([500, 50000]);
    const requestId = answer.headers.get("x-request-id");
    expect(log).toMatchObject([
      { event: "requestFailed", level: "error", requestId, route: `${KNOWLEDGE}/search`, error: engine.bot1.failure },
      { event: "request", level: "info", requestId, status: 500, method: "POST" },
    ]);
  });
});
