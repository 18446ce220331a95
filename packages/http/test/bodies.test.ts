import { describe, expect, it } from "vitest";
import { type Answer, call, codeOf, rulesOf } from "./support/client.ts";
import { FakeEngine, KEY } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const SEARCH = "/api/v1/knowledge/search";
const outcome = (answer: Answer) => [answer.status, codeOf(answer)];
const keyed = { "x-api-key": KEY, "content-type": "application/json" };

async function start(bodyBytesMax?: number) {
  const engine = new FakeEngine();
  return { bot: engine.bot1, ...(await serve(engine, bodyBytesMax === undefined ? {} : { bodyBytesMax })) };
}

describe("the content type", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; profile=x; charset=utf8",
    "application/json;",
  ])("may be %s", async (type) => {
    const { url } = await start();
    expect((await call(url, "POST", SEARCH, { body: "{}", headers: { "content-type": type } })).status).toBe(200);
  });

  it.each([
    "text/plain",
    "application/json5",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-16",
    "application/json; charset=",
    "application/json, text/plain",
    "json",
  ])("may not be %s", async (type) => {
    const { url, bot } = await start();
    const answer = await call(url, "POST", SEARCH, { body: "{}", headers: { "content-type": type } });
    expect(outcome(answer)).toEqual([415, 40002]);
    expect(bot.calls).toEqual([]);
  });

  it("may not be missing on a body", async () => {
    const { port } = await start();
    const client = new RawClient(port);
    client.send(wire("POST", SEARCH, { "x-api-key": KEY }, "{}"));
    await client.until("40002");
    expect(client.statuses).toEqual([415]);
  });

  it("does not matter where there is no body: that is a 400", async () => {
    const { url } = await start();
    expect(rulesOf(await call(url, "POST", SEARCH))).toEqual(["body json"]);
  });

  it("does not help a compressed body", async () => {
    const { url } = await start();
    const answer = await call(url, "POST", SEARCH, { body: "{}", headers: { "content-encoding": "gzip" } });
    expect(outcome(answer)).toEqual([415, 40002]);
    expect(answer.text).toContain("without Content-Encoding");
  });
});

describe("the body", () => {
  it.each(["{", "[]", "null", '{"a":1e400}', `{"a":${"[".repeat(64)}${"]".repeat(64)}}`, "\uFEFF{}"])(
    "may not be %s",
    async (body) => {
      const { url, bot } = await start();
      expect(rulesOf(await call(url, "POST", SEARCH, { body }))).toEqual(["body json"]);
      expect(bot.calls).toEqual([]);
    },
  );

  it("must be UTF-8", async () => {
    const { url } = await start();
    const body = new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]);
    expect(rulesOf(await call(url, "POST", SEARCH, { body }))).toEqual(["body json"]);
  });

  it("comes together from many small pieces, cut anywhere", async () => {
    const { port, bot } = await start();
    const client = new RawClient(port);
    const body = Buffer.from('{"query":"gr\u00fc\u00dfe \u{1F600}"}');
    client.send(wire("POST", SEARCH, { ...keyed, "content-length": String(body.length) }));
    for (const byte of body) {
      client.send(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    await client.until("similarTextParts");
    expect(bot.calls).toEqual([{ method: "answerRequest", values: [{ query: "grüße \u{1F600}" }] }]);
  });
});

describe("a body that is too large", () => {
  const body = (bytes: number) => `{"query":"${"x".repeat(bytes - 12)}"}`;

  it("is one byte more than the limit", async () => {
    const { url } = await start(1_024);
    expect((await call(url, "POST", SEARCH, { body: body(1_024) })).status).toBe(200);
    const answer = await call(url, "POST", SEARCH, { body: body(1_025) });
    expect(outcome(answer)).toEqual([413, 40001]);
    expect(answer.text).toContain("1024 bytes");
    expect(answer.headers.get("connection")).toBe("close");
  });

  it("has a limit of 1 MiB by default", async () => {
    const { url } = await start();
    expect((await call(url, "POST", SEARCH, { body: body(1_048_576) })).status).toBe(200);
    expect(outcome(await call(url, "POST", SEARCH, { body: body(1_048_577) }))).toEqual([413, 40001]);
  });

  it("is refused by its declared length, before it is sent", async () => {
    const { port, bot } = await start(1_024);
    const client = new RawClient(port);
    client.send(wire("POST", SEARCH, { ...keyed, "content-length": "5000000000" }));
    await client.until("40001");
    expect(client.statuses).toEqual([413]);
    await client.ended();
    expect(bot.calls).toEqual([]);
  });

  it("is refused in the middle when its length was not declared", async () => {
    const { port } = await start(1_024);
    const client = new RawClient(port);
    client.send(wire("POST", SEARCH, { ...keyed, "transfer-encoding": "chunked" }));
    const chunk = `100\r\n${" ".repeat(256)}\r\n`;
    client.send(chunk.repeat(4));
    await new Promise(setImmediate);
    expect(client.received).toBe("");
    client.send(chunk);
    await client.until("40001");
    expect(client.statuses).toEqual([413]);
    expect(client.received).toMatch(/connection: close/i);
    await client.ended();
  });

  it("reaches a sender that reads its answer only after sending for a while", async () => {
    const { port } = await start(1_024);
    const client = new RawClient(port);
    client.socket.pause();
    client.send(wire("POST", SEARCH, { ...keyed, "content-length": "5000000" }));
    for (let round = 0; round < 50; round++) {
      client.send("x".repeat(100_000));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    client.socket.resume();
    expect(await client.ended()).toContain('"code":40001');
  });

  it("does not hide what is wrong before it", async () => {
    const { url } = await start(1_024);
    const large = { body: body(50_000) };
    expect(outcome(await call(url, "POST", SEARCH, { ...large, key: null }))).toEqual([401, 10001]);
    expect(outcome(await call(url, "POST", "/nowhere", large))).toEqual([404, 20002]);
    expect(outcome(await call(url, "PATCH", SEARCH, large))).toEqual([405, 20003]);
  });
});

describe("a client that waits for a go-ahead", () => {
  const expecting = { ...keyed, expect: "100-continue", "content-length": "14" };

  it("gets it when its headers are fine", async () => {
    const { port } = await start();
    const client = new RawClient(port);
    client.send(wire("POST", SEARCH, expecting));
    await client.until("100 Continue");
    client.send('{"query":"xy"}');
    await client.until("similarTextParts");
    expect(client.statuses).toEqual([100, 200]);
  });

  it("gets its refusal instead, and the connection ends", async () => {
    const { port } = await start();
    const client = new RawClient(port);
    client.send(wire("POST", SEARCH, { ...expecting, "content-type": "text/plain" }));
    await client.ended();
    expect(client.statuses).toEqual([415]);
  });
});

describe("a small body that nobody reads", () => {
  it("leaves the connection usable", async () => {
    const { port } = await start();
    const client = new RawClient(port);
    client.send(wire("POST", "/nowhere", keyed, "{}"));
    client.send(wire("GET", "/health", { "x-api-key": KEY }, "ignored"));
    client.send(wire("POST", SEARCH, { ...keyed, "content-type": "text/plain" }, "{}"));
    client.send(wire("GET", "/health"));
    await client.until('{"status":"ok"}', 2);
    expect(client.statuses).toEqual([404, 200, 415, 200]);
  });
});
