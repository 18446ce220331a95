import { runMcpCommand } from "./command-line.ts";
import { serveMcp } from "./serve-mcp.ts";

// Nobody may read what is told of the work, which goes on.
process.stderr.on("error", () => {});

process.exitCode = await runMcpCommand(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  serve: serveMcp,
});
