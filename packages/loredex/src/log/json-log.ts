import type { Logger } from "@loredex/core";
import { pino } from "pino";
import { jsonSafe, type Terminal } from "../terminal/terminal.ts";
import { isKnownFault } from "./known-fault.ts";

/**
 * Log events as lines of JSON: `level`, `time` and all that is known of the event, by its own names. They are made at once, by this thread; how they
 * are written is the terminal's part.
 */
export function jsonLog(terminal: Terminal, now: () => Date = () => new Date()): Logger {
  const log = pino(
    {
      level: "debug",
      // A process's number and its host are known to whoever collects the lines.
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
