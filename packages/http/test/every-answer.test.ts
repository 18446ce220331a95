import { createServer } from "node:http";
import {
  LoredexError,
  QuotaBytesExceededError,
  QuotaExceededError,
  RateBytesExceededError,
  RateExceededError,
} from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApiHandler } from "../src/handler.ts";
import type { Timeouts } from "../src/options.ts";
import { call } from "./support/client.ts";
import { describedWays, faultsOf, type Way, type WireAnswer, wayOf } from "./support/described.ts";
import { ARTICLE_ID, BOT_NAME, FakeEngine, MISSING_ID } from "./support/fake-engine.ts";
import { rawAnswer } from "./support/raw-answer.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

/** What of the description is asked for: one operation, and one way in which it is to answer. */
interface Case {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly body: object | undefined;
}

const BODIES: Readonly<Record<string, object>> = {
  "/api/v1/knowledge/search": { query: "refunds" },
  "/api/v1/knowledge/query": { query: "refunds" },
  "/api/v1/knowledge/suggest": { prefix: "ref" },
  "/api/v1/knowledge/feedback": { requestId: "a", helpful: true },
  "/api/v1/retrieval": { knowledge_id: BOT_NAME, query: "refunds", retrieval_setting: { top_k: 2 } },
  "/api/v1/knowledge/batch": { operations: [{ op: "delete", id: ARTICLE_ID }] },
};
const BODY_BYTES_MAX = 1_024;
/** In milliseconds. */
const SOON = 20;

type Ask = (asked: Case) => Promise<WireAnswer>;

const send = async (
  { method, target, body }: Case,
  engine: FakeEngine,
  more: { key?: string | null; headers?: Record<string, string>; body?: unknown; docs?: boolean } = {},
): Promise<WireAnswer> => {
  const { docs = true } = more;
  const { url } = await serve(engine, { docs, bodyBytesMax: BODY_BYTES_MAX, timeouts: { openMs: SOON } });
  return call(url, method, target, { ...(body === undefined ? {} : { body }), ...more });
};

/** Sends bytes, and takes what comes until the connection ends. */
const sendBytes = async (bytes: string, timeouts: Timeouts = {}): Promise<WireAnswer> => {
  const { port } = await serve(new FakeEngine(), { timeouts });
  const client = new RawClient(port);
  client.send(bytes);
  return rawAnswer(await client.ended());
};

/** The engine refuses, whatever it is asked. */
const refused =
  (error: Error): Ask =>
  (asked) => {
    const engine = new FakeEngine();
    engine.bot1.failure = error;
    // What is looked up without being worked on is not to be had either, and a batch answers for its parts alone.
    if (asked.method === "GET") {
      engine.bot1.getArticle = () => Promise.reject(error);
      engine.bot1.articlePage = () => Promise.reject(error);
    }
    if (asked.path.endsWith("/batch")) engine.failure = error;
    return send(asked, engine);
  };
const refusedAs = (...[code]: [ConstructorParameters<typeof LoredexError>[0]]) => refused(new LoredexError(code, "no"));

