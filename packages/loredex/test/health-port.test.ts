import { createServer } from "node:net";
import { expect, it } from "vitest";
import { Engine, serve } from "../src/index.ts";
import { fetchOnce } from "./support/fetch-once.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("tells its health and its metrics on a port of their own, and nothing else", async () => {
  const directory = await temporaryDirectory();
  const server = await serve({ directory, port: 0, health: { port: 0 }, metrics: { port: 0 } });
  const ask = (path: string, init: RequestInit = {}) => fetchOnce(`${server.healthUrl}${path}`, init);
  expect(await (await ask("/health")).json()).toEqual({ status: "ok" });
  expect((await ask("/ready?x=1")).status).toBe(200);
  expect(await (await ask("/metrics")).text()).toContain("loredex_");
  expect((await ask("/health", { method: "POST" })).status).toBe(405);
  for (const path of ["/", "/openapi.json", "/api/v1/knowledge", "/healthy"]) {
    const answer = await ask(path);
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      404,
      "There is nothing at this path; what there is: /health, /ready, /metrics.\n",
    ]);
  }
  await server.close();
  await expect(ask("/health")).rejects.toThrow();
});

it("has no metrics there where none are wanted", async () => {
  const server = await serve({ directory: await temporaryDirectory(), port: 0, health: { port: 0 } });
  expect((await fetchOnce(`${server.healthUrl}/metrics`)).status).toBe(404);
  await server.close();
});

it("goes on while it drains, and says on both ports that it is not ready", async () => {
  const server = await serve({ directory: await temporaryDirectory(), port: 0, health: { port: 0 } });
  const { key } = await server.engine.createBot({ name: "one" });
  const statuses = async () => [
    (await fetchOnce(`${server.url}/ready`)).status,
    (await fetchOnce(`${server.healthUrl}/ready`)).status,
    (await fetchOnce(`${server.url}/api/v1/knowledge`, { headers: { "x-api-key": key } })).status,
  ];
  expect(await statuses()).toEqual([200, 200, 200]);
  const closed = server.close({ drainMs: 1_500 });
  expect(await statuses()).toEqual([503, 503, 200]);
  await closed;
  await expect(statuses()).rejects.toThrow();
});

it.each([-1, Number.NaN, 5_001])("refuses a drain of %d ms, and goes on", async (drainMs) => {
  const server = await serve({ directory: await temporaryDirectory(), port: 0 });
  await expect(server.close({ drainMs })).rejects.toThrow(
    "RunningServer.close: drainMs must be a number from 0 to 5000, not",
  );
  expect((await fetchOnce(`${server.url}/ready`)).status).toBe(200);
  await server.close();
});

it("lets everything go where the port for its health cannot be had", async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = taken.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const directory = await temporaryDirectory();
  await expect(serve({ directory, port: 0, health: { port } })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await new Promise((resolve) => taken.close(resolve));
  await (await Engine.open({ directory })).close();
});
