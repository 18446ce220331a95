import type { Terminal } from "./terminal.ts";

const SCREEN_INTERVAL_MS = 100;
const LINES_INTERVAL_MS = 5_000;

/** The display of progress: one line that is overwritten on a screen, else a line now and then. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #nowMs: () => number;
  #lastMs: number;
  #isShown = false;

  /** @param nowMs never runs backwards */
  constructor(terminal: Terminal, nowMs: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  update(text: string): void {
    const { isProgressScreen, err } = this.#terminal;
    const nowMs = this.#nowMs();
    if (nowMs - this.#lastMs < (isProgressScreen ? SCREEN_INTERVAL_MS : LINES_INTERVAL_MS)) return;
    this.#lastMs = nowMs;
    this.#isShown = true;
    err(isProgressScreen ? `\r\u001b[2K${text}` : `${text}\n`);
  }

  /** Clears the line, so that something else can be written. */
  clear(): void {
    if (this.#isShown && this.#terminal.isProgressScreen) this.#terminal.err("\r\u001b[2K");
    this.#isShown = false;
  }
}
