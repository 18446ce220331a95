import { logLines } from "../log-lines.ts";
import { serve } from "../serve.ts";
import { jsonLine } from "../terminal.ts";
import { bytes, type Command, count, text, UsageError } from "./command.ts";

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
  options: { host: { type: "string" }, port: { type: "string" }, memory: { type: "string" } },
  optionHelp: [
    ["--host HOST", `address to listen on (default ${HOST_DEFAULT}: this machine only)`],
    ["--port PORT", `default ${PORT_DEFAULT}; 0 picks a free one`],
    ["--memory SIZE", "about what open bots may take, for example 4g (default: by the machine)"],
  ],
  async run({ options, terminal, json, directory }) {
    const port = count(options, "port") ?? PORT_DEFAULT;
    if (port > PORT_MAX) throw new UsageError(`--port must be at most ${PORT_MAX}`);
    const host = text(options, "host") || HOST_DEFAULT;
    const memoryBytes = bytes(options, "memory");
    const budget = memoryBytes === undefined ? {} : { memoryBytes };
    const server = await serve({ directory, host, port, logger: logLines(terminal), ...budget }).catch(
      (error: unknown) => {
        throw explained(error, host, port);
      },
    );
    try {
      const stopped = signalled();
      terminal.out(json ? jsonLine({ url: server.url }) : `Loredex serves on ${server.url}\n`);
      await stopped;
      terminal.err("Finishing what runs.\n");
    } finally {
      // Also where its address could not be told.
      const late = setTimeout(() => process.exit(1), SHUTDOWN_MS);
      await server.close();
      clearTimeout(late);
    }
    return 0;
  },
};

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
