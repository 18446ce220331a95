import { columns, padded } from "./width.ts";

/** The output of a command. */
export interface Terminal {
  /** Prints results. */
  out(text: string): void;
  /** Prints progress, logs and problems. */
  err(text: string): void;
  /** Whether results are shown on a person's screen. */
  readonly isScreen: boolean;
  /** Whether progress is shown on a person's screen. */
  readonly isProgressScreen: boolean;
  /** The output for a server, which must not wait for readers; absent if writing can never block. */
  forServer?(): ServerTerminal;
}

/** Output that never waits or fails. If it cannot be written, it is dropped and counted. */
export interface ServerTerminal extends Terminal {
  tell(told: {
    /** Called with the number of dropped lines, once others can be written again. */
    readonly dropped: (lines: number) => void;
    /** Called with warnings of Node. */
    readonly warning: (warning: Error) => void;
  }): void;
  /** The error of the latest result; undefined if it was written, or still waits for a reader. */
  refusal(): Error | undefined;
  /** Resolves when all is written, or after half a second without a reader. */
  settled(): Promise<void>;
}

/** Characters that could move the cursor, ring, recolour or reorder the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Unsafe characters that JSON does not escape. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The widest column of a table. A longer cell shifts the rest of its row. */
const COLUMN_WIDTH_MAX = 60;

/** Stored text that is safe for a terminal. Control characters become a replacement character. Line breaks and tabs stay. */
export function terminalSafe(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, "\ufffd");
}

/** As {@link terminalSafe}, on one line. */
export function oneLine(text: string): string {
  return terminalSafe(text).replace(/\s+/g, " ").trim();
}

/** Words as people list them: `a, b or c`. */
export function listed(words: readonly string[]): string {
  const [last = "", ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`;
}

/** A value as one line of JSON that is safe for a terminal. Control characters are escaped, which changes no value. */
export function jsonLine(value: unknown): string {
  return `${jsonSafe(JSON.stringify(value))}\n`;
}

/** JSON that is safe for a terminal. */
export function jsonSafe(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function bold(text: string, terminal: Terminal): string {
  return terminal.isScreen ? `\u001b[1m${text}\u001b[22m` : text;
}

export function dim(text: string, terminal: Terminal): string {
  return terminal.isScreen ? `\u001b[2m${text}\u001b[22m` : text;
}

/** A table of rows under their headings, each column as wide as needed. It ends with a line break. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map((row) => row.map(oneLine))];
  const widths = headings.map((_, i) => {
    const widest = all.reduce((width, row) => Math.max(width, columns(row[i] ?? "")), 0);
    return Math.min(widest, COLUMN_WIDTH_MAX);
  });
  const line = (row: readonly string[]): string => row.map((cell, i) => padded(cell, widths[i] ?? 0)).join("  ");
  return `${all.map((row) => line(row).trimEnd()).join("\n")}\n`;
}

/** A number with thousands separators: 1234567 → 1,234,567. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

const SIZE_UNITS = [
  ["KiB", 1_024],
  ["MiB", 1_048_576],
  ["GiB", 1_073_741_824],
] as const;

/** A number of bytes, 0 or more, as text: 1 byte, 1,023 bytes, 1 KiB, 3.1 KiB, 46.5 MiB. */
export function sized(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, "byte", "bytes");
  // A larger number would be rounded up to 1,024.
  const [unit, size] = SIZE_UNITS.find(([, each]) => bytes / each < 1_023.95) ?? SIZE_UNITS[2];
  return `${(bytes / size).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}

/** A number with the word for one or for more: 1 document, 1,234 documents. */
export function counted(count: number, one: string, more: string): string {
  return `${grouped(count)} ${count === 1 ? one : more}`;
}
