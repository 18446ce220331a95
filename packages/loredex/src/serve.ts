import { existsSync } from "node:fs";
import { createServer } from "node:net";
import {
  carefulLogger,
  directoryExposure,
  ENGINE_OPTIONS,
  type EngineOptions,
  kinds,
  type Logger,
  requireArguments,
  type Storage,
  ValidationError,
} from "@loredex/core";
import {
  A_MODE,
  API_SERVER_OPTIONS,
  type ApiServer,
  type ApiServerOptions,
  type Certificate,
  clearSocketPlace,
  createAdminServer,
  createApiServer,
} from "@loredex/http";
import {
  CONSOLE_OPTIONS,
  type ConsoleOptions,
  openConsole,
  type RunningConsole,
  warnIfExposed,
} from "./admin/console.ts";
import { Traffic } from "./admin/traffic.ts";
import { DRAIN_MS_MAX } from "./configuration/drain.ts";
import { Engine } from "./engine.ts";
import { METRICS_OPTIONS, type MetricsOptions } from "./metrics/metrics.ts";
import { openMetrics } from "./metrics/open-metrics.ts";
import { METRICS_PATH, type ProbePlace, type ProbeServer, serveProbes } from "./metrics/probe-server.ts";
import { engineOperator } from "./operator/engine-operator.ts";
import { type OperatorServer, serveOperator } from "./operator/operator-server.ts";
import { type CertificateFiles, type ReadCertificate, readCertificate } from "./tls/certificate-files.ts";
import { type FollowedCertificate, followCertificate } from "./tls/followed-certificate.ts";

/** The longest time for draining and finishing requests on close, in milliseconds. The rest of ten seconds is for the disk. */
const CLOSING_MS = 6_000;

/** The options of {@link RunningServer.close}. */
interface CloseOptions {
  readonly drainMs?: number;
}

/** The options of the engine and of the HTTP server that are passed on unchanged. */
export interface ServeOptions
  extends Pick<
      EngineOptions,
      | "embedders"
      | "graph"
      | "maxStalenessMs"
      | "memoryBytes"
      | "memoryMaxBytes"
      | "openBotsMax"
      | "rerank"
      | "rerankMemoryBytes"
      | "staleMaxMs"
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
  /** The data directory; made if it is missing. Either this or `storage` is given. */
  readonly directory?: string;
  /** A storage instead of a directory, such as a database that several nodes share. The server closes it, also if it cannot start. */
  readonly storage?: Storage;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Default 8080; 0 picks a free one. */
  readonly port?: number;
  /** Listens on a socket in the file system instead of a port: `path` of at most 100 bytes, and the permissions `mode` (default 0o660). */
  readonly socket?: { readonly path: string; readonly mode?: number };
  /** Serves https with these files, which are read again when they change. Default: plain HTTP. */
  readonly tls?: CertificateFiles;
  /** The address of metrics, in the text format of Prometheus. Default: none, and nothing is counted. */
  readonly metrics?: ProbePlace & MetricsOptions;
  /** The address of `/health` and `/ready` beside the API's own port; also of `/metrics`, if metrics are wanted. Default: none. */
  readonly health?: ProbePlace;
  /** Serves the console, and the admin API that it needs. Default: neither. */
  readonly console?: ConsoleOptions;
  /** Receives requests and other events for the operator. Default: no log. */
  readonly logger?: Logger;
}

const PROBE_PLACE: kinds.OptionKinds<ProbePlace> = { port: kinds.required(kinds.A_PORT), host: kinds.A_TEXT };
const { logger: _logger, tls: _tls, admin: _admin, ...OF_API } = API_SERVER_OPTIONS;
const { embedders, graph, memoryBytes, memoryMaxBytes, openBotsMax, rerank, rerankMemoryBytes } = ENGINE_OPTIONS;
const { maxStalenessMs, staleMaxMs, storage } = ENGINE_OPTIONS;

