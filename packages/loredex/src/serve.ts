import { existsSync } from "node:fs";
import { createServer } from "node:net";
import {
  carefulLogger,
  directoryExposure,
  type EngineOptions,
  type Logger,
  type OptionNames,
  requireKnownOptions,
  ValidationError,
} from "@loredex/core";
import {
  API_SERVER_OPTIONS,
  type ApiServer,
  type ApiServerOptions,
  type Certificate,
  clearSocketPlace,
  createApiServer,
} from "@loredex/http";
import { DRAIN_MS_MAX } from "./configuration/drain.ts";
import { Engine } from "./engine.ts";
import { METRICS_OPTIONS, type MetricsOptions } from "./metrics/metrics.ts";
import { openMetrics } from "./metrics/open-metrics.ts";
import { METRICS_PATH, type ProbePlace, type ProbeServer, serveProbes } from "./metrics/probe-server.ts";
import { engineOperator } from "./operator/engine-operator.ts";
import { type OperatorServer, serveOperator } from "./operator/operator-server.ts";
import { type CertificateFiles, type ReadCertificate, readCertificate } from "./tls/certificate-files.ts";
import { type FollowedCertificate, followCertificate } from "./tls/followed-certificate.ts";

/** How long draining and then finishing requests may take when the server is closed: the rest of ten seconds is for the disk. */
const CLOSING_MS = 6_000;

/** What {@link RunningServer.close} takes. */
interface CloseOptions {
  readonly drainMs?: number;
}

/** Options of the engine and of the HTTP server that go on to them as they are. */
export interface ServeOptions
  extends Pick<
      EngineOptions,
      "embedders" | "memoryBytes" | "memoryMaxBytes" | "openBotsMax" | "thirdLook" | "tokenMemoryBytes"
    >,
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
      | "docs"
      | "compression"
    > {
  /** The data directory; made if it is missing. */
  readonly directory: string;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Default 8080; 0 picks a free one. */
  readonly port?: number;
  /** Listens on a socket in the file system instead of a port: `path` of at most 100 bytes, and who may connect (`mode`, default 0o660). */
  readonly socket?: { readonly path: string; readonly mode?: number };
  /** Speaks https with these files, which are read again as they change. Default: plain HTTP. */
  readonly tls?: CertificateFiles;
  /** Where metrics are asked for, in the text format of Prometheus. Default: nowhere, and nothing is counted. */
  readonly metrics?: ProbePlace & MetricsOptions;
  /** Where `/health` and `/ready` are asked for beside the API's own port, and `/metrics` where metrics are wanted. Default: nowhere. */
  readonly health?: ProbePlace;
  /** Is told of requests and of what an operator may want to know. Default: nobody is. */
  readonly logger?: Logger;
}

const PROBE_PLACE: OptionNames<ProbePlace> = { port: true, host: true };
const { logger: _logger, tls: _tls, ...OF_API } = API_SERVER_OPTIONS;

const SERVE_OPTIONS: OptionNames<ServeOptions> = {
  ...OF_API,
  embedders: true,
  memoryBytes: true,
  memoryMaxBytes: true,
  openBotsMax: true,
  thirdLook: true,
  tokenMemoryBytes: true,
  directory: true,
  host: true,
  port: true,
  socket: { path: true, mode: true },
  tls: { certFile: true, keyFile: true },
  metrics: { ...PROBE_PLACE, ...METRICS_OPTIONS },
  health: PROBE_PLACE,
  logger: true,
};
const CLOSE_OPTIONS: OptionNames<CloseOptions> = { drainMs: true };

