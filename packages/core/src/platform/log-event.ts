/** An event for the operator. It never holds a key, and of knowledge only ids. */
export interface LogEvent {
  /** `debug` is for frequent events, such as a monitor's requests. */
  readonly level: "debug" | "info" | "warn" | "error";
  /** Stable name, for example `snapshotFailed`. */
  readonly event: string;
  readonly message: string;
  readonly botId?: string;
  /** The place of damage: the file, the byte in it, and the sequence number of the expected record. */
  readonly file?: string;
  readonly offset?: number;
  readonly sequence?: number;
  readonly error?: unknown;
}

/** Receives log events. */
export type Logger = (event: LogEvent) => void;
