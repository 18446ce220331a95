import type { Logger } from "@loredex/core";
import { oneLine, type Terminal } from "./terminal.ts";

/** Log events as lines for an operator: time, level, event, what happened. */
export function logLines(terminal: Terminal): Logger {
  return ({ level, event, message, botId, error }) => {
    const bot = botId === undefined ? "" : ` bot=${botId}`;
    const cause = error instanceof Error ? ` (${error.stack ?? error.message})` : "";
    terminal.err(`${new Date().toISOString()} ${level} ${event}${bot} ${oneLine(message + cause)}\n`);
  };
}
