import { describe, expect, it } from "vitest";
import { createApiServer } from "../src/server.ts";
import { call } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { FakeEngine, gate, KEY, searchResult } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const SEARCH = "/api/v1/knowledge/search";
const search = wire("POST", SEARCH, { "x-api-key": KEY, "content-type": "application/json" }, '{"query":"x"}');

describe("close", () => {
  it("finishes what runs, reports not ready meanwhile, and ends each connection after its answer", async () => {
    const engine = new FakeEngine();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { server, port, url } = await serve(engine);
    const [idle, busy, probe] = [new RawClient(port), new RawClient(port), new RawClient(port)];
    idle.send(wire("GET", "/health"));
    await idle.until('{"status":"ok"}');
    busy.send(search);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    // Still without a request: it has a moment to send one.
    probe.send("GET /ready HTTP/1.1\r\n");
    idle.send(wire("GET", "/health"));
    await idle.until('{"status":"ok"}', 2);

    const closed = server.close();
    probe.send("host: a\r\n\r\n");
    expect(await probe.ended()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n[\s\S]*"code":50001/);
    await expect(call(url, "GET", "/health")).rejects.toThrow();
    await idle.ended();
    expect(busy.received).toBe("");

    open();
    expect(await busy.ended()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*similarTextParts/i);
    await closed;
  });

  it("ends a connection after the long answer that it was sending", async () => {
    const engine = new FakeEngine();
    engine.bot1.results = Array.from({ length: 500 }, () => searchResult({ content: [{ md: "x".repeat(100_000) }] }));
    const { server, port } = await serve(engine);
    const client = new RawClient(port);
    client.send(search);
    await client.until("200 OK");
    client.socket.pause();
    const idle = new RawClient(port);
    await new Promise((resolve) => idle.socket.once("connect", resolve));
    const closed = server.close({ timeoutMs: 60_000 });
    // One that has nothing to do is kept no longer.
    await idle.ended();
    client.socket.resume();
    const answer = await client.ended();
    expect(answer.endsWith("]\r\n0\r\n\r\n")).toBe(true);
    await closed;
  });

  it("lets connections without a request go after a moment", async () => {
    const { server, port } = await serve(new FakeEngine());
    const client = new RawClient(port);
    await new Promise((resolve) => client.socket.once("connect", resolve));
    await server.close({ timeoutMs: 60_000 });
    await client.ended();
    expect(client.statuses).toEqual([]);
  });

  it("cuts off what is not done in time", async () => {
    const engine = new FakeEngine();
    engine.bot1.gate = gate().opened;
    const { server, port } = await serve(engine);
    const client = new RawClient(port);
    client.send(search);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    await server.close({ timeoutMs: 50 });
    await client.ended();
    expect(client.statuses).toEqual([]);
  });

  it("may be called twice, and on a server that never listened", async () => {
    const { server } = await serve(new FakeEngine());
    await Promise.all([server.close(), server.close()]);
    await server.close();
    await createApiServer(new FakeEngine()).close();
  });
});

describe("listen", () => {
  it("tells the address", async () => {
    const { url, port } = await serve(new FakeEngine());
    expect(url).toBe(`http://127.0.0.1:${port}`);
  });

  it("fails when the port is taken", async () => {
    const { port } = await serve(new FakeEngine());
    const server = createApiServer(new FakeEngine());
    await expect(server.listen({ port, host: "127.0.0.1" })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await server.close();
  });
});

describe("options", () => {
  it.each([
    [{ requestsMax: 0 }, "requestsMax must be a whole number from 1, not 0"],
    [{ bodyBytesMax: 1.5 }, "bodyBytesMax must be a whole number of bytes from 1024, not 1.5"],
    [{ bodyBytesMax: 10 }, "not 10; 10 MiB is 10485760"],
    [{ connectionsMax: Number.NaN }, "connectionsMax must be a whole number from 1, not NaN"],
    [{ timeouts: { keepAliveMs: -1 } }, "timeouts.keepAliveMs must be a whole number from 1 to 2147483647, not -1"],
    [{ timeouts: { headersMs: 30_000 } }, "headersMs must be less than requestMs"],
  ])("are checked: %j", (options, message) => {
    expect(() => createApiServer(new FakeEngine(), options)).toThrow(message);
  });
});
