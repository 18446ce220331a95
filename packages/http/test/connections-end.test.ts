import { Agent, request } from "node:http";
import { describe, expect, it } from "vitest";
import { call, codeOf } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { FakeEngine, gate, KEY } from "./support/fake-engine.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const SEARCH = "/api/v1/knowledge/search";
const keyed = { "x-api-key": KEY, "content-type": "application/json" };
const search = wire("POST", SEARCH, keyed, '{"query":"x"}');
const health = wire("GET", "/health");

async function answered(port: number): Promise<RawClient> {
  const client = new RawClient(port);
  client.send(health);
  await client.until('{"status":"ok"}');
  return client;
}

describe("more connections than are allowed", () => {
  it("close the one that has been idle for longest, and the new one is answered", async () => {
    const engine = new FakeEngine();
    const { opened, open } = gate();
    engine.bot1.gate = opened;
    const { port } = await serve(engine, { connectionsMax: 3 });
    const busy = new RawClient(port);
    busy.send(search);
    await eventually(() => engine.bot1.calls.length).toBe(1);
    const [first, second] = [await answered(port), await answered(port)];
    await answered(port);
    await first.ended();
    second.send(health);
    await second.until('{"status":"ok"}', 2);
    open();
    await busy.until("similarTextParts");
  });

  it("close one whose request does not come where none is idle, and the new one where all are being answered", async () => {
    const engine = new FakeEngine();
    engine.bot1.gate = gate().opened;
    const { port } = await serve(engine, { connectionsMax: 2 });
    const busy = new RawClient(port);
    busy.send(search);
    const sender = new RawClient(port);
    sender.send(`${wire("POST", SEARCH, { ...keyed, "content-length": "9" })}{`);
    await eventually(() => engine.authenticated).toBe(2);
    const other = new RawClient(port);
    other.send(search);
    await sender.ended();
    await eventually(() => engine.bot1.calls.length).toBe(2);
    expect(await new RawClient(port).ended()).toBe("");
  });
});

it("the last request that a connection may have is answered, and says that it was the last", async () => {
  const { port } = await serve(new FakeEngine(), { connectionRequestsMax: 3 });
  const client = new RawClient(port);
  client.send(health.repeat(5));
  const answers = (await client.ended()).split("HTTP/1.1 200 OK").slice(1);
  expect(client.statuses).toEqual([200, 200, 200]);
  expect(answers.map((answer) => /connection: (\S+)/i.exec(answer)?.[1])).toEqual([
    "keep-alive",
    "keep-alive",
    "close",
  ]);
});

describe("a server that is told to close, and has time to be left", () => {
  it("says that it is not ready, and goes on as before until then", async () => {
    const { server, url } = await serve(new FakeEngine());
    const closed = server.close({ drainMs: 300 });
    const ready = await call(url, "GET", "/ready", { key: null });
    expect([ready.status, codeOf(ready), ready.headers.get("connection")]).toEqual([503, 50001, "keep-alive"]);
    expect((await call(url, "POST", SEARCH, { body: { query: "x" } })).status).toBe(200);
    await closed;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it("resets nobody: 16 clients in a loop are answered until none can connect any more", async () => {
    const { server, port } = await serve(new FakeEngine());
    const agent = new Agent({ keepAlive: true });
    const outcomes: string[] = [];
    const ask = () =>
      new Promise<string>((resolve) => {
        const options = { port, host: "127.0.0.1", agent, method: "POST", path: SEARCH, headers: keyed };
        request(options, (answer) => answer.resume().on("end", () => resolve(String(answer.statusCode))))
          .on("error", (error) => resolve("code" in error ? String(error.code) : error.message))
          .end('{"query":"x"}');
      });
    const loop = async () => {
      while (outcomes.at(-1) !== "ECONNREFUSED") {
        const outcome = await ask();
        outcomes.push(outcome);
        if (outcome !== "200") return;
      }
    };
    const loops = Array.from({ length: 16 }, loop);
    await eventually(() => outcomes.length).toBeGreaterThan(100);
    await Promise.all([server.close({ drainMs: 50 }), ...loops]);
    agent.destroy();
    expect([...new Set(outcomes)].toSorted()).toEqual(["200", "ECONNREFUSED"]);
  });
});
