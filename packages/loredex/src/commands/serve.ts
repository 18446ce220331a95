import { CONNECTIONS_MAX, type EmbedderOffer, NO_EMBEDDER } from "@loredex/core";
import { EMBEDDER_NAMES, embeddersNamed } from "../embedders.ts";
import { LOG_FORMATS, LOG_LEVEL_DEFAULT, LOG_LEVELS, serverLog } from "../log/server-log.ts";
import { type ServeOptions, serve } from "../serve.ts";
import { jsonLine } from "../terminal.ts";
import {
  bytes,
  type Command,
  count,
  countFromOne,
  milliseconds,
  type OptionValues,
  oneOf,
  text,
  UsageError,
} from "./command.ts";

/** A server that has not finished by then is ended all the same: the disk has every acknowledged write. */
const SHUTDOWN_MS = 10_000;
const PORT_DEFAULT = 8_080;
const ADDRESS_CALLS: ReadonlySet<unknown> = new Set(["listen", "bind", "getaddrinfo"]);
const PORT_MAX = 65_535;
const HOST_DEFAULT = "127.0.0.1";

export const serveCommand: Command = {
  usage: "serve",
  summary: "the HTTP server; prints its address when it is ready",
  positionals: [0, 0],
  options: {
    host: { type: "string" },
    port: { type: "string" },
    memory: { type: "string" },
    "open-bots-max": { type: "string" },
    embedders: { type: "string" },
    "search-deadline": { type: "string" },
    "body-max": { type: "string" },
    "requests-max": { type: "string" },
    "connections-max": { type: "string" },
    log: { type: "string" },
    "log-level": { type: "string" },
  },
  optionHelp: [
    ["--host HOST", `address to listen on (default ${HOST_DEFAULT}: this machine only)`],
    ["--port PORT", `default ${PORT_DEFAULT}; 0 picks a free one`],
    ["--memory SIZE", "about what open bots may take, for example 4g (default: by the machine)"],
    ["--open-bots-max N", "bots that are open at once (default: by the files that may be open)"],
    ["--embedders NAMES", `those that may be used: of ${EMBEDDER_NAMES.join(", ")} (default: all)`],
    ["--search-deadline TIME", "a longer search is given up (default 10s)"],
    ["--body-max SIZE", "largest request body (default 1m)"],
    ["--requests-max N", "requests worked on at once (default 256)"],
    ["--connections-max N", `open connections (default: by the files that may be open, at most ${CONNECTIONS_MAX})`],
    ["--log FORMAT", `${LOG_FORMATS.join(" or ")} (default: text for a terminal, else json)`],
    ["--log-level LEVEL", `${LOG_LEVELS.join(", ")} (default ${LOG_LEVEL_DEFAULT})`],
  ],
  async run({ options, terminal, json, directory }) {
    const [host, port] = [text(options, "host") || HOST_DEFAULT, portOf(options, "port") ?? PORT_DEFAULT];
    const format = oneOf("--log", text(options, "log"), LOG_FORMATS);
    const level = oneOf("--log-level", text(options, "log-level"), LOG_LEVELS);
    const limits = { ...budgetsOf(options), ...limitsOf(options) };
    const logger = await serverLog(terminal, { format, level });
    const server = await serve({ directory, host, port, logger, ...limits }).catch((error: unknown) => {
      throw explained(error, host, port);
    });
    try {
      const stopped = signalled();
      terminal.out(json ? jsonLine({ url: server.url }) : `Loredex serves on ${server.url}\n`);
      await stopped;
      logger({ level: "info", event: "stopping", message: "Finishing what runs." });
    } finally {
      // Also where its address could not be told.
      const late = setTimeout(() => process.exit(1), SHUTDOWN_MS);
      await server.close();
      clearTimeout(late);
    }
    return 0;
  },
};

function portOf(options: OptionValues, name: string): number | undefined {
  const port = count(options, name);
  if (port !== undefined && port > PORT_MAX) throw new UsageError(`--${name} must be at most ${PORT_MAX}`);
  return port;
}

/** What the engine may take. */
function budgetsOf(options: OptionValues): Partial<ServeOptions> {
  const memoryBytes = bytes(options, "memory");
  const openBotsMax = countFromOne(options, "open-bots-max");
  const embedders = embeddersOf(options);
  return {
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(openBotsMax === undefined ? {} : { openBotsMax }),
    ...(embedders === undefined ? {} : { embedders }),
  };
}

/** What requests may take. */
function limitsOf(options: OptionValues): Partial<ServeOptions> {
  const searchMs = milliseconds(options, "search-deadline");
  const bodyBytesMax = bytes(options, "body-max");
  const requestsMax = countFromOne(options, "requests-max");
  const connectionsMax = countFromOne(options, "connections-max");
  return {
    ...(searchMs === undefined ? {} : { timeouts: { searchMs } }),
    ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
    ...(requestsMax === undefined ? {} : { requestsMax }),
    ...(connectionsMax === undefined ? {} : { connectionsMax }),
  };
}

function embeddersOf(options: OptionValues): Readonly<Record<string, EmbedderOffer>> | undefined {
  const value = text(options, "embedders");
  if (value === undefined) return undefined;
  const names = value.split(",").map((name) => name.trim());
  for (const name of names) oneOf("--embedders", name, EMBEDDER_NAMES);
  if (names.includes(NO_EMBEDDER) && names.length > 1) {
    throw new UsageError(`--embedders ${NO_EMBEDDER} stands alone: bots are found by words then`);
  }
  return embeddersNamed(names);
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    // Not once: Ctrl-C can arrive twice, from the terminal and passed on by npm, and must not end what is being finished.
    process.on("SIGTERM", () => resolve()).on("SIGINT", () => resolve());
  });
}

/** The system's word for it, with what to do. */
function explained(error: unknown, host: string, port: number): unknown {
  // What else the system refuses (a file, a folder) is not of the address.
  const isOfAddress = error instanceof Error && "syscall" in error && ADDRESS_CALLS.has(error.syscall);
  const code = isOfAddress && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new Error(`port ${port} on ${host} is taken by another program; choose another with --port`);
  }
  if (code === "EACCES") {
    return new Error(`this user may not listen on port ${port}; choose one above 1023 with --port`);
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new Error(`${host} is no address of this machine; choose another with --host`);
  }
  return error;
}
