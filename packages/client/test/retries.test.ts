import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { ownService, sharedService } from "../../../test/http/service.ts";
import { makeCertificate } from "../../http/test/support/certificate.ts";
import { LoredexClient, LoredexError } from "../src/index.ts";
import { all, clientOf, scripted, thrownBy } from "./service.ts";

const service = sharedService();
const NEW = { title: "Title", body: "Body" };
const GONE = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
const refused = (status: number, code: number, headers: Record<string, string> = {}) =>
  json({ success: false, error: { message: `refused ${code}`, code, status } }, status, headers);
const written = () => json({ success: true, message: "", data: { id: "a", status: "active" }, characterUsed: 1 });
const limited = (seconds?: string) =>
  new Response("Too many characters", {
    status: 429,
    headers: { "content-type": "text/plain", ...(seconds !== undefined && { "retry-after": seconds }) },
  });

describe("a client that does not trust the server", () => {
  it.each([
    ["its issuer is unknown", {}, /not trusted \(self-signed certificate[^)]*\).*NODE_EXTRA_CA_CERTS/],
    ["it is over", { until: new Date(0) }, /not trusted \(.*(?:self-signed|expired)/],
  ] as const)("says so at once, and what to do: %s", async (_, wanted, message) => {
    const server = createTlsServer(makeCertificate({ names: ["localhost"], ...wanted }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const waits: number[] = [];
    const client = new LoredexClient({
      ...{ baseUrl: `https://localhost:${port}`, key: "k" },
      onWait: (seconds) => waits.push(seconds),
    });
    expect(await thrownBy(client.createArticle(NEW))).toMatchObject({
      ...{ name: "LoredexError", status: undefined, isFinal: true },
      message: expect.stringMatching(message),
    });
    expect(waits).toEqual([]);
  });

  it("has no advice to add a certificate that is for another name", async () => {
    const cause = Object.assign(new Error("Hostname does not match"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    const { client, waited } = scripted([new TypeError("fetch failed", { cause })]);
    const error = await thrownBy(client.search("x"));
    expect(error).toMatchObject({
      message: expect.stringMatching(/^The certificate of http:\/\/a\.test is not trusted/),
    });
    expect(error).not.toMatchObject({ message: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
    expect(waited).toEqual([]);
  });
});

describe("a client that is refused", () => {
  it("waits for the rate of a real server as long as that says, and is charged once", async () => {
    const { client, pace } = await clientOf(service(), { rateCharactersPerMinute: 100 });
    await client.createArticle({ title: "First", body: "b".repeat(90) });
    const { article } = await client.createArticle({ title: "Second", body: "b".repeat(90) });
    expect(pace.waits).toEqual([63_000]);
    expect((await all(client.listArticles())).map(({ id }) => id)).toContain(article.id);
  });

  it("gives up at once, with the server's sentence, where no wait can help", async () => {
    const { client, pace } = await clientOf(service(), { rateCharactersPerMinute: 100 });
    const error = await thrownBy(client.createArticle({ title: "Large", body: "b".repeat(101) }));
    expect(error).toMatchObject({ status: 429, code: undefined, retryAfterSeconds: undefined });
    expect(error instanceof LoredexError && error.message).toMatch(/can never be admitted/);
    expect(pace.waits).toEqual([]);
  });

  it("waits a little longer than it is told, and tells the caller", async () => {
    const { client, pace, waited } = scripted([limited("7"), refused(503, 50001, { "retry-after": "1" }), written()]);
    await client.createArticle(NEW);
    expect(pace.waits).toEqual([7_350, 1_050]);
    expect(waited.map(([seconds, { status }]) => [seconds, status])).toEqual([
      [7.35, 429],
      [1.05, 503],
    ]);
  });

  it("also where the 429 counts requests and is JSON", async () => {
    const { client, pace } = scripted([refused(429, 4290, { "retry-after": "2" }), json([]), refused(429, 4290)]);
    expect(await client.search("a")).toEqual([]);
    expect(pace.waits).toEqual([2_100]);
    expect(await thrownBy(client.search("a"))).toMatchObject({ status: 429, code: 4290, message: "refused 4290" });
  });

  it("does not wait for a 503 that says no time, and for nothing else", async () => {
    for (const [status, code] of [
      [503, 50002],
      [500, 50000],
      [507, 50003],
      [409, 20006],
    ] as const) {
      const { client, requests } = scripted([refused(status, code)]);
      expect(await thrownBy(client.updateArticle("a", {}))).toMatchObject({ status, code });
      expect(requests).toHaveLength(1);
    }
  });

  it("stops after so many attempts, and before it waits for longer than it may", async () => {
    const often = scripted([limited("1"), limited("1"), limited("1")], { attemptsMax: 3 });
    expect(await thrownBy(often.client.createArticle(NEW))).toMatchObject({ retryAfterSeconds: 1 });
    expect(often.requests).toHaveLength(3);
    const long = scripted([limited("60"), limited("60")], { waitSecondsMax: 100 });
    expect(await thrownBy(long.client.createArticle(NEW))).toMatchObject({ retryAfterSeconds: 60 });
    expect(long.pace.waits).toEqual([63_000]);
  });

  it("stops where it is told to, also while it waits", async () => {
    const stop = new AbortController();
    const { client, requests } = scripted([limited("60")], { onWait: () => stop.abort(new Error("enough")) });
    expect(await thrownBy(client.createArticle(NEW, { signal: stop.signal }))).toMatchObject({ message: "enough" });
    expect(requests).toHaveLength(1);
    expect(await thrownBy(client.search("a", { signal: stop.signal }))).toMatchObject({ message: "enough" });
    expect(requests).toHaveLength(1);
  });

  it("stops a request that is under way", async () => {
    const server = createServer(() => stop.abort(new Error("enough")));
    onTestFinished(() => void server.close());
    const stop = new AbortController();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(address !== null && typeof address === "object" ? address.port : 0);
      }),
    );
    const client = new LoredexClient({ baseUrl: `http://127.0.0.1:${port}`, key: "k", attemptsMax: 1 });
    expect(await thrownBy(client.search("a", { signal: stop.signal }))).toMatchObject({ message: "enough" });
    server.closeAllConnections();
  });
});

describe("a client without an answer", () => {
  it("asks again, with pauses that grow, and names why it gave up", async () => {
    const { client, pace } = scripted([GONE, GONE, GONE, GONE], { attemptsMax: 4 });
    const error = await thrownBy(client.search("a"));
    expect(error).toMatchObject({ status: undefined, cause: GONE });
    expect(error instanceof LoredexError && error.message).toBe(
      "No answer came from http://a.test/api/v1/knowledge (connect ECONNREFUSED).",
    );
    expect(pace.waits).toEqual([263, 525, 1_050]);
  });

  it("sends a create again with the same Idempotency-Key, and another one with another", async () => {
    const { client, requests } = scripted([GONE, written(), written()]);
    await client.createArticle(NEW);
    await client.createArticle(NEW);
    const [lost, again, other] = requests.map(({ headers }) => headers.get("idempotency-key"));
    expect(lost).toMatch(/^[0-9a-f]{32}$/);
    expect(again).toBe(lost);
    expect(other).not.toBe(lost);
  });

  it("creates once on a real server, though the first answer is lost", async () => {
    let isLost = false;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init);
      if (isLost) return response;
      isLost = true;
      throw new TypeError("terminated");
    };
    const { client } = await clientOf(service(), {}, { fetch });
    const { article, characterUsed } = await client.createArticle(NEW);
    expect(characterUsed).toBe(article.characterCount);
    expect(await all(client.listArticles())).toHaveLength(1);
    isLost = false;
    // Gone at the first try, of which no answer came: that is no error.
    await client.deleteArticle(article.id);
    expect(await thrownBy(client.deleteArticle(article.id))).toMatchObject({ status: 404 });
  });

  it("does not send again what would come to something else the second time", async () => {
    const conditional = scripted([GONE]);
    await thrownBy(conditional.client.updateArticle("a", {}, { ifMatch: '"tag"' }));
    const creating = scripted([GONE]);
    await thrownBy(creating.client.batch([{ op: "create", article: NEW }]));
    expect([conditional.requests.length, creating.requests.length]).toEqual([1, 1]);
  });

  it("goes on when the server is back", async () => {
    const own = await ownService({ onDisk: true });
    const bot = await own.bot();
    const pace = { after: () => () => {}, nowMs: () => 0, random: () => 0, sleep: () => own.start() };
    const client = new LoredexClient({
      ...{ baseUrl: own.url, key: bot.key, pace },
      // The address is another one after a restart.
      fetch: (input, init) => fetch(String(input).replace(/127[^/]*/, `127.0.0.1:${port()}`), init),
    });
    const { port: first } = own;
    const port = () => {
      try {
        return own.port;
      } catch {
        return first;
      }
    };
    await client.createArticle(NEW);
    await own.stop();
    expect(await all(client.listArticles())).toHaveLength(1);
  });

  it("takes no page of a proxy for an answer", async () => {
    const page = (status: number) =>
      new Response("<html>Welcome</html>", { status, headers: { "content-type": "text/html" } });
    const { client } = scripted([page(200), page(502)]);
    expect(await thrownBy(client.search("a"))).toMatchObject({
      status: 200,
      message: expect.stringContaining("not as Loredex"),
    });
    expect(await thrownBy(client.search("a"))).toMatchObject({ status: 502, code: undefined });
  });

  it("says at once that an address or a key can be none", () => {
    expect(() => new LoredexClient({ baseUrl: "help.example.com", key: "k" })).toThrow(TypeError);
    expect(() => new LoredexClient({ baseUrl: "ftp://help.example.com", key: "k" })).toThrow("http or https");
  });

  it("keeps a path before the API's own, and escapes ids", async () => {
    const { client, requests } = scripted([written()], { baseUrl: "http://a.test/loredex//" });
    await client.updateArticle("a/b?", { title: "abc" });
    expect(requests[0]?.url).toBe("http://a.test/loredex/api/v1/knowledge/a%2Fb%3F");
    expect(requests[0]?.headers.get("x-api-key")).toBe("k");
  });
});

describe("waiting until an article is active", () => {
  const uploading = json({ success: true, data: { id: "a", status: "uploading" } });
  it("asks in growing pauses, and not for ever", async () => {
    const { client, pace } = scripted([
      uploading,
      uploading,
      json({ success: true, data: { id: "a", status: "active" } }),
    ]);
    expect(await client.waitUntilActive("a")).toMatchObject({ status: "active" });
    expect(pace.waits).toEqual([50, 100]);
    const slow = scripted(Array.from({ length: 9 }, () => uploading));
    const error = await thrownBy(slow.client.waitUntilActive("a", { timeoutSeconds: 0.5 }));
    expect(error).toMatchObject({ name: "LoredexError", message: "Article a is still not active after 0.5 s." });
    expect(slow.pace.waits).toEqual([50, 100, 200, 150]);
  });

  it("waits no longer for an article than it is told, whatever the time is spent on", async () => {
    const uploading = { success: true, data: { id: "a", status: "uploading" } };
    const slow = scripted(
      Array.from({ length: 9 }, () => () => {
        slow.pace.pass(2_000);
        return json(uploading);
      }),
    );
    const late = { name: "LoredexError", message: "Article a is still not active after 5 s." };
    expect(await thrownBy(slow.client.waitUntilActive("a", { timeoutSeconds: 5 }))).toMatchObject(late);
    expect(slow.requests).toHaveLength(3);
    const silent = scripted([
      (request) =>
        new Promise((_resolve, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
          silent.pace.pass(6_000);
        }),
    ]);
    expect(await thrownBy(silent.client.waitUntilActive("a", { timeoutSeconds: 5 }))).toMatchObject(late);
    const busy = scripted([refused(503, 50001, { "retry-after": "7" }), json(uploading)]);
    expect(await thrownBy(busy.client.waitUntilActive("a", { timeoutSeconds: 5 }))).toMatchObject(late);
    const left = AbortSignal.abort(new Error("enough"));
    expect(await thrownBy(busy.client.waitUntilActive("a", { signal: left }))).toMatchObject({ message: "enough" });
  });
});
