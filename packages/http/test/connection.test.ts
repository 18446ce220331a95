import { describe, expect, it } from "vitest";
import type { ApiServerOptions } from "../src/options.ts";
import { eventually } from "./support/eventually.ts";
import { FakeEngine, gate, KEY } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const KNOWLEDGE = "/api/v1/knowledge";
const keyed = { "x-api-key": KEY, "content-type": "application/json" };
const search = (query: string, headers = {}) =>
  wire("POST", `${KNOWLEDGE}/search`, { ...keyed, ...headers }, JSON.stringify({ query }));

async function start(options: ApiServerOptions = {}) {
  const engine = new FakeEngine();
  engine.bot1.results = [];
  const running = await serve(engine, options);
  return { bot: engine.bot1, client: new RawClient(running.port), ...running };
}

/** Resolves when the server has read what was sent before: it answers another client, twice, since it may have been busy with his first request. */
async function seen(port: number): Promise<void> {
  const other = new RawClient(port);
  for (const times of [1, 2]) {
    other.send(wire("GET", "/health"));
    await other.until('{"status":"ok"}', times);
  }
  other.socket.destroy();
}

describe("requests sent without waiting for answers", () => {
  it("are begun one after another, in their order", async () => {
    const { bot, client, port } = await start();
    const { opened, open } = gate();
    bot.gate = opened;
    client.send(search("1") + search("2") + wire("GET", "/health"));
    await eventually(() => bot.calls.length).toBe(1);
    await seen(port);
    expect(bot.calls.length).toBe(1);
    expect(client.received).toBe("");
    open();
    await client.until('{"status":"ok"}');
    expect(client.statuses).toEqual([200, 200, 200]);
    expect(bot.calls.map(({ values }) => values)).toEqual([[{ query: "1" }], [{ query: "2" }]]);
  });

  it("are all answered, however many there are", async () => {
    const { bot, client } = await start();
    const count = 3_000;
    client.send(Array.from({ length: count }, (_, index) => search(String(index))).join(""));
    await client.until("HTTP/1.1 200", count);
    expect(bot.calls.map(({ values }) => values)).toEqual(
      Array.from({ length: count }, (_, index) => [{ query: String(index) }]),
    );
  });

  it("are not read without end while the first is being worked on", async () => {
    const { bot, client, port } = await start();
    bot.gate = gate().opened;
    client.send(search("first"));
    await eventually(() => bot.calls.length).toBe(1);
    // Fewer than a connection may have, and more than the system holds for a server that does not read.
    const request = wire("GET", "/health", { "x-long": "x".repeat(8_000) });
    const writes = 500;
    let taken = 0;
    for (let i = 0; i < writes; i++) client.socket.write(request.repeat(10), () => ++taken);
    // Others are answered, round after round, and meanwhile no more of it is read.
    for (let still = 0; still < 20 && taken < writes; ) {
      const before = taken;
      await seen(port);
      still = taken === before ? still + 1 : 0;
    }
    expect(taken).toBeLessThan(writes);
  });

  it("are dropped after an answer by which the server ends the connection", async () => {
    const { bot, client } = await start({ bodyBytesMax: 1_024 });
    const chunk = `40\r\n${" ".repeat(64)}\r\n`;
    const chunked = wire("POST", `${KNOWLEDGE}/search`, { ...keyed, "transfer-encoding": "chunked" });
    client.send(`${chunked}${chunk.repeat(17)}0\r\n\r\n${search("2")}`);
    await client.ended();
    expect(client.statuses).toEqual([413]);
    expect(bot.calls).toEqual([]);
  });

  it("are dropped after an answer by which the client ends it", async () => {
    const { bot, client } = await start();
    client.send(search("1", { connection: "close" }) + search("2"));
    await client.ended();
    expect(client.statuses).toEqual([200]);
    expect(bot.calls.length).toBe(1);
  });
});

