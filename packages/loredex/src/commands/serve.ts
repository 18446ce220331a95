import { type EmbedderOffer, GRAPH_KINDS, type Logger, NO_EMBEDDER } from "@loredex/core";
import { UserFileError } from "@loredex/import/files";
import { DRAIN_MS_DEFAULT } from "../configuration/drain.ts";
import { LOG_FORMATS, LOG_LEVELS, serverLog } from "../log/server-log.ts";
import type { ProbePlace } from "../metrics/probe-server.ts";
import { openStore } from "../operator/open-store.ts";
import type { Place } from "../place.ts";
import { type ServeOptions, serve } from "../serve.ts";
import { codeOfSignal, onHangup, type StopSignal, stopSignal } from "../terminal/stop-signals.ts";
import { counted, jsonLine, oneLine } from "../terminal/terminal.ts";
import { type Command, count, flag, list, type OptionValues, oneOf, text, UsageError } from "./command.ts";
import { HOST_DEFAULT, PORT_DEFAULT, SERVE_OPTIONS } from "./serve-options.ts";

/** The longest time of a shutdown, in milliseconds. Then the process ends nevertheless: every acknowledged write is on disk. */
const SHUTDOWN_MS = 10_000;
const ADDRESS_CALLS: ReadonlySet<unknown> = new Set(["listen", "bind", "getaddrinfo"]);

export const serveCommand: Command = {
  usage: "serve",
  summary: "the HTTP server; prints its address when it is ready",
  positionals: [0, 0],
  options: SERVE_OPTIONS,
  examples: [
    "serve --port 8080 --memory 4g --data /srv/loredex",
    "serve --host 0.0.0.0 --log json --log-level warn",
    "serve --host 0.0.0.0 --port 8443 --tls-cert cert.pem --tls-key key.pem",
    "serve --socket /run/loredex/api.sock",
    "serve --store postgres://loredex@db/loredex --store-password-file /run/secrets/db",
  ],
  async run({ options, given, terminal: own, json, place, embedders }) {
    const queued = own.forServer?.();
    const terminal = queued ?? own;
    const [host, port] = [text(options, "host") || HOST_DEFAULT, count(options, "port") ?? PORT_DEFAULT];
    const format = oneOf("--log", text(options, "log"), LOG_FORMATS);
    const level = oneOf("--log-level", text(options, "log-level"), LOG_LEVELS);
    const listening = listeningOf(options);
    if (given.socket !== undefined && (given.port !== undefined || given.host !== undefined)) {
      throw new UsageError("--socket stands instead of --host and --port");
    }
    const limits = { embedders: usable(embedders, list(options, "embedders")), ...limitsOf(options) };
    const metrics = placeOf(options, "metrics", port);
    const health = placeOf(options, "health", port);
    if (health !== undefined && health.port !== 0 && health.port === metrics?.port) {
      throw new UsageError("--health-port must be another than --metrics-port: it has the metrics too");
    }
    const console = consoleOf(options, [port, metrics?.port, health?.port]);
    const watched = {
      ...(metrics === undefined ? {} : { metrics }),
      ...(health === undefined ? {} : { health }),
      ...console,
    };
    const drainMs = count(options, "drain") ?? DRAIN_MS_DEFAULT;
    const logger = await serverLog(terminal, { format, level });
    queued?.tell({
      dropped: (lines) => {
        const message = `${counted(lines, "line", "lines")} of this log could not be written: there was no room, or nobody took them.`;
        logger({ level: "warn", event: "logLinesDropped", message });
      },
      warning: ({ name, message }) =>
        logger({ level: "warn", event: "processWarning", message: `${name}: ${message}` }),
    });
    const server = await serve({
      ...(await dataOf(place, options, logger)),
      host,
      port,
      logger,
      ...limits,
      ...watched,
      ...listening,
    }).catch((error: unknown) => {
      if (isOf(error, metrics)) throw explained(error, metrics, "metrics-");
      if (isOf(error, console.console)) throw explained(error, console.console, "console-");
      throw isOf(error, health) ? explained(error, health, "health-") : explained(error, { host, port });
    });
    let signal: StopSignal | undefined;
    try {
      if (listening.tls !== undefined && !own.isProgressScreen) onHangup(() => void server.readCertificateAgain());
      const stopped = stopSignal((again) => process.exit(codeOfSignal(again)));
      const { metricsUrl, healthUrl, consoleUrl } = server;
      if (metricsUrl !== undefined) {
        logger({ level: "info", event: "metricsServed", message: `Metrics are at ${metricsUrl}` });
      }
      if (healthUrl !== undefined) {
        logger({ level: "info", event: "healthServed", message: `Health is told at ${healthUrl}` });
      }
      if (consoleUrl !== undefined) {
        logger({ level: "info", event: "consoleServed", message: `The console is at ${consoleUrl}` });
      }
      const where = {
        ...(metricsUrl === undefined ? {} : { metricsUrl }),
        ...(healthUrl === undefined ? {} : { healthUrl }),
        ...(consoleUrl === undefined ? {} : { consoleUrl }),
      };
      terminal.out(json ? jsonLine({ url: server.url, ...where }) : `Loredex serves on ${server.url}\n`);
      await queued?.settled();
      checkTold(queued?.refusal());
      signal = await stopped;
      logger({ level: "info", event: "stopping", message: "Finishing what runs." });
    } finally {
      // Also if its address could not be printed.
      const late = setTimeout(() => process.exit(1), SHUTDOWN_MS);
      await server.close({ drainMs: signal === "SIGTERM" ? drainMs : 0 });
      await queued?.settled();
      clearTimeout(late);
    }
    return 0;
  },
};

