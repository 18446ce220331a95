import type { Logger } from "@loredex/core";
import { oneLine, type Terminal } from "../terminal/terminal.ts";
import { isKnownFault } from "./known-fault.ts";

/** The fields with a fixed place at the beginning of the line. */
const PLACED = new Set(["level", "event", "message", "error"]);

/**
 * A logger that writes events as lines for an operator: time, level, event, message, and all other fields as `name=value`.
 * No sent or stored text can break a line or control the terminal.
 */
export function logLines(terminal: Terminal, now: () => Date = () => new Date()): Logger {
  return (logged) => {
    const { level, event, message, error } = logged;
    const cause = error instanceof Error ? ` (${told(error)})` : "";
    const more = Object.entries(logged)
      .filter(([name, value]) => !PLACED.has(name) && ["string", "number", "boolean"].includes(typeof value))
      .map(([name, value]) => ` ${name}=${field(value)}`);
    terminal.err(`${now().toISOString()} ${level} ${event} ${oneLine(message + cause)}${more.join("")}\n`);
  };
}

function told(error: Error): string {
  return isKnownFault(error) ? error.message : (error.stack ?? error.message);
}

/** The events that a command reports itself at its end, in the same words. */
const SAID_AT_THE_END: ReadonlySet<string> = new Set([
  "embedderUnavailable",
  "botQuarantined",
  "botInaccessible",
  "otherLanguage",
  "wordsAlone",
]);

/** The log of a command, without the events that it reports itself. */
export function commandLog(terminal: Terminal): Logger {
  const lines = logLines(terminal);
  return (logged) => {
    if (!SAID_AT_THE_END.has(logged.event)) lines(logged);
  };
}

function field(value: unknown): string {
  if (typeof value === "number") return String(Math.round(value * 1_000) / 1_000);
  const text = oneLine(String(value));
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
