import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ApiBot, ApiKey } from "../src/engine.ts";
import { createApiHandler } from "../src/handler.ts";
import { type Answer, call, codeOf } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { BOT_KEY, FakeAdmin, READ_KEY, WRITE_KEY } from "./support/fake-admin.ts";
import { BOT_NAME, FakeBot, FakeEngine, gate, KEY, searchResult } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const SEARCH = "/api/v1/knowledge/search";
const QUIET = "the key of the quiet bot";
const query = { body: { query: "x" } };
const quietQuery = { ...query, key: QUIET };
const outcome = (answer: Answer) => [answer.status, codeOf(answer), answer.headers.get("retry-after")];
const keyed = (key = KEY) => ({ "x-api-key": key, "content-type": "application/json" });
const searchOf = (key = KEY) => wire("POST", SEARCH, keyed(key), '{"query":"x"}');

/** Two bots: one that is asked too much, and a quiet one. */
class TwoBots extends FakeEngine {
  readonly quiet = new FakeBot();

  override authenticate(key: string | undefined): ApiKey | undefined {
    const bot = super.authenticate(key);
    return key === QUIET ? { id: "quiet", name: "quiet", key: this.key } : bot;
  }

  override bot(id: string): Promise<ApiBot> {
    return id === "quiet" ? Promise.resolve(this.quiet) : super.bot(id);
  }
}

const longResults = () => [searchResult({ content: [{ md: "x".repeat(8_000_000) }] })];

describe("a place is taken", () => {
  it("when the body is whole: bodies that do not come keep nobody from being answered", async () => {
    const { url, port } = await serve(new TwoBots(), { requestsMax: 1 });
    const slow = Array.from({ length: 20 }, () => new RawClient(port));
    for (const client of slow) client.send(`${wire("POST", SEARCH, { ...keyed(), "content-length": "13" })}{`);
    expect((await call(url, "POST", SEARCH, query)).status).toBe(200);
    expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
    for (const client of slow) client.send('"query":"x"}');
    for (const client of slow) await client.until("similarTextParts");
  });

  it("and given back before the answer is read: readers that do not read keep nobody from being answered", async () => {
    const engine = new TwoBots();
    engine.bot1.results = longResults();
    const { url, port } = await serve(engine, { requestsMax: 1 });
    const readers = Array.from({ length: 10 }, () => new RawClient(port));
    for (const reader of readers) {
      reader.send(searchOf());
      await reader.until("200 OK");
      reader.socket.pause();
    }
    expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
  });
});

describe("requests with admin keys", () => {
  it("have as many places as one bot: they keep no bot waiting, and no bot keeps them waiting", async () => {
    const [engine, admin] = [new TwoBots(), new FakeAdmin()];
    const [ofAdmin, ofBot] = [gate(), gate()];
    admin.fakeBot.gate = ofAdmin.opened;
    engine.bot1.gate = ofBot.opened;
    const { url } = await serve(engine, { admin, requestsMax: 3, botRequestsMax: 1, botWaitingMax: 10 });
    const path = `/api/v1/admin/bots/${BOT_NAME}/search`;
    const keys = [WRITE_KEY, READ_KEY, BOT_KEY, WRITE_KEY, READ_KEY, BOT_KEY];
    const asked = keys.map((key) => call(url, "POST", path, { ...query, key }));
    await eventually(() => admin.fakeBot.calls.length).toBe(1);
    expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
    const busy = [1, 2, 3].map(() => call(url, "POST", SEARCH, query));
    await eventually(() => engine.bot1.calls.length).toBe(1);
    expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
    // All admin keys share one place, as all keys of a bot do.
    expect([admin.fakeBot.calls.length, engine.bot1.calls.length]).toEqual([1, 1]);
    ofAdmin.open();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(keys.map(() => 200));
    ofBot.open();
    await Promise.all(busy);
  });
});

