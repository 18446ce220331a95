/** Something an operator may want to know. It never holds a key, and of knowledge only ids. */
export interface LogEvent {
  /** `debug` is for what comes all the time, such as a monitor's questions. */
  readonly level: "debug" | "info" | "warn" | "error";
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
