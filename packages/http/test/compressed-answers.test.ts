import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { ValidationError } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApiHandler } from "../src/handler.ts";
import { article, FakeEngine, KEY, searchResult } from "./support/fake-engine.ts";
import { wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const BROWSER = "gzip, deflate, br, zstd";

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly accept?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Came {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire. */
  readonly bytes: Buffer;
}

/** Asks as `fetch` does, and leaves the answer as it came. */
function ask(url: string, { method = "GET", path = KNOWLEDGE, accept, body, headers }: Asked = {}): Promise<Came> {
  const coding = accept === undefined ? {} : { "accept-encoding": accept };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const asked = { method, agent: false, headers: { "x-api-key": KEY, ...coding, ...type, ...headers } };
    request(`${url}${path}`, asked, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject).on("end", () => {
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(pieces) });
      });
    })
      .on("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const textOf = ({ headers, bytes }: Came): string => {
  if (headers["content-encoding"] === "br") return String(brotliDecompressSync(bytes));
  return String(headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes);
};

/** An engine with so many articles, and results, of two kilobytes each. */
function engineWith(count: number): FakeEngine {
  const engine = new FakeEngine();
  const body = "A refund takes three working days. ".repeat(60);
  engine.bot1.articles = Array.from({ length: count }, () => article({ body }));
  engine.bot1.results = Array.from({ length: count }, () => searchResult({ metaData: { title: body } }));
  return engine;
}

describe.each([
  ["one piece", 1],
  ["many pieces", 200],
])("an answer of %s", (_what, count) => {
  it("comes as its client wants it, and is the same", async () => {
    const { url } = await serve(engineWith(count));
    const plain = await ask(url);
    expect([plain.status, plain.headers["content-encoding"], plain.headers.vary]).toEqual([
      200,
      undefined,
      "Accept-Encoding",
    ]);
    for (const [accept, coding] of [
      [BROWSER, "br"],
      ["gzip, deflate", "gzip"],
      ["br;q=0.1, gzip;q=0.2", "gzip"],
    ] as const) {
      const came = await ask(url, { accept });
      expect([came.status, came.headers["content-encoding"], came.headers.vary]).toEqual([
        200,
        coding,
        "Accept-Encoding",
      ]);
      expect(textOf(came)).toBe(plain.bytes.toString());
      expect(came.bytes.length).toBeLessThan(plain.bytes.length / 4);
      const isWhole = came.headers["content-length"] !== undefined;
      if (isWhole) expect(came.headers["content-length"]).toBe(String(came.bytes.length));
      expect(isWhole).toBe(count === 1);
    }
    const search = { method: "POST", path: `${KNOWLEDGE}/search`, body: { query: "refunds" } };
    const found = await ask(url, { ...search, accept: BROWSER });
    expect(found.headers["content-encoding"]).toBe("br");
    expect(textOf(found)).toBe(String((await ask(url, search)).bytes));
  });

  it("has to HEAD the headers that it has to GET, but for a length that nobody has made", async () => {
    const { url } = await serve(engineWith(count));
    const [get, head] = [await ask(url, { accept: "gzip" }), await ask(url, { method: "HEAD", accept: "gzip" })];
    expect(head.bytes.length).toBe(0);
    for (const name of ["content-encoding", "vary", "content-type"]) expect(head.headers[name]).toBe(get.headers[name]);
    expect(head.headers["content-length"]).toBeUndefined();
  });
});

