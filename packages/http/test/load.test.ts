import { describe, expect, it } from "vitest";
import { call, codeOf } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { article, FakeEngine, gate, KEY } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const SEARCH = `${KNOWLEDGE}/search`;
const query = { body: { query: "x" } };

describe("requests for a bot that takes long to open", () => {
  it("are told to come back, take no place meanwhile, and are answered when it is there", async () => {
    const engine = new FakeEngine();
    const { opened, open } = gate();
    engine.gate = opened;
    const { url, log } = await serve(engine, { requestsMax: 1, timeouts: { openMs: 30 } });
    for (let round = 0; round < 3; round++) {
      const refused = await call(url, "POST", SEARCH, query);
      expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([503, 50005, "2"]);
    }
    expect(log.filter(({ event }) => event === "requestFailed")).toEqual([]);
    open();
    expect((await call(url, "POST", SEARCH, query)).status).toBe(200);
  });
});

describe("more requests than can be worked on", () => {
  it("are told to come back, while what was begun goes on and what needs no key is answered", async () => {
    const engine = new FakeEngine();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, { requestsMax: 2, timeouts: { waitMs: 5 } });
    const begun = [call(url, "POST", SEARCH, query), call(url, "POST", SEARCH, query)];
    await eventually(() => engine.bot1.calls.length).toBe(2);

    const refused = await call(url, "POST", SEARCH, query);
    expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([503, 50001, "1"]);
    expect((await call(url, "GET", KNOWLEDGE)).status).toBe(503);
    expect((await call(url, "GET", KNOWLEDGE, { key: "unknown" })).status).toBe(401);
    expect((await call(url, "GET", "/health", { key: null })).status).toBe(200);
    expect((await call(url, "GET", "/ready", { key: null })).status).toBe(200);
    expect(engine.bot1.calls.length).toBe(2);

    open();
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await call(url, "POST", SEARCH, query)).status).toBe(200);
  });

  it("do not take a place for ever when they fail or their clients leave", async () => {
    const engine = new FakeEngine();
    const { url, port, log } = await serve(engine, { requestsMax: 1, timeouts: { waitMs: 5 } });
    for (let round = 0; round < 3; round++) {
      expect((await call(url, "POST", SEARCH, { body: "{" })).status).toBe(400);
      expect((await call(url, "GET", "/nowhere")).status).toBe(404);
      engine.bot1.failure = new Error("broken");
      expect((await call(url, "POST", SEARCH, query)).status).toBe(500);
      engine.bot1.failure = undefined;

      const { opened, open } = gate();
      engine.bot1.gate = opened;
      const begun = engine.bot1.calls.length;
      const client = new RawClient(port);
      client.send(wire("POST", SEARCH, { "x-api-key": KEY, "content-type": "application/json" }, '{"query":"x"}'));
      await eventually(() => engine.bot1.calls.length).toBe(begun + 1);
      client.socket.resetAndDestroy();
      // It goes on without its client, and keeps its place until it is done.
      expect((await call(url, "POST", SEARCH, query)).status).toBe(503);
      open();
      await eventually(() => log.at(-1)).toMatchObject({ event: "request", status: 200 });
    }
    expect((await call(url, "POST", SEARCH, query)).status).toBe(200);
  });
});

describe("a long list", () => {
  /** Articles that are made when they are asked for, and say so. */
  function* articles(count: number, made: { count: number }) {
    for (let index = 0; index < count; index++) {
      made.count++;
      yield article({ title: `Title ${index}`, body: "é".repeat(10_000) });
    }
  }

  /** An engine whose list is made while it is sent. */
  class LazyEngine extends FakeEngine {
    readonly made = { count: 0 };
    constructor(count: number) {
      super();
      const list: unknown = { [Symbol.iterator]: () => articles(count, this.made) };
      // The answer only iterates over the list; an array cannot tell how far it was read.
      this.bot1.articles = list as FakeEngine["bot1"]["articles"];
    }
  }

  it("arrives whole", async () => {
    const engine = new LazyEngine(1_000);
    const { url } = await serve(engine);
    const answer = await call(url, "GET", KNOWLEDGE);
    expect(answer.headers.get("transfer-encoding")).toBe("chunked");
    const expected = { success: true, data: [...articles(1_000, { count: 0 })] };
    expect(answer.text === JSON.stringify(expected)).toBe(true);
  });

  it("is made only as fast as the client takes it, and no further when the client leaves", async () => {
    const engine = new LazyEngine(100_000);
    const { url, port, log } = await serve(engine);
    const client = new RawClient(port);
    client.send(wire("GET", KNOWLEDGE, { "x-api-key": KEY }));
    await client.until("200 OK");
    client.socket.pause();
    // It stops by itself: between two of many rounds in which others are answered nothing more is made.
    const rounds = async (): Promise<number> => {
      for (let round = 0; round < 20; round++) expect((await call(url, "GET", "/health")).status).toBe(200);
      return engine.made.count;
    };
    let made = 0;
    for (let before = -1; before !== made; ) [before, made] = [made, await rounds()];
    expect(made).toBeLessThan(5_000);
    client.socket.destroy();
    await eventually(() => log.filter((event) => event.event === "request" && event.route === KNOWLEDGE).length).toBe(
      1,
    );
    expect(engine.made.count).toBeLessThan(made + 100);
  });

  it("sends no body to HEAD", async () => {
    const engine = new LazyEngine(1_000);
    const { url } = await serve(engine);
    const answer = await call(url, "HEAD", KNOWLEDGE);
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(engine.made.count).toBeLessThan(20);
  });

  it("is cut off, and said to be a fault, when one of its articles cannot be written", async () => {
    const engine = new FakeEngine();
    const broken = Object.defineProperty(article(), "title", {
      enumerable: true,
      get: () => {
        throw new Error("broken");
      },
    });
    engine.bot1.articles = [...Array.from({ length: 50 }, () => article({ body: "x".repeat(10_000) })), broken];
    const { url, log } = await serve(engine);
    await expect(call(url, "GET", KNOWLEDGE)).rejects.toThrow();
    await eventually(() => log).toMatchObject([{ event: "requestFailed" }, { event: "request" }]);
  });
});

describe("a search past its deadline", () => {
  const options = { timeouts: { searchMs: 20 } };

  it("is given up while it waits, and told as what passes by itself", async () => {
    const engine = new FakeEngine();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url, log } = await serve(engine, { requestsMax: 1, ...options });
    for (let round = 0; round < 3; round++) {
      const refused = await call(url, "POST", SEARCH, query);
      expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([503, 50001, "1"]);
      expect(refused.text).toContain("0.02 seconds");
    }
    expect(log.map(({ event }) => event)).toEqual(["request", "request", "request"]);
    open();
    expect((await call(url, "POST", SEARCH, query)).status).toBe(200);
  });

  it("is refused too where it worked for so long that no timer had its turn", async () => {
    const engine = new FakeEngine();
    engine.bot1.answerRequest = async () => {
      const startedMs = performance.now();
      while (performance.now() - startedMs < 25);
      return { results: [] };
    };
    const { url } = await serve(engine, options);
    expect((await call(url, "POST", SEARCH, query)).status).toBe(503);
  });

  it("does not concern other requests", async () => {
    const engine = new FakeEngine();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { url } = await serve(engine, options);
    const created = call(url, "POST", KNOWLEDGE, { body: {} });
    await eventually(() => engine.bot1.calls.length).toBe(1);
    expect((await call(url, "POST", SEARCH, query)).status).toBe(503);
    open();
    expect((await created).status).toBe(200);
  });
});
