import { Violations } from "../domain/validation.ts";

/** Something an operator may want to know. It never holds a key, and of knowledge only ids. */
export interface LogEvent {
  readonly level: "info" | "warn" | "error";
  /** Stable name, for example `snapshotFailed`. */
  readonly event: string;
  readonly message: string;
  readonly botId?: string;
  /** Where damage was found: the file, the byte in it, and the sequence number of the record that should be there. */
  readonly file?: string;
  readonly offset?: number;
  readonly sequence?: number;
  readonly error?: unknown;
}

export type Logger = (event: LogEvent) => void;

/** @throws ValidationError for what is no function: it would only be missed when there is something to tell, long after */
export function requireLogger(logger: unknown): void {
  if (logger === undefined || typeof logger === "function") return;
  const violations = new Violations();
  violations.add(
    "logger",
    "function",
    "logger must be a function that takes one event: { level, event, message, ... }",
  );
  violations.throwIfAny();
}