it("stays as it is where it is short, a refusal, or has an ETag", async () => {
  const engine = engineWith(1);
  const { url } = await serve(engine);
  const one = await ask(url, { path: `${KNOWLEDGE}/${article().id}`, accept: BROWSER });
  expect([one.status, one.headers["content-encoding"], one.headers.vary]).toEqual([200, undefined, undefined]);
  expect(one.headers.etag).toMatch(/^"/);
  const same = await ask(url, {
    path: `${KNOWLEDGE}/${article().id}`,
    accept: BROWSER,
    headers: { "if-none-match": one.headers.etag ?? "" },
  });
  expect([same.status, same.headers.etag]).toEqual([304, one.headers.etag]);
  const violations = Array.from({ length: 100 }, (_, i) => ({ message: "is not known", field: `key${i}`, type: "x" }));
  engine.bot1.failure = new ValidationError(violations);
  const search = { method: "POST", path: `${KNOWLEDGE}/search`, body: { query: "refunds" } };
  const refused = await ask(url, { ...search, accept: BROWSER });
  expect([refused.status, refused.headers["content-encoding"]]).toEqual([400, undefined]);
  expect(refused.bytes.length).toBeGreaterThan(1_024);
  const health = await ask(url, { path: "/health", accept: BROWSER });
  expect(health.headers["content-encoding"]).toBeUndefined();
});

it("says both of what it depends on where a key lists origins", async () => {
  const engine = engineWith(1);
  engine.key = { ...engine.key, origins: ["https://a.example"] };
  const { url } = await serve(engine);
  const came = await ask(url, { accept: "gzip", headers: { origin: "https://a.example" } });
  expect([came.headers.vary, came.headers["access-control-allow-origin"]]).toEqual([
    "Origin, Accept-Encoding",
    "https://a.example",
  ]);
});

it("stays as it is where nothing is to be compressed", async () => {
  const { url } = await serve(engineWith(1), { compression: false });
  const came = await ask(url, { accept: BROWSER });
  expect([came.headers["content-encoding"], came.headers.vary]).toEqual([undefined, undefined]);
});

it("is cut off, and others are answered, where readers who do not read hold too much", async () => {
  // What cannot be made small: all of them stand still, long before the end.
  const engine = engineWith(0);
  engine.bot1.articles = Array.from({ length: 4_000 }, () => article({ body: randomBytes(4_000).toString("base64") }));
  const { url } = await serve(engine, { unsentBytesMax: 2_000_000 });
  const readers = Array.from({ length: 12 }, () => {
    const asked = { agent: false, headers: { "x-api-key": KEY, "accept-encoding": "gzip" } };
    return new Promise((resolve) => {
      const client = request(`${url}${KNOWLEDGE}`, asked, (response) => response.on("close", resolve));
      client.on("error", resolve).end();
      onTestFinished(() => void client.destroy());
    });
  });
  // Each holds a quarter of a megabyte for its compression alone, before it has anything to send.
  await Promise.race(readers);
  expect(textOf(await ask(url, { path: "/ready" }))).toContain("ready");
});

it("is made for others after many clients have reset their connections before it came", async () => {
  const engine = engineWith(0);
  engine.bot1.articles = [article({ body: randomBytes(45_000).toString("base64") })];
  const { url, port } = await serve(engine, { botRequestsMax: 64 });
  const asking = wire("GET", KNOWLEDGE, { "x-api-key": KEY, "accept-encoding": "gzip" });
  for (let round = 0; round < 5; round++) {
    const clients = Array.from({ length: 60 }, () => connect({ port, host: "127.0.0.1" }));
    const ended = clients.map((client) => once(client, "close"));
    for (const client of clients) client.on("error", () => undefined).write(asking);
    // The first answers have come: others wait for their turn to be compressed.
    await Promise.race(clients.map((client) => once(client, "data")));
    for (const client of clients) client.resetAndDestroy();
    await Promise.all(ended);
  }
  expect((await ask(url, { accept: "gzip" })).headers["content-encoding"]).toBe("gzip");
});

describe("in an app's own server", () => {
  async function app(options: { compression?: boolean }, own: Record<string, string> = {}): Promise<string> {
    const handler = createApiHandler(engineWith(1), options);
    const server = createServer((asked, response) => {
      for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
      handler(asked, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  it("is left to the app, unless it says otherwise, and never done where the app has chosen a coding", async () => {
    const codingAt = async (url: Promise<string>) =>
      (await ask(await url, { accept: "br" })).headers["content-encoding"];
    expect(await codingAt(app({}))).toBeUndefined();
    expect(await codingAt(app({ compression: true }))).toBe("br");
    expect(await codingAt(app({ compression: true }, { "content-encoding": "identity" }))).toBe("identity");
  });
});
