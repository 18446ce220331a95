import type { Logger } from "@loredex/core";
import { pino } from "pino";
import { jsonSafe, type Terminal } from "../terminal/terminal.ts";
import { isKnownFault } from "./known-fault.ts";

/**
 * A logger that writes events as lines of JSON: `level`, `time` and all fields of the event under their own names.
 * This thread makes the lines at once. The terminal decides how they are written.
 */
export function jsonLog(terminal: Terminal, now: () => Date = () => new Date()): Logger {
  const log = pino(
    {
      level: "debug",
      // The collector of the lines knows the process number and the host.
      base: null,
      messageKey: "message",
      errorKey: "error",
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: told },
    },
    { write: (line) => terminal.err(jsonSafe(line)) },
  );
  return ({ level, message, ...known }) => log[level](known, message);
}

function told(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const { name, message, stack } = error;
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return isKnownFault(error) ? { ...code, message } : { name, ...code, message, stack };
}