describe("waiting", () => {
  it("is bounded for a bot, and nobody else's", async () => {
    const engine = new TwoBots();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, { requestsMax: 2, botRequestsMax: 1, botWaitingMax: 1 });
    const begun = call(url, "POST", SEARCH, query);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    const others = [call(url, "POST", SEARCH, query), call(url, "POST", SEARCH, query)];
    expect(outcome(await Promise.race(others))).toEqual([503, 50001, "1"]);
    expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
    open();
    expect((await begun).status).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([200, 503]);
  });

  it("that is refused holds no body until it is told", async () => {
    const engine = new TwoBots();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, { botRequestsMax: 1, botWaitingMax: 1, bodiesBytesMax: 1_024 });
    const long = { query: "q".repeat(400) };
    const begun = call(url, "POST", SEARCH, { body: long });
    await eventually(() => engine.bot1.calls.length).toBe(1);
    const texts: string[] = [];
    const others = [1, 2, 3, 4, 5].map(
      async () => void texts.push((await call(url, "POST", SEARCH, { body: long })).text),
    );
    await eventually(() => texts.length).toBe(4);
    // A held body would have been one too many, and refused for that.
    for (const text of texts) expect(text).toContain("Too many requests of this bot are waiting.");
    open();
    await Promise.all(others);
    expect((await begun).status).toBe(200);
  });

  it("is bounded for a key", async () => {
    const engine = new TwoBots();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, { requestsMax: 1, keyWaitingMax: 1 });
    const asked = [1, 2, 3].map(() => call(url, "POST", SEARCH, query));
    expect(outcome(await Promise.race(asked))).toEqual([503, 50001, "1"]);
    open();
    expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 200, 503]);
  });

  it("ends in time with a refusal", async () => {
    const engine = new TwoBots();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, { requestsMax: 1, timeouts: { waitMs: 10 } });
    const begun = call(url, "POST", SEARCH, query);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    expect(outcome(await call(url, "POST", SEARCH, quietQuery))).toEqual([503, 50001, "1"]);
    open();
    expect((await begun).status).toBe(200);
    expect(engine.quiet.calls).toEqual([]);
  });

  it("goes in turns: a quiet bot's request is begun before all those that wait for another bot", async () => {
    const engine = new TwoBots();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, { requestsMax: 1 });
    const noisy = Array.from({ length: 12 }, () => call(url, "POST", SEARCH, query));
    await eventually(() => engine.bot1.calls.length).toBe(1);
    const quiet = call(url, "POST", SEARCH, quietQuery).then(() => engine.bot1.calls.length);
    // It is in line as well when the first is done.
    await eventually(() => engine.authenticated).toBe(13);
    open();
    expect(await quiet).toBeLessThan(4);
    expect((await Promise.all(noisy)).every(({ status }) => status === 200)).toBe(true);
  });

  it("goes in turns whatever happened before: 300 requests that nobody had to wait for are not held against a bot", async () => {
    const engine = new TwoBots();
    const { url } = await serve(engine, { requestsMax: 1, botWaitingMax: 30 });
    for (let i = 0; i < 300; i++) expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const begun = call(url, "POST", SEARCH, query);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    // Eight clients of the other bot more than may wait, each of which comes again at once.
    let isOver = false;
    const refused: number[] = [];
    const noisy = Array.from({ length: 38 }, async () => {
      while (!isOver) refused.push((await call(url, "POST", SEARCH, query)).status);
    });
    await eventually(() => engine.authenticated).toBe(300 + 1 + 38);
    const turns: number[] = [];
    const quiet = (async () => {
      for (let i = 0; i < 5; i++) {
        const before = engine.bot1.calls.length;
        expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
        turns.push(engine.bot1.calls.length - before);
      }
    })();
    await eventually(() => engine.authenticated).toBeGreaterThan(300 + 1 + 38);
    open();
    await quiet;
    isOver = true;
    await Promise.all([begun, ...noisy]);
    expect(Math.max(...turns)).toBeLessThan(10);
    expect(refused).toContain(503);
  });

  it("ends when the client leaves: nothing is done for it", async () => {
    const engine = new TwoBots();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url, port, log } = await serve(engine, { requestsMax: 1 });
    const begun = call(url, "POST", SEARCH, query);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    const client = new RawClient(port);
    client.send(searchOf(QUIET));
    await eventually(() => engine.authenticated).toBe(2);
    client.socket.resetAndDestroy();
    await eventually(() => log).toMatchObject([{ event: "request", status: 0 }]);
    open();
    expect((await begun).status).toBe(200);
    expect(engine.quiet.calls).toEqual([]);
  });
});

