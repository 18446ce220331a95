import {
  LoredexError,
  QuotaBytesExceededError,
  QuotaExceededError,
  RateBytesExceededError,
  RateExceededError,
} from "@loredex/core";
import { describe, expect, it } from "vitest";
import { HttpError, type HttpErrorCode } from "../../src/errors.ts";
import { type Answer, type Call, call } from "../support/client.ts";
import { describedWays, faultsOf, type Way, type WireAnswer, wayOf } from "../support/described.ts";
import { FakeAdmin, OTHER_KEY, READ_KEY } from "../support/fake-admin.ts";
import { FakeEngine, MISSING_ID } from "../support/fake-engine.ts";
import { rawAnswer } from "../support/raw-answer.ts";
import { RawClient, wire } from "../support/raw-client.ts";
import { serve } from "../support/server.ts";
import { type AdminCase, ask, EVERY_OPERATION } from "./ask.ts";

type Ask = (asked: AdminCase) => Promise<WireAnswer>;

const BODY_BYTES_MAX = 1_024;
const SOON = 20;
const isOfSession = ({ path }: AdminCase): boolean => path.endsWith("/session");

/** Sends a request to a server whose admin may fail. The own session is asked for with a cookie. */
async function send(
  each: AdminCase,
  { failure, ...more }: Call & { readonly failure?: unknown } = {},
): Promise<Answer> {
  const admin = new FakeAdmin();
  const { url } = await serve(new FakeEngine(), { admin, bodyBytesMax: BODY_BYTES_MAX });
  if (!isOfSession(each) || each.method === "POST") {
    fail(admin, failure);
    return ask(url, each, more);
  }
  const { token, csrfToken } = await admin.administration.openSession("ann");
  fail(admin, failure);
  const good = { cookie: `loredex_session=${token}`, "x-csrf-token": csrfToken, origin: url };
  return ask(url, each, { key: null, ...more, headers: { ...good, ...more.headers } });
}

/** Makes everything fail but the check of the key. */
function fail(admin: FakeAdmin, failure: unknown): void {
  if (failure === undefined) return;
  admin.failure = failure;
  admin.fakeBot.failure = failure;
  const failing = () => Promise.reject(failure);
  admin.fakeBot.getArticle = failing;
  admin.fakeBot.articlePage = failing;
  Object.assign(admin.administration, { session: failing, openSession: failing, changes: failing });
  admin.liveBots = failing;
  Object.assign(admin, { files: undefined });
}

const refused =
  (failure: unknown): Ask =>
  (each) =>
    send(each, { failure });
const refusedAs = (code: ConstructorParameters<typeof LoredexError>[0]): Ask => refused(new LoredexError(code, "no"));
const refusedBy = (code: HttpErrorCode): Ask => refused(new HttpError(code));

/** Sends bytes, and takes what comes until the connection ends. */
async function sendBytes(bytes: string, timeouts = {}): Promise<WireAnswer> {
  const { port } = await serve(new FakeEngine(), { admin: new FakeAdmin(), timeouts });
  const client = new RawClient(port);
  client.send(bytes);
  return rawAnswer(await client.ended());
}

/** A request whose id is nowhere. */
const elsewhere = (each: AdminCase, id: string): AdminCase => ({ ...each, target: each.target.replace(/[^/]+$/, id) });

