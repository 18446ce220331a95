import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { LoredexClient, LoredexError } from "../src/index.ts";
import { all, scripted, thrownBy } from "./service.ts";

const NEW = { title: "Title", body: "Body" };

/** The address of a server that answers so. */
async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const CALLS: readonly (readonly [string, (client: LoredexClient) => Promise<unknown>])[] = [
  ["GET", (client) => client.getArticle("a")],
  ["GET of a page", (client) => client.getArticlesPage()],
  ["POST", (client) => client.search("a")],
  ["POST of an article", (client) => client.createArticle(NEW)],
  ["POST of a batch of one", (client) => client.upsertArticle({ ...NEW, metadata: { id: 1 } }, { by: "id" })],
  ["PUT", (client) => client.updateArticle("a", { title: "New" })],
  ["DELETE", (client) => client.deleteArticle("a")],
];

describe("an answer that sends to another address", () => {
  it.each(CALLS)("is refused, and the key goes nowhere else: %s", async (_, call) => {
    const keys: unknown[] = [];
    const stranger = await served((request, response) => {
      keys.push(request.headers["x-api-key"]);
      response.setHeader("content-type", "application/json").end("[]");
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const asked: string[] = [];
      const url = await served((request, response) => {
        asked.push(`${request.method}`);
        response.writeHead(status, { location: `${stranger}/other/place?token=secret` }).end();
      });
      const waits: number[] = [];
      const client = new LoredexClient({ baseUrl: url, key: "k", onWait: (seconds) => waits.push(seconds) });
      expect(await thrownBy(call(client))).toMatchObject({
        ...{ name: "LoredexError", status, isFinal: true },
        message: `${url}/api/v1/knowledge redirects to ${stranger}/other/place. Loredex never redirects, and the key was sent nowhere else: give the server's own address as baseUrl.`,
      });
      expect([asked.length, waits]).toEqual([1, []]);
    }
    expect(keys).toEqual([]);
  });

  it("is refused where a browser hides it, and where the given fetch has followed it", async () => {
    const hidden = new Response(null, { status: 200 });
    Object.defineProperties(hidden, { type: { value: "opaqueredirect" }, status: { value: 0 } });
    const followed = new Response("[]", { headers: { "content-type": "application/json" } });
    Object.defineProperties(followed, { redirected: { value: true }, url: { value: "http://b.test/x?y#z" } });
    for (const [answer, to] of [
      [hidden, "another address"],
      [followed, "http://b.test/x"],
    ] as const) {
      const { client, waited } = scripted([() => answer]);
      const error = await thrownBy(client.search("a"));
      expect(error).toMatchObject({ name: "LoredexError", message: expect.stringContaining(`redirects to ${to}.`) });
      expect(error).toMatchObject({
        message: expect.stringContaining(to === "another address" ? "sent nowhere else" : "may have been sent there"),
      });
      expect(waited).toEqual([]);
    }
  });

  it.each(["", "http://", "data:text/plain,x", "//\u0000", "javascript:alert(1)"])(
    "is refused wherever that is: %j",
    async (location) => {
      const answer = new Response(null, { status: 302 });
      Object.defineProperty(answer, "headers", { value: { get: () => location } });
      const { client } = scripted([() => answer]);
      expect(await thrownBy(client.search("a"))).toMatchObject({ status: 302, isFinal: true });
    },
  );
});

describe("an answer that is too long", () => {
  it.each(["plain", "packed"])("is given up where it is, and its connection is closed: %s", async (how) => {
    const packed = gzipSync(Buffer.alloc(8_000_000, " "));
    const closed: boolean[] = [];
    const url = await served((_, response) => {
      response.on("close", () => closed.push(response.writableEnded));
      response.writeHead(200, {
        "content-type": "application/json",
        ...(how === "packed" && { "content-encoding": "gzip" }),
      });
      if (how === "packed") return void response.write(packed);
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(10_000)));
      };
      response.on("drain", more);
      more();
    });
    const waits: number[] = [];
    const client = new LoredexClient({
      ...{ baseUrl: url, key: "k", answerBytesMax: 100_000 },
      onWait: (seconds) => waits.push(seconds),
    });
    expect(await thrownBy(client.search("a"))).toMatchObject({
      ...{ name: "LoredexError", status: 200, isTooLong: true, isFinal: true },
      message: expect.stringContaining("longer than 100000 bytes"),
    });
    await expect.poll(() => closed).toEqual([false]);
    expect(waits).toEqual([]);
  });

  it("also where it is an error's, and of as many bytes as may be it is none", async () => {
    const text = JSON.stringify([{ resourceDocId: "ä€😀" }]);
    const bytes = new TextEncoder().encode(text).length;
    const answer = (status: number) => new Response(text, { status, headers: { "content-type": "text/plain" } });
    const whole = scripted([answer(200)], { answerBytesMax: bytes });
    expect(await whole.client.search("a")).toEqual([{ resourceDocId: "ä€😀" }]);
    const long = scripted([answer(200), answer(500)], { answerBytesMax: bytes - 1 });
    for (const status of [200, 500])
      expect(await thrownBy(long.client.search("a"))).toMatchObject({ isTooLong: true, status });
  });

  it("of a list is asked for again with fewer articles, so that none is left out", async () => {
    const sizes = Array.from({ length: 40 }, (_, i) => (i === 17 ? 900 : 50));
    const limits: number[] = [];
    const { client } = scripted(
      Array.from({ length: 60 }, () => (request: Request) => {
        const { searchParams } = new URL(request.url);
        const [from, limit] = [Number(searchParams.get("after") ?? 0), Number(searchParams.get("limit"))];
        limits.push(limit);
        const data = sizes.slice(from, from + limit).map((size, i) => ({ id: `${from + i}`, body: "x".repeat(size) }));
        const next = from + limit < sizes.length ? { next: `${from + limit}` } : {};
        return Response.json({ success: true, data, ...next });
      }),
      { answerBytesMax: 1_000 },
    );
    expect((await all(client.listArticles())).map(({ id }) => id)).toEqual(sizes.map((_, i) => `${i}`));
    expect(limits.slice(0, 4)).toEqual([100, 50, 25, 12]);
    const page = await client.getArticlesPage({}, { after: "17" });
    expect(page).toMatchObject({ articles: [{ id: "17" }], next: "18" });
    const none = scripted([Response.json({ data: ["x".repeat(2_000)] })], { answerBytesMax: 1_000 });
    expect(await thrownBy(none.client.getArticlesPage({}, { limit: 1 }))).toMatchObject({ isTooLong: true });
  });
});

