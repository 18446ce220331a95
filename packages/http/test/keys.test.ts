import type { KeyInfo } from "@loredex/core";
import { LoredexError, QuotaExceededError, RateExceededError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { type Answer, type Call, call, codeOf } from "./support/client.ts";
import { ARTICLE_ID, FakeEngine, KEY, MISSING_ID } from "./support/fake-engine.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const ORIGIN = "https://shop.example.com";
const SEARCH_ALONE: KeyInfo = { name: "site", scope: "search", origins: [ORIGIN] };

function engineWith(key: Partial<KeyInfo>): FakeEngine {
  const engine = new FakeEngine();
  engine.key = { ...engine.key, ...key };
  return engine;
}

const outcome = (answer: Answer): unknown[] => [answer.status, codeOf(answer)];

describe("a key that opens the search alone", () => {
  it.each([
    ["GET", KNOWLEDGE],
    ["HEAD", KNOWLEDGE],
    ["POST", KNOWLEDGE],
    ["POST", `${KNOWLEDGE}/preview`],
    ["POST", `${KNOWLEDGE}/batch`],
    ["GET", `${KNOWLEDGE}/${ARTICLE_ID}`],
    ["PUT", `${KNOWLEDGE}/${ARTICLE_ID}`],
    ["DELETE", `${KNOWLEDGE}/${ARTICLE_ID}`],
    ["GET", "/api/v1/usage"],
    ["HEAD", "/api/v1/usage"],
  ])("%s %s is a 403, and the bot is not asked", async (method, path) => {
    const engine = engineWith(SEARCH_ALONE);
    const { url } = await serve(engine);
    const answer = await call(url, method, path, method === "POST" || method === "PUT" ? { body: "{broken" } : {});
    expect(answer.status).toBe(403);
    if (method !== "HEAD") expect(codeOf(answer)).toBe(10002);
    expect(engine.bot1.calls).toEqual([]);
  });

  it("searches, and gets suggestions", async () => {
    const { url } = await serve(engineWith(SEARCH_ALONE));
    expect((await call(url, "POST", `${KNOWLEDGE}/search`, { body: { query: "x" } })).status).toBe(200);
    expect((await call(url, "POST", `${KNOWLEDGE}/suggest`, { body: { prefix: "x" } })).status).toBe(200);
  });

  it("is answered byte for byte alike for an article that is there and one that is not", async () => {
    const { url } = await serve(engineWith(SEARCH_ALONE));
    for (const method of ["GET", "PUT", "DELETE"]) {
      const [there, missing] = await Promise.all(
        [ARTICLE_ID, MISSING_ID].map((id) => call(url, method, `${KNOWLEDGE}/${id}`)),
      );
      expect(there?.text).toBe(missing?.text);
    }
  });
});

describe("the request rate of a key", () => {
  it("is a 429 with a code of its own and whole seconds, on every route", async () => {
    const engine = engineWith({});
    engine.admitRequest = async () => 1_001;
    const { url } = await serve(engine);
    for (const [method, path] of [
      ["POST", `${KNOWLEDGE}/search`],
      ["POST", `${KNOWLEDGE}/query`],
      ["POST", `${KNOWLEDGE}/suggest`],
      ["GET", KNOWLEDGE],
      ["POST", KNOWLEDGE],
      ["PUT", `${KNOWLEDGE}/${ARTICLE_ID}`],
      ["DELETE", `${KNOWLEDGE}/${MISSING_ID}`],
      ["GET", "/api/v1/usage"],
    ] as const) {
      const answer = await call(url, method, path);
      expect([...outcome(answer), answer.headers.get("retry-after")]).toEqual([429, 4290, "2"]);
    }
    expect(engine.bot1.calls).toEqual([]);
    for (const path of ["/health", "/ready", "/openapi.json", "/api/v1/openapi.json"])
      expect((await call(url, "GET", path)).status).toBe(200);
  });
});

const ARTICLE = { title: "Long enough", body: "b" };
const changed = new LoredexError("ARTICLE_CHANGED", "changed");

/** What is told of a request, and what of it is mended then: each row still has all that is wrong in those below it. */
const ORDER: readonly (readonly [status: number, code: number | undefined, mended: Partial<Situation>])[] = [
  [401, 10001, { key: KEY }],
  [404, 20002, { path: `${KNOWLEDGE}/${MISSING_ID}` }],
  [405, 20003, { method: "PUT" }],
  [403, 10002, { scope: "all" }],
  [429, 4290, { waitMs: 0 }],
  [404, 20001, { path: `${KNOWLEDGE}/${ARTICLE_ID}` }],
  [413, 40001, { body: "{broken" }],
  [415, 40002, { type: "application/json" }],
  [400, undefined, { body: ARTICLE }],
  [412, 20004, { failure: new QuotaExceededError(1, 2, 3) }],
  [422, 30001, { failure: new RateExceededError(1, 2, 3_000) }],
  [429, undefined, { failure: undefined }],
];

interface Situation {
  readonly key: string | null;
  readonly method: string;
  readonly path: string;
  readonly scope: KeyInfo["scope"];
  readonly waitMs: number;
  readonly type: string;
  readonly body: unknown;
  readonly failure: unknown;
}

it("tells of several things that are wrong the first one in the order of the contract", async () => {
  const engine = new FakeEngine();
  const { url } = await serve(engine, { bodyBytesMax: 1_024 });
  const allWrong = { key: null, method: "PATCH", path: "/nowhere", scope: "search", waitMs: 1 } as const;
  let now: Situation = { ...allWrong, type: "text/plain", body: "{broken".padEnd(2_000), failure: changed };
  const told = async (): Promise<Answer> => {
    const { key, method, path, type, body } = now;
    engine.key = { ...engine.key, scope: now.scope };
    engine.waitMs = now.waitMs;
    engine.bot1.failure = now.failure;
    return call(url, method, path, { key, headers: { "content-type": type }, body });
  };
  for (const [status, code, mended] of ORDER) {
    expect(outcome(await told())).toEqual([status, code]);
    now = { ...now, ...mended };
  }
  expect((await told()).status).toBe(200);
});

describe("pages of other origins", () => {
  const asked = (more: Readonly<Record<string, string>>) => ({
    key: null,
    headers: { origin: ORIGIN, "access-control-request-method": "POST", ...more },
  });
  const corsOf = ({ headers }: Answer): string[] =>
    [...headers.keys()].filter((name) => name.startsWith("access-control-")).sort();

  it("may do nothing where no key lists them", async () => {
    const { url } = await serve(engineWith({}));
    const preflight = await call(url, "OPTIONS", KNOWLEDGE, asked({}));
    expect([preflight.status, corsOf(preflight)]).toEqual([204, []]);
    const answer = await call(url, "GET", KNOWLEDGE, { headers: { origin: ORIGIN } });
    expect([answer.status, corsOf(answer), answer.headers.get("vary")]).toEqual([200, [], null]);
  });

  it("are told that they may send what the API needs, where a key lists them", async () => {
    const { url } = await serve(engineWith({ origins: [ORIGIN] }));
    const { status, headers } = await call(url, "OPTIONS", `${KNOWLEDGE}/${ARTICLE_ID}`, asked({}));
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD, PUT, DELETE, OPTIONS");
    expect(headers.get("access-control-allow-headers")?.split(", ").sort()).toEqual([
      "authorization",
      "content-type",
      "idempotency-key",
      "if-match",
      "if-none-match",
      "x-api-key",
      "x-request-id",
    ]);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("vary")).toBe("Origin");
    const other = await call(url, "OPTIONS", KNOWLEDGE, asked({ origin: "https://evil.example.com" }));
    expect([other.status, corsOf(other), other.headers.get("vary")]).toEqual([204, [], "Origin"]);
    const plain = await call(url, "OPTIONS", KNOWLEDGE, { key: null });
    expect([plain.status, corsOf(plain)]).toEqual([204, []]);
  });

  it("may read the answers to that key, refusals too, and no others", async () => {
    const { url } = await serve(engineWith(SEARCH_ALONE));
    const from = (origin: string, more: Call = {}) => ({ headers: { origin }, ...more });
    for (const [method, path, status] of [
      ["POST", `${KNOWLEDGE}/search`, 200],
      ["POST", `${KNOWLEDGE}/query`, 200],
      ["GET", KNOWLEDGE, 403],
      ["GET", "/nowhere", 404],
    ] as const) {
      const answer = await call(url, method, path, from(ORIGIN, method === "POST" ? { body: {} } : {}));
      expect(answer.headers.get("access-control-allow-origin"), path).toBe(ORIGIN);
      expect(answer.headers.get("access-control-expose-headers")?.split(", ").sort()).toEqual([
        "etag",
        "idempotent-replayed",
        "retry-after",
        "x-loredex-stale",
        "x-request-id",
      ]);
      expect([answer.status, answer.headers.get("vary")]).toEqual([status, "Origin"]);
      const other = await call(
        url,
        method,
        path,
        from("https://shop.example.com.evil.org", method === "POST" ? { body: {} } : {}),
      );
      expect([corsOf(other), other.headers.get("vary")]).toEqual([[], "Origin"]);
    }
    for (const key of [null, "unknown"]) {
      const answer = await call(url, "GET", KNOWLEDGE, from(ORIGIN, { key }));
      expect([answer.status, corsOf(answer), answer.headers.get("vary")]).toEqual([401, [], null]);
    }
  });
});

it("stands in the log by its name alone", async () => {
  const { url, log } = await serve(engineWith({ name: "site" }));
  await call(url, "GET", KNOWLEDGE);
  await call(url, "GET", KNOWLEDGE, { key: null });
  await expect.poll(() => log.length).toBe(2);
  expect(log.map((event) => ("key" in event ? event.key : undefined))).toEqual(["site", undefined]);
});