/** How an answer with a status, and a code where it has one, is brought about. */
const WAYS: Readonly<Record<string, Ask>> = {
  "200": (each) => send(each, new FakeEngine()),
  "304": (each) => send(each, new FakeEngine(), { headers: { "if-none-match": "*" } }),
  "400 1001": ({ method, target }) => sendBytes(wire(method, target, { host: "a b", connection: "close" })),
  "400 40000": (each) => send(each, new FakeEngine(), { body: {} }),
  "401 10001": (each) => send(each, new FakeEngine(), { key: null }),
  "403 1001": (each) => send(each, new FakeEngine(), { key: null }),
  "403 1002": (each) => send(each, new FakeEngine(), { key: "unknown" }),
  "403 10002": (each) => {
    const engine = new FakeEngine();
    engine.key = { ...engine.key, scope: "search" };
    return send(each, engine);
  },
  "404 2001": (each) => send(each, new FakeEngine(), { body: { ...each.body, knowledge_id: "other" } }),
  "404 20001": (each) => refusedAs("ARTICLE_NOT_FOUND")({ ...each, target: each.path.replace("{id}", MISSING_ID) }),
  "404 20008": refusedAs("QUESTION_NOT_FOUND"),
  "408 40003": ({ method, target }) =>
    sendBytes(`${method} ${target} HTTP/1.1\r\nhost: a\r\n`, { headersMs: SOON, requestMs: 2 * SOON }),
  "409 20005": refusedAs("IDEMPOTENCY_KEY_REUSED"),
  "412 20004": refusedAs("ARTICLE_CHANGED"),
  "413 40001": (each) => send(each, new FakeEngine(), { body: { much: "x".repeat(BODY_BYTES_MAX) } }),
  "415 40002": (each) => send(each, new FakeEngine(), { headers: { "content-type": "text/plain" } }),
  "422 30002": refused(new QuotaBytesExceededError(1, 2, 3)),
  "429 4291": refused(new RateBytesExceededError(1, 2, 3_000)),
  "422 30001": refused(new QuotaExceededError(1, 2, 3)),
  "429 wait": refused(new RateExceededError(1, 2, 3_000)),
  "429 never": refused(new RateExceededError(3, 2, undefined)),
  "429 4290": (each) => {
    const engine = new FakeEngine();
    engine.waitMs = 3_000;
    return send(each, engine);
  },
  "431 40004": ({ method, target }) => sendBytes(wire(method, target, { "x-much": "x".repeat(20_000) })),
  "500 50000": refused(new TypeError("broken")),
  "503 50001": refusedAs("CLOSED"),
  "503 50002": refusedAs("READ_ONLY"),
  "503 50004": refusedAs("CORRUPT"),
  "503 50005": (each) => {
    const engine = new FakeEngine();
    engine.gate = new Promise(() => {});
    return send(each, engine);
  },
  "503 50006": refusedAs("UNREACHABLE"),
  "503 50007": refusedAs("OUT_OF_MEMORY"),
  "507 50003": refusedAs("DISK_FULL"),
};

/** What the server says of itself. */
const OF_THE_SERVER: Readonly<Record<string, Ask>> = {
  "503 50001": async ({ method, target }) => {
    const handler = createApiHandler(new FakeEngine());
    handler.drain();
    const server = createServer(handler).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no address");
    return call(`http://127.0.0.1:${address.port}`, method, target, { key: null });
  },
  "503 50002": (each) => {
    const engine = new FakeEngine();
    engine.state = { canWrite: false, faults: [{ id: "id1", kind: "readOnly" }] };
    return send(each, engine);
  },
  "503 50006": (each) => {
    const engine = new FakeEngine();
    engine.state = { ...engine.state, unreachable: { answersSearches: false } };
    return send(each, engine);
  },
};

/** A page that the operator has switched off. */
const OF_THE_PAGE: Readonly<Record<string, Ask>> = {
  "401 10001": (each) => send(each, new FakeEngine(), { docs: false, key: null }),
  "404 20002": (each) => send(each, new FakeEngine(), { docs: false }),
};

function special(path: string): Readonly<Record<string, Ask>> {
  if (path === "/ready") return OF_THE_SERVER;
  return path.startsWith("/docs") ? OF_THE_PAGE : {};
}

const WAYS_BY_OPERATION = new Map<string, Way[]>();
for (const way of describedWays()) {
  // admin/every-answer.test.ts has these.
  if (way.includes(" /api/v1/admin/")) continue;
  const operation = way.split(" ").slice(0, 2).join(" ");
  WAYS_BY_OPERATION.set(operation, [...(WAYS_BY_OPERATION.get(operation) ?? []), way]);
}

describe("every answer that the description has is given", () => {
  it.each([...WAYS_BY_OPERATION])("by %s", async (operation, ways) => {
    const [method = "", path = ""] = operation.split(" ");
    const takesBody = method === "POST" || method === "PUT";
    const each: Case = {
      method,
      path,
      target: path.replace("{id}", ARTICLE_ID).replace("{file}", "start.js"),
      body: takesBody ? (BODIES[path] ?? { title: "abc", body: "x" }) : undefined,
    };
    expect(ways).toContain(`${operation} 200`);
    for (const way of ways) {
      const end = way.slice(operation.length + 1);
      const ask = special(path)[end] ?? WAYS[end];
      if (ask === undefined) throw new Error(`no test brings about ${way}`);
      const answer = await ask(each);
      expect(faultsOf(method, each.target, answer)).toEqual([]);
      expect(wayOf(method, each.target, answer)).toBe(way);
    }
  });
});