/** The directory or the database, which the server closes. */
async function dataOf(
  place: Place,
  options: OptionValues,
  logger: Logger,
): Promise<Pick<ServeOptions, "directory" | "storage" | "maxStalenessMs" | "staleMaxMs">> {
  if (place.kind === "directory") return { directory: place.directory };
  const [maxStalenessMs, staleMaxMs] = [count(options, "max-staleness"), count(options, "stale-max")];
  const [cacheDirectory, cacheBytes] = [text(options, "cache"), count(options, "cache-bytes")];
  if (cacheBytes !== undefined && cacheDirectory === undefined)
    throw new UsageError("--cache-bytes says how much copies may take: give --cache too");
  const copies = {
    ...(cacheDirectory === undefined ? {} : { cacheDirectory }),
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  };
  return {
    storage: await openStore({ ...place.store, ...copies }, logger),
    ...(maxStalenessMs === undefined ? {} : { maxStalenessMs }),
    ...(staleMaxMs === undefined ? {} : { staleMaxMs }),
  };
}

/** The socket and the TLS files that the server listens with. */
function listeningOf(options: OptionValues): Pick<ServeOptions, "socket" | "tls"> {
  const [certFile, keyFile, path] = [text(options, "tls-cert"), text(options, "tls-key"), text(options, "socket")];
  const givenMode = text(options, "socket-mode");
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new UsageError("--tls-cert and --tls-key belong together: a certificate, and its private key");
  }
  if (path === undefined) {
    if (givenMode !== undefined)
      throw new UsageError("--socket-mode says who may connect to a socket: give --socket too");
    return certFile === undefined || keyFile === undefined ? {} : { tls: { certFile, keyFile } };
  }
  if (certFile !== undefined) {
    throw new UsageError("--socket and --tls-cert contradict each other: what stays on this machine needs no TLS");
  }
  if (givenMode !== undefined && !/^0?[0-7]{3}$/.test(givenMode)) {
    throw new UsageError(`--socket-mode must be a mode as for chmod, for example 660, not "${oneLine(givenMode)}"`);
  }
  return { socket: { path, ...(givenMode === undefined ? {} : { mode: Number.parseInt(givenMode, 8) }) } };
}

function placeOf(options: OptionValues, name: "metrics" | "health", apiPort: number): Required<ProbePlace> | undefined {
  const [port, host] = [count(options, `${name}-port`), text(options, `${name}-host`)];
  if (port === undefined) {
    if (!host) return undefined;
    throw new UsageError(`--${name}-host says where --${name}-port listens: give --${name}-port too`);
  }
  if (port !== 0 && port === apiPort) throw new UsageError(`--${name}-port must be another than --port`);
  return { host: host || HOST_DEFAULT, port };
}