const HARMFUL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/u;
const sign = fc.oneof(
  fc.constantFrom("a", "é", "😀", " ", "\u001b[2J", "\u202e", "\u200f", "\u0085", "\u2028", "\u{e0041}", "\r\n", "\0"),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const said = fc.array(sign, { maxLength: 40 }).map((signs) => signs.join(""));

it("what a server says of an error holds no control characters, wherever it says it", async () => {
  await fc.assert(
    fc.asyncProperty(said, said, fc.constantFrom(400, 404, 422, 429, 500), async (message, field, status) => {
      const result = [{ message, field, type: field }];
      const answers = [
        Response.json({ message, code: 1001, status: 400, data: { result } }, { status }),
        Response.json({ success: false, error: { message, code: 50000, status } }, { status }),
        new Response(message, { status, headers: { "content-type": "text/plain" } }),
        Response.json({ results: [{ status, body: { success: false, error: { message } } }] }),
        new TypeError("fetch failed", { cause: new Error(message) }),
      ];
      for (const answer of answers) {
        const { client } = scripted([answer], { attemptsMax: 1 });
        const error = await thrownBy(client.upsertArticle({ ...NEW, metadata: { id: 1 } }, { by: "id" }));
        if (!(error instanceof LoredexError)) throw error;
        const shown = [error.message, ...error.violations.flatMap(Object.values)];
        for (const text of shown) expect(text).not.toMatch(HARMFUL);
      }
    }),
    { numRuns: lawRuns(400) },
  );
  const { client } = scripted([
    new Response("x".repeat(100_000), { status: 500, headers: { "content-type": "text/plain" } }),
  ]);
  const error = await thrownBy(client.search("a"));
  expect(error instanceof LoredexError && error.message.length).toBe(4_096);
});
