import { logLines } from "../log-lines.ts";
import { serve } from "../serve.ts";
import { type Command, count, text, UsageError } from "./command.ts";

/** After this a server that does not finish is ended all the same; the disk has every acknowledged write. */
const SHUTDOWN_MS = 10_000;

export const serveCommand: Command = {
  usage: "serve",
  summary: "the HTTP server; prints its address when it is ready",
  positionals: [0, 0],
  options: { host: { type: "string" }, port: { type: "string" } },
  optionHelp: [
    ["--host HOST", "address to listen on (default 127.0.0.1: this machine only)"],
    ["--port PORT", "default 8080; 0 picks a free one"],
  ],
  async run({ options, terminal, json, directory }) {
    const port = count(options, "port") ?? 8080;
    if (port > 65_535) throw new UsageError("--port must be at most 65535");
    const host = text(options, "host") ?? "127.0.0.1";
    const server = await serve({ directory, host, port, logger: logLines(terminal) }).catch((error: unknown) => {
      throw explained(error, host, port);
    });
    terminal.out(json ? `${JSON.stringify({ url: server.url })}\n` : `Loredex serves on ${server.url}\n`);
    await new Promise<void>((resolve) => {
      process.once("SIGTERM", () => resolve());
      process.once("SIGINT", () => resolve());
    });
    terminal.err("Finishing what runs.\n");
    const late = setTimeout(() => process.exit(1), SHUTDOWN_MS);
    await server.close();
    clearTimeout(late);
    return 0;
  },
};

/** The system's word for it, with what to do. */
function explained(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new Error(`port ${port} on ${host} is taken by another program; choose another with --port`);
  if (code === "EACCES")
    return new Error(`this user may not listen on port ${port}; choose one above 1023 with --port`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new Error(`${host} is no address of this machine; choose another with --host`);
  return error;
}