export interface RunningServer {
  /** For example `http://127.0.0.1:8080`, or `unix:/run/loredex/api.sock`. */
  readonly url: string;
  /** 0 where it listens on a socket in the file system. */
  readonly port: number;
  /** Where its metrics are, for example `http://127.0.0.1:9464/metrics`; absent where they are not wanted. */
  readonly metricsUrl?: string;
  /** Where its health is told, for example `http://127.0.0.1:8081`; absent where no other port is wanted for that. */
  readonly healthUrl?: string;
  /** The engine it serves: of this process, so that an app can work on it directly. */
  readonly engine: Engine;
  /** Looks at the files of `tls` now, and tells its log what is wrong with them. Does nothing without `tls`. Never rejects. */
  readCertificateAgain(): Promise<void>;
  /**
   * Says that it is not ready and goes on for `drainMs` (default 0, at most 5,000), then stops accepting, finishes what runs and lets the directory go: within ten seconds. Idempotent.
   * @throws RangeError for a drain that makes no sense
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Opens a data directory and serves it: the HTTP API, and the operator's commands of this machine.
 * @throws LoredexError as {@link Engine.open}, ValidationError for an unknown option, RangeError for a limit that makes no sense, CertificateError and UserFileError for files of `tls` that TLS cannot be spoken with,
 * SocketError for a socket, or Node's error for an address, that cannot be had
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  requireKnownOptions(options, SERVE_OPTIONS);
  requireDirectory(options.directory);
  const { directory, host = "127.0.0.1", port = 8080, embedders } = options;
  const { memoryBytes, memoryMaxBytes, openBotsMax, thirdLook, tokenMemoryBytes } = options;
  const told = carefulLogger(options.logger);
  const metrics =
    options.metrics === undefined
      ? undefined
      : await openMetrics(given({ botLabelsMax: options.metrics.botLabelsMax }));
  const logger: Logger = (event) => {
    metrics?.logger(event);
    told(event);
  };
  // No directory is made for a server that cannot begin.
  const certificate = options.tls === undefined ? undefined : await readCertificate(options.tls);
  if (options.socket !== undefined) await clearSocketPlace(options.socket.path);
  else if (port !== 0 && !existsSync(directory)) await tryAddress(host, port);
  const chosen = given({
    embedders,
    memoryBytes,
    memoryMaxBytes,
    openBotsMax,
    thirdLook,
    tokenMemoryBytes,
    onWork: metrics?.onWork,
  });
  const engine = await Engine.open({ directory, logger, ...chosen });
  const exposure = await directoryExposure(directory);
  if (exposure !== undefined) logger({ level: "warn", event: "directoryExposed", message: exposure });
  const watched: ProbeServer[] = [];
  let [metricsUrl, healthUrl] = [{}, {}];
  let api: ApiServer | undefined;
  let operator: OperatorServer | undefined;
  let followed: FollowedCertificate | undefined;
  const closeAll = async (drainMs = 0): Promise<void> => {
    followed?.stop();
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
    const server = createApiServer(engine, { logger, ...ofRequests(options), ...given({ tls: pairOf(certificate) }) });
    api = server;
    if (options.health !== undefined) {
      const probes = { metrics, probe: (...asked: Parameters<ApiServer["probe"]>) => server.probe(...asked) };
      const health = await serveProbes(probes, options.health);
      watched.push(health);
      healthUrl = { healthUrl: health.url };
    }
    const { socket } = options;
    const address = await (socket === undefined
      ? server.listen({ host, port })
      : server.listen({ socket: socket.path, ...given({ mode: socket.mode }) }));
    followed = follow(options.tls, certificate, server, logger);
    const readCertificateAgain = async (): Promise<void> => followed?.readAgain();
    let closing: Promise<void> | undefined;
    const close = async (options: CloseOptions = {}): Promise<void> => {
      requireKnownOptions(options, CLOSE_OPTIONS);
      const { drainMs = 0 } = options;
      if (!(drainMs >= 0 && drainMs <= DRAIN_MS_MAX)) {
        throw new RangeError(`drainMs must be a number from 0 to ${DRAIN_MS_MAX}, not ${drainMs}`);
      }
      closing ??= closeAll(drainMs);
      await closing;
    };
    return { url: address.url, port: address.port, ...metricsUrl, ...healthUrl, engine, readCertificateAgain, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** A program in JavaScript may leave it out. @throws ValidationError */
function requireDirectory(directory: unknown): void {
  if (typeof directory === "string") return;
  const message = 'directory must be the path of the data directory, as in serve({ directory: "./data" })';
  throw new ValidationError([{ message, field: "directory", type: "string" }]);
}

function follow(
  files: CertificateFiles | undefined,
  first: ReadCertificate | undefined,
  server: ApiServer,
  logger: Logger,
): FollowedCertificate | undefined {
  if (files === undefined || first === undefined) return undefined;
  return followCertificate(first, {
    read: () => readCertificate(files),
    use: (certificate) => server.useCertificate(certificate),
    logger,
    nowMs: () => Date.now(),
    every: (ms, run) => {
      const timer = setInterval(run, ms).unref();
      return () => clearInterval(timer);
    },
  });
}

/** Without the time of its expiry, which is no option. */
function pairOf(certificate: ReadCertificate | undefined): Certificate | undefined {
  return certificate === undefined ? undefined : { cert: certificate.cert, key: certificate.key };
}

function ofRequests(options: ServeOptions): ApiServerOptions {
  const { bodyBytesMax, requestsMax, botRequestsMax, botWaitingMax, keyWaitingMax, bodiesBytesMax } = options;
  const { unsentBytesMax, connectionsMax, connectionRequestsMax, timeouts, docs, compression } = options;
  const ofBots = { botRequestsMax, botWaitingMax, keyWaitingMax, bodiesBytesMax, unsentBytesMax };
  return given({
    bodyBytesMax,
    requestsMax,
    ...ofBots,
    connectionsMax,
    connectionRequestsMax,
    timeouts,
    docs,
    compression,
  });
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