describe("a body", () => {
  it("that stands still is a 408, long before the request's whole time is over, and ends the connection", async () => {
    const { port, log } = await serve(new TwoBots(), { timeouts: { bodyMs: 30 } });
    const client = new RawClient(port);
    client.send(`${wire("POST", SEARCH, { ...keyed(), "content-length": "100" })}{`);
    expect(await client.until('"code":40003')).toMatch(/^HTTP\/1.1 408 .*connection: close/is);
    await eventually(() => log).toMatchObject([{ event: "request", status: 408, code: "REQUEST_TIMEOUT" }]);
  });

  it("that goes on coming is taken, however long it is", async () => {
    const { port } = await serve(new TwoBots(), { timeouts: { bodyMs: 100 } });
    const client = new RawClient(port);
    const pieces = Array.from({ length: 10 }, () => " ".repeat(100_000));
    const length = 1_000_000 + 13;
    client.send(wire("POST", SEARCH, { ...keyed(), "content-length": String(length) }));
    for (const piece of pieces) {
      client.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    client.send('{"query":"x"}');
    await client.until("similarTextParts");
    expect(client.statuses).toEqual([200]);
  });

  it("has its bytes from a budget of all: beyond it the bot that takes most loses what stands still", async () => {
    const { url, port, log } = await serve(new TwoBots(), { bodiesBytesMax: 1_024 });
    const halves = [new RawClient(port), new RawClient(port)];
    for (const client of halves) {
      client.send(wire("POST", SEARCH, { ...keyed(), "content-length": "800" }) + " ".repeat(600));
    }
    await eventually(() => log).toMatchObject([{ event: "request", status: 503, code: "OVERLOADED" }]);
    expect((await call(url, "POST", SEARCH, quietQuery)).status).toBe(200);
    const refused = halves.filter(({ statuses }) => statuses.length > 0);
    expect(refused.map(({ statuses }) => statuses)).toEqual([[503]]);
    for (const client of halves) client.send(`${" ".repeat(187)}{"query":"x"}`);
    await eventually(() => halves.map(({ statuses }) => statuses.at(-1)).sort()).toEqual([200, 503]);
  });
});

describe("answers that are made and not taken", () => {
  it("have a budget of all: beyond it the key that takes most loses what stands still", async () => {
    const engine = new TwoBots();
    engine.bot1.results = longResults();
    const { url, port, log } = await serve(engine, { unsentBytesMax: 600_000 });
    const readers = Array.from({ length: 12 }, () => new RawClient(port));
    for (const reader of readers) {
      reader.send(searchOf());
      await reader.until("200 OK");
      reader.socket.pause();
    }
    // Those that were cut off are done; all others are still being sent.
    await eventually(() => log.length).toBeGreaterThan(0);
    const answer = await call(url, "POST", SEARCH, quietQuery);
    expect(answer.json).toEqual(engine.quiet.results);
    expect(log.length).toBeLessThan(12);
  });

  it("do not stand for ever, nor where many short ones are asked for and none is read", async () => {
    const engine = new TwoBots();
    engine.bot1.results = [searchResult({ content: [{ md: "x".repeat(50_000) }] })];
    const app = createServer(createApiHandler(engine, { timeouts: { stallMs: 60 } }));
    onTestFinished(() => void app.close());
    const { opened: cutOff, open } = gate();
    app.on("connection", (socket) => socket.once("close", open));
    const port = await new Promise<number>((resolve) => {
      app.listen(0, "127.0.0.1", () => resolve(Number(Object(app.address()).port)));
    });
    const client = new RawClient(port);
    client.socket.pause();
    client.send(searchOf().repeat(400));
    await cutOff;
  });
});
