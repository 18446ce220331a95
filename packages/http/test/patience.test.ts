import { describe, expect, it } from "vitest";
import { eventually } from "./support/eventually.ts";
import { FakeEngine, KEY, searchResult } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const SEARCH = "/api/v1/knowledge/search";
const keyed = { "x-api-key": KEY, "content-type": "application/json" };

async function start(timeouts: object) {
  const engine = new FakeEngine();
  const running = await serve(engine, { timeouts: { headersMs: 20_000, requestMs: 30_000, ...timeouts } });
  return { bot: engine.bot1, client: new RawClient(running.port), ...running };
}

describe("a client that is too slow", () => {
  it("with its headers gets a 408", async () => {
    const { client, log } = await start({ headersMs: 80, requestMs: 10_000 });
    client.send("GET /health HTTP/1.1\r\nhost: a\r\n");
    const answer = await client.ended();
    expect(client.statuses).toEqual([408]);
    expect(answer).toContain('"code":40003');
    expect(log).toMatchObject([{ event: "connectionRefused", status: 408, reason: "ERR_HTTP_REQUEST_TIMEOUT" }]);
  });

  it("with its first byte too", async () => {
    const { client } = await start({ headersMs: 80, requestMs: 10_000 });
    await client.ended();
    expect(client.statuses).toEqual([408]);
  });

  it("with its body gets a 408, and nothing is done", async () => {
    const { client, bot, log } = await start({ headersMs: 80, requestMs: 160 });
    client.send(wire("POST", SEARCH, { ...keyed, "content-length": "14" }));
    const drip = setInterval(() => client.send(" "), 30);
    try {
      await client.ended();
    } finally {
      clearInterval(drip);
    }
    expect(client.statuses).toEqual([408]);
    expect(bot.calls).toEqual([]);
    await eventually(() => log.map((event) => event.event)).toEqual(["connectionRefused", "request"]);
    expect(log).toMatchObject([{}, { status: 0 }]);
  });

  it("with its next request is let go without a word", async () => {
    const { client } = await start({ keepAliveMs: 60 });
    client.send(wire("GET", "/health"));
    await client.ended();
    expect(client.statuses).toEqual([200]);
  });

  it("to take its answer is cut off", async () => {
    const { client, bot, log } = await start({ stallMs: 150 });
    bot.results = Array.from({ length: 2_000 }, () => searchResult({ content: [{ md: "x".repeat(50_000) }] }));
    client.send(wire("POST", SEARCH, keyed, '{"query":"x"}'));
    await client.until("200 OK");
    client.socket.pause();
    await eventually(() => log.length).toBe(1);
    expect(log).toMatchObject([{ event: "request", status: 200 }]);
  });
});
