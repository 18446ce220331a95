import { columns, padded } from "./width.ts";

/** Where a command writes, and how. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Progress, logs, problems. */
  err(text: string): void;
  /** Whether results go to a person's screen. */
  readonly isScreen: boolean;
  /** Whether progress does. */
  readonly isProgressScreen: boolean;
  /** The same for a server, which must not wait for whoever reads; absent where nothing that is written can make anyone wait. */
  forServer?(): ServerTerminal;
}

/** Writes without ever waiting or failing: what cannot be written is dropped and counted. */
export interface ServerTerminal extends Terminal {
  tell(told: {
    /** Called with how many lines were dropped, once others can be written again. */
    readonly dropped: (lines: number) => void;
    /** Called with what Node warns of. */
    readonly warning: (warning: Error) => void;
  }): void;
  /** Why the latest result could not be written; undefined if it was, or still waits for a reader. */
  refusal(): Error | undefined;
  /** Resolves when all is written, or nobody takes it within half a second. */
  settled(): Promise<void>;
}

/** Characters that could move the cursor, ring, recolour or reorder the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Those of them that JSON leaves as they are. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A column of a table is not made wider than this; a longer cell pushes its row. */
const COLUMN_WIDTH_MAX = 60;

/** Stored text as it may be shown on a terminal: what could steer it becomes a harmless sign. Line breaks and tabs stay. */
export function terminalSafe(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, "\ufffd");
}

/** The same on one line. */
export function oneLine(text: string): string {
  return terminalSafe(text).replace(/\s+/g, " ").trim();
}

/** A value as one line of JSON that a terminal can show as well: what could steer it is escaped, which changes no value. */
export function jsonLine(value: unknown): string {
  return `${jsonSafe(JSON.stringify(value))}\n`;
}

/** JSON that a terminal can show. */
export function jsonSafe(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function bold(text: string, terminal: Terminal): string {
  return terminal.isScreen ? `\u001b[1m${text}\u001b[22m` : text;
}

export function dim(text: string, terminal: Terminal): string {
  return terminal.isScreen ? `\u001b[2m${text}\u001b[22m` : text;
}

/** Rows under their headings, each column as wide as it must be; with a line break at the end. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map((row) => row.map(oneLine))];
  const widths = headings.map((_, i) => {
    const widest = all.reduce((width, row) => Math.max(width, columns(row[i] ?? "")), 0);
    return Math.min(widest, COLUMN_WIDTH_MAX);
  });
  const line = (row: readonly string[]): string => row.map((cell, i) => padded(cell, widths[i] ?? 0)).join("  ");
  return `${all.map((row) => line(row).trimEnd()).join("\n")}\n`;
}

/** 1234567 → 1,234,567 */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

const SIZE_UNITS = [
  ["KiB", 1_024],
  ["MiB", 1_048_576],
  ["GiB", 1_073_741_824],
] as const;

/** A number of bytes, 0 or more, as people read it: 1 byte, 1,023 bytes, 1 KiB, 3.1 KiB, 46.5 MiB. */
export function sized(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, "byte", "bytes");
  // What is more would be rounded up to 1,024.
  const [unit, size] = SIZE_UNITS.find(([, each]) => bytes / each < 1_023.95) ?? SIZE_UNITS[2];
  return `${(bytes / size).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}

/** A number with the word for one or for more: 1 document, 1,234 documents. */
export function counted(count: number, one: string, more: string): string {
  return `${grouped(count)} ${count === 1 ? one : more}`;
}
