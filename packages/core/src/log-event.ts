/** Something an operator may want to know. It never holds a key, and of knowledge only ids. */
export interface LogEvent {
  readonly level: "info" | "warn" | "error";
  /** Stable name, for example `snapshotFailed`. */
  readonly event: string;
  readonly message: string;
  readonly botId?: string;
  readonly error?: unknown;
}

export type Logger = (event: LogEvent) => void;
