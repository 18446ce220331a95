import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { carefulLogger, type EngineOptions, type Logger } from "@loredex/core";
import { type ApiServer, type ApiServerOptions, createApiServer } from "@loredex/http";
import { Engine } from "./engine.ts";
import type { MetricsOptions } from "./metrics/metrics.ts";
import { type MetricsPlace, type MetricsServer, serveMetrics } from "./metrics/metrics-server.ts";
import { openMetrics } from "./metrics/open-metrics.ts";
import { engineOperator } from "./operator/engine-operator.ts";
import { type OperatorServer, serveOperator } from "./operator/operator-server.ts";

/** How long requests may take to finish when the server is closed: the rest of ten seconds is for the disk. */
const DRAIN_MS = 6_000;

/** Options of the engine and of the HTTP server that go on to them as they are. */
export interface ServeOptions
  extends Pick<EngineOptions, "embedders" | "memoryBytes" | "openBotsMax">,
    Pick<ApiServerOptions, "bodyBytesMax" | "requestsMax" | "connectionsMax" | "timeouts"> {
  /** The data directory; made if it is missing. */
  readonly directory: string;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Default 8080; 0 picks a free one. */
  readonly port?: number;
  /** Where metrics are asked for, in the text format of Prometheus. Default: nowhere, and nothing is counted. */
  readonly metrics?: MetricsPlace & MetricsOptions;
  /** Is told of requests and of what an operator may want to know. Default: nobody is. */
  readonly logger?: Logger;
}

export interface RunningServer {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Where its metrics are, for example `http://127.0.0.1:9464/metrics`; absent where they are not wanted. */
  readonly metricsUrl?: string;
  /** The engine it serves: of this process, so that an app can work on it directly. */
  readonly engine: Engine;
  /** Stops accepting, finishes what runs, lets the directory go: within some seconds. Idempotent. */
  close(): Promise<void>;
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
  let metricsServer: MetricsServer | undefined;
  let api: ApiServer | undefined;
  let operator: OperatorServer | undefined;
  const closeAll = async (): Promise<void> => {
    try {
      await Promise.all([api?.close({ timeoutMs: DRAIN_MS }), operator?.close()]);
    } finally {
      // To the end it can be seen how far it is.
      await engine.close().finally(() => metricsServer?.close());
    }
  };
  try {
    if (metrics !== undefined && options.metrics !== undefined) {
      metrics.watch(engine);
      metricsServer = await serveMetrics(metrics, options.metrics);
    }
    operator = await serveOperator(engineOperator(engine), { directory, logger });
    const { bodyBytesMax, requestsMax, connectionsMax, timeouts } = options;
    api = createApiServer(engine, { logger, ...given({ bodyBytesMax, requestsMax, connectionsMax, timeouts }) });
    const address = await api.listen({ host, port });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= closeAll();
      return closing;
    };
    const metricsUrl = metricsServer === undefined ? {} : { metricsUrl: metricsServer.url };
    return { url: address.url, port: address.port, ...metricsUrl, engine, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
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
