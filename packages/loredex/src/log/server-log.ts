import type { LogEvent, Logger } from "@loredex/core";
import type { Terminal } from "../terminal/terminal.ts";
import { logLines } from "./log-lines.ts";

export const LOG_FORMATS = ["json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The log levels, from everything to nothing. Probes are `debug`, requests `info`. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_LEVEL_DEFAULT: LogLevel = "info";

export interface LogChoices {
  /** Default: `text` for a person's terminal, else `json`. */
  readonly format?: LogFormat | undefined;
  readonly level?: LogLevel | undefined;
}

/** The log of a server, in the format and level that its operator chose. */
export async function serverLog(terminal: Terminal, { format, level }: LogChoices): Promise<Logger> {
  const log = await writer(terminal, format ?? (terminal.isProgressScreen ? "text" : "json"));
  const least = LOG_LEVELS.indexOf(level ?? LOG_LEVEL_DEFAULT);
  return (event: LogEvent) => {
    if (LOG_LEVELS.indexOf(event.level) >= least) log(event);
  };
}

async function writer(terminal: Terminal, format: LogFormat): Promise<Logger> {
  if (format === "text") return logLines(terminal);
  // Loaded only by servers that need it: commands start without it.
  const { jsonLog } = await import("./json-log.ts");
  return jsonLog(terminal);
}
