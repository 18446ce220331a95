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
}

/** Characters that could move the cursor, ring or recolour: shown as a harmless sign. Line breaks and tabs stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Stored text as it may be shown on a terminal. */
export function terminalSafe(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, "\ufffd");
}

/** On one line. */
export function oneLine(text: string): string {
  return terminalSafe(text).replace(/\s+/g, " ").trim();
}

export function bold(text: string, terminal: Terminal): string {
  return terminal.isScreen ? `\u001b[1m${text}\u001b[22m` : text;
}

export function dim(text: string, terminal: Terminal): string {
  return terminal.isScreen ? `\u001b[2m${text}\u001b[22m` : text;
}

/** Rows under their headings, each column as wide as it must be. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map((row) => row.map(oneLine))];
  const widths = headings.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** 1234567 → 1,234,567 */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Progress: one line that is written over on a screen, else a line now and then. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #intervalMs: number;
  #lastMs = performance.now();
  #shown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#intervalMs = terminal.isProgressScreen ? 100 : 5_000;
  }

  update(text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < this.#intervalMs) return;
    this.#lastMs = nowMs;
    this.#shown = true;
    this.#terminal.err(this.#terminal.isProgressScreen ? `\r\u001b[2K${text}` : `${text}\n`);
  }

  /** Clears the line, so that something else can be written. */
  clear(): void {
    if (this.#shown && this.#terminal.isProgressScreen) this.#terminal.err("\r\u001b[2K");
  }
}
