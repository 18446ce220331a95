import { Agent, request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { startServer } from "./support/cli.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const TIMEOUT_MS = 60_000;

/** The status, or the system's word for why there is none. */
function ask(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    asked.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    asked.end();
  });
}

async function untilNotReady(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (;;) {
    const status = await ask(`${url}/ready`, agent);
    if (status === 200) continue;
    agent.destroy();
    expect(status).toBe(503);
    return;
  }
}

it("SIGTERM under load: /ready says so first, and no client is cut off", { timeout: TIMEOUT_MS }, async () => {
  const server = await startServer(await temporaryDirectory(), {}, ["--drain", "3s", "--log-level", "silent"]);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const seen = new Map<number | string, number>();
  let isTold = false;
  const clients = Array.from({ length: 32 }, async () => {
    while (!isTold) {
      const status = await ask(`${server.url}/health`, agent);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  });
  while ((seen.get(200) ?? 0) < 100) await setImmediate();
  const ended = server.stop("SIGTERM");
  // As a load balancer does: it asks, and sends nothing more to a server that is not ready.
  await untilNotReady(server.url);
  isTold = true;
  await Promise.all(clients);
  agent.destroy();
  expect([...seen.keys()]).toEqual([200]);
  expect(await ended).toBe(0);
});

it("a second signal ends it at once", { timeout: TIMEOUT_MS }, async () => {
  const server = await startServer(await temporaryDirectory(), {}, ["--drain", "5s"]);
  const first = server.stop("SIGTERM");
  await untilNotReady(server.url);
  expect(await server.stop("SIGINT")).toBe(130);
  expect(await first).toBe(130);
});