describe("what is no request", () => {
  it.each([
    ["another protocol", "\x16\x03\x01\x02\x00", 400],
    ["an unknown method", "FETCH / HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["a space in the address", "GET /a b HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["a raw byte in the address", "GET /caf\u00e9 HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["a header without a colon", "GET / HTTP/1.1\r\nhost a\r\n\r\n", 400],
    ["two lengths", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", 400],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a negative length", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n", 400],
    ["a tunnel", "CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(17_000)}\r\n\r\n`, 431],
    ["an address that is too long", `GET /${"y".repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  ])("is refused: %s", async (_name, bytes, status) => {
    const { client, log } = await start();
    client.send(Buffer.from(bytes, "latin1"));
    const answer = await client.ended();
    expect(client.statuses).toEqual([status]);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/connection: close/);
    const requestId = /x-request-id: (\S+)/.exec(head)?.[1];
    expect(head).toContain(`content-length: ${body.length}`);
    expect(JSON.parse(body)).toMatchObject(
      status === 400 ? { code: 1001, status } : { error: { code: 40004, status } },
    );
    expect(log).toMatchObject([{ event: "connectionRefused", level: "info", status, requestId }]);
  });

  it("is answered after what was asked before it, and nothing after it is done", async () => {
    const { bot, client, port } = await start();
    const { opened, open } = gate();
    bot.gate = opened;
    client.send(`${search("1")}${search("2")}NONSENSE\r\n\r\n${search("3")}`);
    await eventually(() => bot.calls.length).toBe(1);
    client.send(search("4"));
    await seen(port);
    expect(client.received).toBe("");
    open();
    await client.ended();
    expect(client.statuses).toEqual([200, 200, 400]);
    expect(bot.calls.length).toBe(2);
  });

  it("is not made good by what comes too late", async () => {
    const { bot, client, log, port } = await start({ timeouts: { headersMs: 60 } });
    const { opened, open } = gate();
    bot.gate = opened;
    const late = search("2");
    client.send(search("1") + late.slice(0, 20));
    await eventually(() => log).toMatchObject([{ event: "connectionRefused", status: 408 }]);
    client.send(late.slice(20) + search("3"));
    await seen(port);
    expect(client.received).toBe("");
    open();
    await client.ended();
    expect(client.statuses).toEqual([200, 408]);
    expect(bot.calls.length).toBe(1);
  });

  it("is refused in the middle of a body", async () => {
    const { bot, client } = await start();
    client.send(wire("POST", KNOWLEDGE, { ...keyed, "transfer-encoding": "chunked" }));
    client.send("2\r\n{}\r\nzz\r\n");
    await client.ended();
    expect(client.statuses).toEqual([400]);
    expect(bot.calls).toEqual([]);
  });

  it("is refused in the middle of a body that stands in line", async () => {
    const { bot, client, log } = await start();
    const { opened, open } = gate();
    bot.gate = opened;
    client.send(search("1") + wire("POST", KNOWLEDGE, { ...keyed, "transfer-encoding": "chunked" }));
    await eventually(() => bot.calls.length).toBe(1);
    client.send("zz\r\n");
    await eventually(() => log).toMatchObject([{ event: "connectionRefused", status: 400 }]);
    open();
    await client.ended();
    expect(client.statuses).toEqual([200, 400]);
    expect(bot.calls.length).toBe(1);
  });

  it("is refused when the client ends it in the middle", async () => {
    const { bot, client } = await start();
    client.send(wire("POST", KNOWLEDGE, { ...keyed, "content-length": "10" }));
    client.socket.end("{");
    await client.ended();
    expect(client.statuses).toEqual([400]);
    expect(bot.calls).toEqual([]);
  });

  it("does not disturb other connections", async () => {
    const { client, port } = await start();
    const other = new RawClient(port);
    client.send("\0\0\0\0");
    await client.ended();
    other.send(wire("GET", "/health"));
    await other.until('{"status":"ok"}');
  });
});
