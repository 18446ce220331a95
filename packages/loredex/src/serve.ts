import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { carefulLogger, type EngineOptions, type Logger } from "@loredex/core";
import { type ApiServer, type ApiServerOptions, createApiServer } from "@loredex/http";
import { DRAIN_MS_MAX } from "./configuration/drain.ts";
import { Engine } from "./engine.ts";
import type { MetricsOptions } from "./metrics/metrics.ts";
import { openMetrics } from "./metrics/open-metrics.ts";
import { METRICS_PATH, type ProbePlace, type ProbeServer, serveProbes } from "./metrics/probe-server.ts";
import { engineOperator } from "./operator/engine-operator.ts";
import { type OperatorServer, serveOperator } from "./operator/operator-server.ts";

/** How long draining and then finishing requests may take when the server is closed: the rest of ten seconds is for the disk. */
const CLOSING_MS = 6_000;

/** Options of the engine and of the HTTP server that go on to them as they are. */
export interface ServeOptions
  extends Pick<EngineOptions, "embedders" | "memoryBytes" | "openBotsMax">,
    Pick<
      ApiServerOptions,
      | "bodyBytesMax"
      | "requestsMax"
      | "botRequestsMax"
      | "botWaitingMax"
      | "keyWaitingMax"
      | "bodiesBytesMax"
      | "unsentBytesMax"
      | "connectionsMax"
      | "connectionRequestsMax"
      | "timeouts"
    > {
  /** The data directory; made if it is missing. */
  readonly directory: string;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Default 8080; 0 picks a free one. */
  readonly port?: number;
  /** Where metrics are asked for, in the text format of Prometheus. Default: nowhere, and nothing is counted. */
  readonly metrics?: ProbePlace & MetricsOptions;
  /** Where `/health` and `/ready` are asked for beside the API's own port, and `/metrics` where metrics are wanted. Default: nowhere. */
  readonly health?: ProbePlace;
  /** Is told of requests and of what an operator may want to know. Default: nobody is. */
  readonly logger?: Logger;
}

export interface RunningServer {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Where its metrics are, for example `http://127.0.0.1:9464/metrics`; absent where they are not wanted. */
  readonly metricsUrl?: string;
  /** Where its health is told, for example `http://127.0.0.1:8081`; absent where no other port is wanted for that. */
  readonly healthUrl?: string;
  /** The engine it serves: of this process, so that an app can work on it directly. */
  readonly engine: Engine;
  /**
   * Says that it is not ready and goes on for `drainMs` (default 0, at most 5,000), then stops accepting, finishes what runs and lets the directory go: within ten seconds. Idempotent.
   * @throws RangeError for a drain that makes no sense
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/**
 * Opens a data directory and serves it: the HTTP API, and the operator's commands of this machine.
 * @throws LoredexError as {@link Engine.open}, RangeError for a limit that makes no sense, or Node's error if the address cannot be had
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { directory, host = "127.0.0.1", port = 8080, embedders, memoryBytes, openBotsMax } = options;
  const told = carefulLogger(options.logger);
  const metrics = options.metrics === undefined ? undefined : await openMetrics(options.metrics);
  const logger: Logger = (event) => {
    metrics?.logger(event);
    told(event);
  };
  // No directory is made for a server that cannot begin.
  if (port !== 0 && !existsSync(directory)) await tryAddress(host, port);
  const chosen = given({ embedders, memoryBytes, openBotsMax, onWork: metrics?.onWork });
  const engine = await Engine.open({ directory, logger, ...chosen });
  const watched: ProbeServer[] = [];
  let [metricsUrl, healthUrl] = [{}, {}];
  let api: ApiServer | undefined;
  let operator: OperatorServer | undefined;
  const closeAll = async (drainMs = 0): Promise<void> => {
    try {
      await Promise.all([api?.close({ drainMs, timeoutMs: CLOSING_MS - drainMs }), operator?.close()]);
    } finally {
      // To the end it can be seen how far it is.
      try {
        await engine.close();
      } finally {
        await Promise.all(watched.map((each) => each.close()));
      }
    }
  };
  try {
    if (metrics !== undefined && options.metrics !== undefined) {
      metrics.watch(engine);
      const server = await serveProbes({ metrics }, options.metrics);
      watched.push(server);
      metricsUrl = { metricsUrl: `${server.url}${METRICS_PATH}` };
    }
    operator = await serveOperator(engineOperator(engine), { directory, logger });
    const server = createApiServer(engine, { logger, ...ofRequests(options) });
    api = server;
    if (options.health !== undefined) {
      const probes = { metrics, probe: (...asked: Parameters<ApiServer["probe"]>) => server.probe(...asked) };
      const health = await serveProbes(probes, options.health);
      watched.push(health);
      healthUrl = { healthUrl: health.url };
    }
    const address = await server.listen({ host, port });
    let closing: Promise<void> | undefined;
    const close = async ({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> => {
      if (!(drainMs >= 0 && drainMs <= DRAIN_MS_MAX)) {
        throw new RangeError(`drainMs must be a number from 0 to ${DRAIN_MS_MAX}, not ${drainMs}`);
      }
      closing ??= closeAll(drainMs);
      await closing;
    };
    return { url: address.url, port: address.port, ...metricsUrl, ...healthUrl, engine, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function ofRequests(options: ServeOptions): ApiServerOptions {
  const { bodyBytesMax, requestsMax, botRequestsMax, botWaitingMax, keyWaitingMax, bodiesBytesMax } = options;
  const { unsentBytesMax, connectionsMax, connectionRequestsMax, timeouts } = options;
  const ofBots = { botRequestsMax, botWaitingMax, keyWaitingMax, bodiesBytesMax, unsentBytesMax };
  return given({ bodyBytesMax, requestsMax, ...ofBots, connectionsMax, connectionRequestsMax, timeouts });
}

/** The options that were given at all. */
function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> };
function given(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Rejects with Node's error if the address cannot be had. */
function tryAddress(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const tried = createServer().once("error", reject);
    tried.listen({ host, port }, () => tried.close(() => resolve()));
  });
}
