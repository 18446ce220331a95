import { afterEach } from "vitest";
import type { ApiEngine } from "../../src/engine.ts";
import type { HttpLogEvent } from "../../src/log.ts";
import type { ApiServerOptions } from "../../src/options.ts";
import { type ApiServer, createApiServer } from "../../src/server.ts";

export interface Running {
  readonly server: ApiServer;
  readonly url: string;
  readonly port: number;
  readonly log: HttpLogEvent[];
}

const running: ApiServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close({ timeoutMs: 0 })));
});

/** A server on a free port, closed after the test. */
export async function serve(engine: ApiEngine, options: ApiServerOptions = {}): Promise<Running> {
  const log: HttpLogEvent[] = [];
  const server = createApiServer(engine, { logger: (event) => log.push(event), ...options });
  running.push(server);
  const { url, port } = await server.listen({ port: 0, host: "127.0.0.1" });
  return { server, url, port, log };
}
