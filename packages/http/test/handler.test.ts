import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import express, { type RequestHandler } from "express";
import express4 from "express-4";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiHandlerOptions, createApiHandler } from "../src/handler.ts";
import type { HttpLogEvent } from "../src/log.ts";
import { type Answer, call, codeOf } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { ARTICLE_ID, FakeEngine, gate } from "./support/fake-engine.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const SEARCH = `${KNOWLEDGE}/search`;
const QUERY = { query: "reset  “key” \u{1f511}" };
const outcome = (answer: Answer) => [answer.status, codeOf(answer)];

/** An engine with a handler on it and what the handler tells. */
function made(options: ApiHandlerOptions = {}) {
  const engine = new FakeEngine();
  const log: HttpLogEvent[] = [];
  const handler = createApiHandler(engine, { logger: (event) => log.push(event), ...options });
  return { engine, log, handler };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return `http://127.0.0.1:${address.port}`;
}

const served = (listener: RequestListener) => listening(createServer(listener));

type Handler = ReturnType<typeof createApiHandler>;
/** What reads the body of a request before the handler sees it. */
type Parser = "json" | "text" | "raw";

/** Both versions of Express have the same surface, as far as it is used here. */
function expressApp(make: typeof express, { handler, path, parser }: Mounted): Promise<string> {
  const app = make();
  const type = "application/json";
  const parsers: Record<Parser, () => RequestHandler> = {
    json: () => make.json(),
    text: () => make.text({ type }),
    raw: () => make.raw({ type }),
  };
  if (parser !== undefined) app.use(parsers[parser]());
  app.get("/own", (_request, response) => {
    response.send("the app's");
  });
  app.use(path, handler);
  return served(app);
}

interface Mounted {
  readonly handler: Handler;
  readonly path: string;
  readonly parser?: Parser;
}