/** The console, and its own port if it has one. @param taken the other ports */
function consoleOf(options: OptionValues, taken: readonly (number | undefined)[]): Pick<ServeOptions, "console"> {
  const [port, host] = [count(options, "console-port"), text(options, "console-host")];
  const privateAddresses = flag(options, "console-private-addresses");
  if (!flag(options, "console")) {
    const [first] = [port !== undefined && "port", host && "host", privateAddresses && "private-addresses"].filter(
      Boolean,
    );
    if (first === undefined) return {};
    throw new UsageError(`--console-${first} is about the console: give --console too`);
  }
  if (port === undefined && host) {
    throw new UsageError("--console-host says where --console-port listens: give --console-port too");
  }
  if (port !== undefined && port !== 0 && taken.includes(port)) {
    throw new UsageError("--console-port must be another than --port, --metrics-port and --health-port");
  }
  const own = port === undefined ? {} : { port, host: host || HOST_DEFAULT };
  return { console: { ...own, privateAddresses } };
}

/** Checks that the address was printed. A server whose output fails is useless. A server whose output is closed is not, since its port may be known. */
function checkTold(refusal: Error | undefined): void {
  const isUnread = refusal !== undefined && "code" in refusal && refusal.code === "EPIPE";
  if (refusal !== undefined && !isUnread) throw new UserFileError("the output", "written", refusal);
}

/** Whether the error is about this address. */
function isOf(error: unknown, place: Partial<ProbePlace> | undefined): place is Required<ProbePlace> {
  if (place?.port === undefined || !(error instanceof Error)) return false;
  const isOfPort = "port" in error && error.port === place.port;
  return isOfPort || ("hostname" in error && error.hostname === place.host && place.host !== HOST_DEFAULT);
}

/** The limits of the engine and of requests. */
function limitsOf(options: OptionValues): Partial<ServeOptions> {
  const memoryBytes = count(options, "memory");
  const memoryMaxBytes = count(options, "memory-max");
  const openBotsMax = count(options, "open-bots-max");
  const rerankMemoryBytes = count(options, "rerank-memory");
  const graph = oneOf("--graph", text(options, "graph"), GRAPH_KINDS);
  const searchMs = count(options, "search-deadline");
  const bodyBytesMax = count(options, "body-max");
  const requestsMax = count(options, "requests-max");
  const botRequestsMax = count(options, "bot-requests-max");
  const waitMs = count(options, "wait-max");
  const connectionsMax = count(options, "connections-max");
  const timeouts = { ...(searchMs === undefined ? {} : { searchMs }), ...(waitMs === undefined ? {} : { waitMs }) };
  return {
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(memoryMaxBytes === undefined ? {} : { memoryMaxBytes }),
    ...(openBotsMax === undefined ? {} : { openBotsMax }),
    ...(rerankMemoryBytes === undefined ? {} : { rerankMemoryBytes }),
    ...(graph === undefined ? {} : { graph }),
    ...(flag(options, "no-rerank") ? { rerank: false } : {}),
    timeouts,
    ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
    ...(requestsMax === undefined ? {} : { requestsMax }),
    ...(botRequestsMax === undefined ? {} : { botRequestsMax }),
    ...(connectionsMax === undefined ? {} : { connectionsMax }),
    docs: !flag(options, "no-docs"),
    ...(flag(options, "no-compression") ? { compression: false } : {}),
  };
}

type Offers = Readonly<Record<string, EmbedderOffer>>;

/** The embedders that this server may use. A bot with another embedder is searched without it, and its operator is informed. */
function usable(offers: Offers, names: readonly string[] | undefined): Offers {
  if (names === undefined) return offers;
  if (names.includes(NO_EMBEDDER) && names.length > 1) {
    throw new UsageError(`--embedders ${NO_EMBEDDER} stands alone: bots are found by words then`);
  }
  return Object.fromEntries(Object.entries(offers).filter(([name]) => names.includes(name)));
}

/** The system's error for an address, with advice. */
function explained(error: unknown, { host, port }: Required<ProbePlace>, prefix = ""): unknown {
  // Other errors of the system, for files and folders, are not about the address.
  const isOfAddress = error instanceof Error && "syscall" in error && ADDRESS_CALLS.has(error.syscall);
  const code = isOfAddress && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new Error(`port ${port} on ${host} is taken by another program; choose another with --${prefix}port`);
  }
  if (code === "EACCES") {
    return new Error(`this user may not listen on port ${port}; choose one above 1023 with --${prefix}port`);
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new Error(`${host} is no address of this machine; choose another with --${prefix}host`);
  }
  return error;
}