const A_DIRECTORY = kinds.kind<string>(
  "string",
  'the path of the data directory, as in serve({ directory: "./data" })',
  (given) => typeof given === "string" && given !== "",
);
const SERVE_OPTIONS: kinds.OptionKinds<ServeOptions> = {
  ...OF_API,
  embedders,
  graph,
  memoryBytes,
  memoryMaxBytes,
  openBotsMax,
  rerank,
  rerankMemoryBytes,
  maxStalenessMs,
  staleMaxMs,
  directory: A_DIRECTORY,
  storage,
  host: kinds.A_TEXT,
  port: kinds.A_PORT,
  socket: { path: kinds.required(kinds.A_TEXT), mode: A_MODE },
  tls: { certFile: kinds.required(kinds.A_TEXT), keyFile: kinds.required(kinds.A_TEXT) },
  metrics: { ...PROBE_PLACE, ...METRICS_OPTIONS },
  health: PROBE_PLACE,
  console: CONSOLE_OPTIONS,
  logger: kinds.A_LOGGER,
};
const CLOSE_OPTIONS: kinds.OptionKinds<CloseOptions> = { drainMs: kinds.aNumber(0, DRAIN_MS_MAX) };

export interface RunningServer {
  /** For example `http://127.0.0.1:8080`, or `unix:/run/loredex/api.sock`. */
  readonly url: string;
  /** 0 if it listens on a socket in the file system. */
  readonly port: number;
  /** The address of its metrics, for example `http://127.0.0.1:9464/metrics`; absent without metrics. */
  readonly metricsUrl?: string;
  /** The address of its health, for example `http://127.0.0.1:8081`; absent without a port for it. */
  readonly healthUrl?: string;
  /** The address of the console, for example `http://127.0.0.1:8080/console`; absent without a console, and where it shares a socket of the file system. */
  readonly consoleUrl?: string;
  /** The engine that it serves, in this process: an app can use it directly. */
  readonly engine: Engine;
  /**
   * Makes a code that signs in to the console once, within ten minutes, with the rights of the admin key of this name. The key is made if it is missing; its text
   * is shown to nobody. Undefined without a console.
   */
  signInCode(name: string): Promise<string | undefined>;
  /** Reads the files of `tls` now, and logs problems with them. Does nothing without `tls`. Never rejects. */
  readCertificateAgain(): Promise<void>;
  /**
   * Reports "not ready" and continues for `drainMs` (default 0, at most 5,000). Then stops accepting, finishes running work and unlocks the directory.
   * It takes at most ten seconds. Idempotent.
   * @throws ValidationError for a drain that makes no sense
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Opens a data directory and serves it: the HTTP API, and the operator's commands of this machine. Or serves a storage, whose operators open it themselves.
 * @throws LoredexError as {@link Engine.open}; ValidationError for an unknown option or one of a wrong kind
 * @throws CertificateError and UserFileError for files of `tls` that cannot be used; SocketError for a socket, or Node's error for an address, that is not
 * available
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  try {
    requireArguments("serve", { options }, { options: SERVE_OPTIONS });
    return await started(options);
  } catch (error) {
    // The first error is the one to report.
    await closeStorage(options).catch(() => undefined);
    throw error;
  }
}

/** Closes the storage in unchecked options, if there is one. Closing it twice does nothing. */
async function closeStorage(options: unknown): Promise<void> {
  const storage = typeof options === "object" && options !== null && "storage" in options ? options.storage : undefined;
  if (typeof storage !== "object" || storage === null || !("close" in storage)) return;
  if (typeof storage.close === "function") await storage.close();
}

async function started(options: ServeOptions): Promise<RunningServer> {
  const { directory, storage, maxStalenessMs, staleMaxMs } = options;
  if ((directory === undefined) === (storage === undefined)) {
    const message =
      directory === undefined
        ? 'directory must be the path of the data directory, as in serve({ directory: "./data" }), where no storage is given'
        : "directory and storage contradict each other: give one of them";
    throw new ValidationError([{ field: "options.directory", type: "required", message }]);
  }
  const { host = "127.0.0.1", port = 8080, embedders, graph } = options;
  const { memoryBytes, memoryMaxBytes, openBotsMax, rerank, rerankMemoryBytes } = options;
  const told = carefulLogger(options.logger);
  const metrics =
    options.metrics === undefined
      ? undefined
      : await openMetrics(given({ botLabelsMax: options.metrics.botLabelsMax }));
  const traffic = options.console && new Traffic(() => Date.now());
  const logger: Logger = (event) => {
    metrics?.logger(event);
    traffic?.logger(event);
    told(event);
  };
  // Checked first: no directory is made for a server that cannot start.
  const certificate = options.tls === undefined ? undefined : await readCertificate(options.tls);
  if (options.socket !== undefined) await clearSocketPlace(options.socket.path);
  else if (port !== 0 && (directory === undefined || !existsSync(directory))) await tryAddress(host, port);
  const chosen = given({
    directory,
    storage,
    maxStalenessMs,
    staleMaxMs,
    embedders,
    graph,
    memoryBytes,
    memoryMaxBytes,
    openBotsMax,
    rerank,
    rerankMemoryBytes,
    onWork: both(metrics?.onWork, traffic?.onWork),
    onStatement: both(metrics?.onStatement, traffic?.onStatement),
  });
  const engine = await Engine.open({ logger, ...chosen });
  const exposure = directory === undefined ? undefined : await directoryExposure(directory);
  if (exposure !== undefined) logger({ level: "warn", event: "directoryExposed", message: exposure });
  const watched: ProbeServer[] = [];
  let [metricsUrl, healthUrl] = [{}, {}];
  let api: ApiServer | undefined;
  let operator: OperatorServer | undefined;
  let running: RunningConsole | undefined;
  let ofConsole: ApiServer | undefined;
  let followed: FollowedCertificate | undefined;
  const closeAll = async (drainMs = 0): Promise<void> => {
    followed?.stop();
    try {
      const closing = { drainMs, timeoutMs: CLOSING_MS - drainMs };
      await Promise.all([api?.close(closing), ofConsole?.close(closing), operator?.close()]);
      await running?.close();
    } finally {
      // Metrics and health are served until the engine is closed.
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
    // Programs of a shared storage open it themselves: they need no socket.
    if (directory !== undefined) operator = await serveOperator(engineOperator(engine), { directory, logger });
    running = traffic && options.console && (await openConsole(engine, { traffic, logger }, options.console));
    const isOwn = options.console?.port !== undefined;
    const serving = { logger, ...ofRequests(options), ...given({ tls: certificate && pairOf(certificate) }) };
    const server = createApiServer(engine, { ...serving, ...(isOwn ? {} : given({ admin: running?.admin })) });
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
    let base: string | undefined = socket === undefined ? address.url : undefined;
    if (running !== undefined && options.console !== undefined) {
      const { port: own, host: at = own === undefined ? host : "127.0.0.1" } = options.console;
      ofConsole = own === undefined ? undefined : createAdminServer(running.admin, serving);
      if (ofConsole !== undefined && own !== undefined) base = (await ofConsole.listen({ host: at, port: own })).url;
      if (base !== undefined) warnIfExposed(logger, at, options.tls !== undefined);
    }
    const consoleUrl = running && base && { consoleUrl: `${base}${running.path}` };
    followed = follow(options.tls, certificate, [server, ...(ofConsole === undefined ? [] : [ofConsole])], logger);
    const readCertificateAgain = async (): Promise<void> => followed?.readAgain();
    let closing: Promise<void> | undefined;
    const close = async (options: CloseOptions = {}): Promise<void> => {
      requireArguments("RunningServer.close", { options }, { options: CLOSE_OPTIONS });
      const { drainMs = 0 } = options;
      closing ??= closeAll(drainMs);
      await closing;
    };
    const signInCode = async (name: string): Promise<string | undefined> => {
      requireArguments("RunningServer.signInCode", { name }, { name: kinds.A_TEXT });
      return running?.signInCode(name);
    };
    const { url, port: listening } = address;
    const urls = { ...metricsUrl, ...healthUrl, ...consoleUrl };
    return { url, port: listening, ...urls, engine, signInCode, readCertificateAgain, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function follow(
  files: CertificateFiles | undefined,
  first: ReadCertificate | undefined,
  servers: readonly ApiServer[],
  logger: Logger,
): FollowedCertificate | undefined {
  if (files === undefined || first === undefined) return undefined;
  return followCertificate(first, {
    read: () => readCertificate(files),
    use: (certificate) => {
      for (const server of servers) server.useCertificate(pairOf(certificate));
    },
    logger,
    nowMs: () => Date.now(),
    every: (ms, run) => {
      const timer = setInterval(run, ms).unref();
      return () => clearInterval(timer);
    },
  });
}

/** The certificate and its key, without the period of validity, which is no option. */
function pairOf({ cert, key }: Certificate): Certificate {
  return { cert, key };
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

/** Calls both functions, of which one or both may be missing. */
function both<Event>(
  one: ((event: Event) => void) | undefined,
  other: ((event: Event) => void) | undefined,
): ((event: Event) => void) | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (event) => {
    one(event);
    other(event);
  };
}

/** The options that are not undefined. */
function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> };
function given(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Checks that an address is available. Rejects with Node's error if it is not. */
function tryAddress(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const tried = createServer().once("error", reject);
    tried.listen({ host, port }, () => tried.close(() => resolve()));
  });
}