async function fastifyApp({ handler, path, parser }: Mounted): Promise<string> {
  const app = Fastify();
  app.get("/own", () => "the app's");
  app.register((scope, _options, done) => {
    if (parser === undefined) {
      // The handler reads bodies itself.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    }
    scope.all(`${path}/*`, (request, reply) => {
      reply.hijack();
      handler(Object.assign(request.raw, parser === undefined ? {} : { body: request.body }), reply.raw);
    });
    done();
  });
  await app.ready();
  onTestFinished(() => app.close());
  return served((request, response) => app.routing(request, response));
}

const frameworks = {
  "node:http": (mounted: Mounted) => served((request, response) => mounted.handler(request, response)),
  "Express 5": (mounted: Mounted) => expressApp(express, mounted),
  "Express 4": (mounted: Mounted) => expressApp(express4, mounted),
  Fastify: fastifyApp,
} as const;

/** Express takes the path off by itself. */
const prefixFor = (name: string, path: string): ApiHandlerOptions =>
  name.startsWith("Express") ? {} : { prefix: path };

describe.each(Object.entries(frameworks))("in %s", (name, mount) => {
  it("answers under a path as the server does", async () => {
    const { engine, handler, log } = made(prefixFor(name, "/kb"));
    const url = `${await mount({ handler, path: "/kb" })}/kb`;
    expect((await call(url, "POST", SEARCH, { body: QUERY })).status).toBe(200);
    expect(engine.bot1.calls).toEqual([{ method: "answerRequest", values: [QUERY] }]);
    expect((await call(url, "POST", KNOWLEDGE, { body: { title: "Abc", body: "d" } })).status).toBe(200);
    expect((await call(url, "GET", `${KNOWLEDGE}?title=a%20b`)).status).toBe(200);
    expect(engine.bot1.calls.at(-1)).toEqual({ method: "articlePage", values: [{ title: "a b" }] });
    expect((await call(url, "DELETE", `${KNOWLEDGE}/${ARTICLE_ID}`)).status).toBe(200);
    expect((await call(url, "GET", "/ready", { key: null })).status).toBe(200);
    expect(outcome(await call(url, "POST", SEARCH, { body: "{" }))).toEqual([400, undefined]);
    expect(outcome(await call(url, "GET", KNOWLEDGE, { key: "other" }))).toEqual([401, 10001]);
    expect(log.map((event) => event.event === "request" && event.route)).toContain(SEARCH);
  });

  it("leaves other paths to the app", async () => {
    const { handler } = made(prefixFor(name, "/kb"));
    const url = await mount({ handler, path: "/kb" });
    const answer = await fetch(`${url}${SEARCH}`, { method: "POST", body: "{}" });
    // What nobody answers is a 404 of whoever stands last: only under node:http that is the handler, for want of a key.
    expect(answer.status).toBe(name === "node:http" ? 401 : 404);
    if (name !== "node:http") expect(await (await fetch(`${url}/own`)).text()).toBe("the app's");
  });
});

const parsed = (["Express 5", "Express 4"] as const).flatMap((name) =>
  (["json", "text", "raw"] as const).map((parser) => [name, parser] as const),
);

it.each([...parsed, ["Fastify", "json"] as const])("takes what a parser of %s has left: %s", async (name, parser) => {
  const { engine, handler } = made({ bodyBytesMax: 1_024, ...prefixFor(name, "/kb") });
  const url = `${await frameworks[name]({ handler, path: "/kb", parser })}/kb`;
  expect((await call(url, "POST", SEARCH, { body: QUERY })).status).toBe(200);
  expect(engine.bot1.calls).toEqual([{ method: "answerRequest", values: [QUERY] }]);
  const long = { query: "x".repeat(1_024) };
  expect(outcome(await call(url, "POST", SEARCH, { body: long }))).toEqual([413, 40001]);
  // What the parser does not read is read by the handler.
  const other = { body: QUERY, headers: { "content-type": "application/x-other" } };
  if (name !== "Fastify") expect(outcome(await call(url, "POST", SEARCH, other))).toEqual([415, 40002]);
  expect((await call(url, "GET", KNOWLEDGE)).status).toBe(200);
});

it.each(parsed.filter(([, parser]) => parser === "json"))(
  "refuses a body that %s has read and that is nested too deep",
  async (name, parser) => {
    const { log, handler } = made(prefixFor(name, "/kb"));
    const url = `${await frameworks[name]({ handler, path: "/kb", parser })}/kb`;
    // As far as Express reads by itself.
    const deep = `{"query":${"[".repeat(45_000)}${"]".repeat(45_000)}}`;
    const answer = await call(url, "POST", SEARCH, { body: deep });
    expect(answer.status).toBe(400);
    await eventually(() => log.map(({ event, level }) => [event, level])).toEqual([["request", "info"]]);
  },
);

it("says what is wrong where the body was read and nothing is left of it", async () => {
  const { handler, log } = made();
  const url = await served((request, response) => {
    request.resume().on("end", () => handler(request, response));
  });
  expect(outcome(await call(url, "POST", SEARCH, { body: QUERY }))).toEqual([500, 50000]);
  expect(log[0]).toMatchObject({
    event: "requestFailed",
    error: { message: expect.stringMatching(/was read before/) },
  });
});

it("passes on what is none of the API's paths, and nothing else, where it is given the next", async () => {
  const { handler } = made();
  const passed: (string | undefined)[] = [];
  const url = await served((request: IncomingMessage, response: ServerResponse) =>
    handler(request, response, () => {
      passed.push(request.url);
      response.end("the app's");
    }),
  );
  expect(await (await fetch(`${url}/shop?x=1`)).text()).toBe("the app's");
  expect((await call(url, "GET", KNOWLEDGE, { key: null })).status).toBe(401);
  expect((await call(url, "PATCH", KNOWLEDGE)).status).toBe(405);
  expect(passed).toEqual(["/shop?x=1"]);
});

it("keeps the limits that concern requests", async () => {
  const { engine, handler } = made({ bodyBytesMax: 1_024, requestsMax: 1, timeouts: { searchMs: 15_000 } });
  const url = await served(handler);
  const { opened, open } = gate();
  engine.bot1.gate = opened;
  expect(outcome(await call(url, "POST", SEARCH, { body: { query: "x".repeat(1_024) } }))).toEqual([413, 40001]);
  const begun = call(url, "POST", SEARCH, { body: { query: "x" } });
  await eventually(() => engine.bot1.calls.length).toBe(1);
  expect(outcome(await call(url, "GET", KNOWLEDGE))).toEqual([503, 50001]);
  open();
  expect((await begun).status).toBe(200);
});

it("is not ready any more when its app is about to close, and has its connections end", async () => {
  const { handler } = made();
  const url = await served(handler);
  handler.drain();
  const answer = await call(url, "GET", "/ready", { key: null });
  expect([...outcome(answer), answer.headers.get("connection")]).toEqual([503, 50001, "close"]);
  const other = await call(url, "GET", KNOWLEDGE);
  expect([other.status, other.headers.get("connection")]).toEqual([200, "close"]);
});

it.each(["kb", "/kb?x", "/k b", "//kb", "https://kb"])("refuses the prefix %s", (prefix) => {
  expect(() => made({ prefix })).toThrow(RangeError);
});

it.each(["/kb", "/kb/"])("takes the prefix %s off whole segments alone", async (prefix) => {
  const { handler } = made({ prefix });
  const url = await served(handler);
  expect((await call(`${url}/kb`, "GET", "/health", { key: null })).status).toBe(200);
  expect((await call(url, "GET", "/kbx/health", { key: null })).status).toBe(401);
  expect((await fetch(`${url}/health`)).status).toBe(401);
});
