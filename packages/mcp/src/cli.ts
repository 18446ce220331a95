import { runMcpCommand } from "./command-line.ts";
import { serveMcp } from "./serve-mcp.ts";

// The reader of stderr may be gone; the work continues.
process.stderr.on("error", () => {});

process.exitCode = await runMcpCommand(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  serve: serveMcp,
});