/** How an answer with a status, and a code where it has one, is brought about. */
const WAYS: Readonly<Record<string, Ask>> = {
  "200": (each) => send(each),
  "202": (each) => send(each),
  "304": (each) => send(each, { headers: { "if-none-match": "*" } }),
  "400 1001": ({ method, target }) => sendBytes(wire(method, target, { host: "a b", connection: "close" })),
  "401 10001": async (each) => {
    const { url } = await serve(new FakeEngine(), { admin: new FakeAdmin() });
    return ask(url, isOfSession(each) && each.method === "POST" ? { ...each, body: { key: "wrong" } } : each, {
      key: null,
    });
  },
  "403 10003": (each) => send(each, { key: READ_KEY }),
  "403 10004": async (each) => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    const { token } = await admin.administration.openSession("ann");
    const headers = { cookie: `loredex_session=${token}`, origin: "https://evil.example" };
    return ask(url, each, { key: null, headers });
  },
  "404 20001": (each) => {
    const isPreview = each.path.endsWith("/preview");
    return isPreview ? refusedAs("ARTICLE_NOT_FOUND")(each) : send(elsewhere(each, MISSING_ID));
  },
  "404 20002": async (each) => {
    const { url } = await serve(new FakeEngine());
    return call(url, each.method, each.target, { ...(each.body === undefined ? {} : { body: each.body }) });
  },
  "404 20007": (each) => send(each, { key: OTHER_KEY }),
  "404 20011": (each) =>
    each.method === "GET" ? send(elsewhere(each, MISSING_ID)) : refusedAs("DOCUMENT_NOT_FOUND")(each),
  "404 20012": refusedAs("SOURCE_NOT_FOUND"),
  "404 20013": refusedAs("REGISTRATION_NOT_FOUND"),
  "404 20014": refusedAs("KEY_NOT_FOUND"),
  "404 20015": (each) => send(elsewhere(each, "none")),
  "404 20016": (each) => send(elsewhere(each, "none")),
  "408 40003": ({ method, target }) =>
    sendBytes(`${method} ${target} HTTP/1.1\r\nhost: a\r\n`, { headersMs: SOON, requestMs: 2 * SOON }),
  "409 20005": refusedAs("IDEMPOTENCY_KEY_REUSED"),
  "409 20017": refusedAs("BOT_EXISTS"),
  "409 20018": refusedAs("KEY_EXISTS"),
  "412 20004": refusedAs("ARTICLE_CHANGED"),
  "412 20019": refusedAs("CONTENT_CHANGED"),
  "413 40001": (each) =>
    each.body === undefined
      ? refusedBy("BODY_TOO_LARGE")(each)
      : send(each, { body: { much: "x".repeat(BODY_BYTES_MAX) } }),
  "415 40002": (each) =>
    each.body === undefined
      ? refusedBy("UNSUPPORTED_MEDIA_TYPE")(each)
      : send(each, { headers: { "content-type": "text/plain" } }),
  "422 30001": refused(new QuotaExceededError(1, 2, 3)),
  "422 30002": refused(new QuotaBytesExceededError(1, 2, 3)),
  "429 4291": refused(new RateBytesExceededError(1, 2, 3_000)),
  "429 4292": async (each) => {
    const admin = new FakeAdmin();
    admin.waitMs = 1_000;
    const { url } = await serve(new FakeEngine(), { admin });
    return ask(url, each);
  },
  "429 wait": refused(new RateExceededError(1, 2, 3_000)),
  "429 never": refused(new RateExceededError(3, 2, undefined)),
  "431 40004": ({ method, target }) => sendBytes(wire(method, target, { "x-much": "x".repeat(20_000) })),
  "500 50000": refused(new TypeError("broken")),
  "503 50001": refusedAs("CLOSED"),
  "503 50002": refusedAs("READ_ONLY"),
  "503 50004": refusedAs("BOT_INACCESSIBLE"),
  "503 50005": refusedBy("RECOVERING"),
  "503 50006": refusedAs("UNREACHABLE"),
  "503 50007": refusedAs("OUT_OF_MEMORY"),
  "507 50003": refusedAs("DISK_FULL"),
};

const DESCRIBED = describedWays().filter((way) => way.includes(" /api/v1/admin/"));

describe("every answer of the admin API that the description has is given", () => {
  it.each(EVERY_OPERATION.map((each) => [`${each.method} ${each.path}`, each] as const))(
    "by %s",
    async (_name, each) => {
      const operation = `${each.method} ${each.path.replace(/:(\w+)/g, "{$1}")}`;
      const ways: readonly Way[] = DESCRIBED.filter((way) => way.startsWith(`${operation} `));
      expect(ways.length).toBeGreaterThan(10);
      // An answer of events has no end, and its failures are told by comments: streams.test.ts has it.
      if (each.path.endsWith("/events")) return;
      for (const way of ways) {
        const end = way.slice(operation.length + 1);
        const asked = WAYS[end];
        if (asked === undefined) throw new Error(`no test brings about ${way}`);
        const answer = await asked(each);
        expect(faultsOf(each.method, each.target, answer)).toEqual([]);
        expect(wayOf(each.method, each.target, answer)).toBe(way);
      }
    },
  );
});
