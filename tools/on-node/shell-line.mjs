import { spawn } from "node:child_process";

/** No line may take longer; a test run on a busy machine comes nearest. */
const LINE_MS_MAX = 45 * 60_000;

/** A line that runs in a shell as if it had been typed there. What it prints is kept, and is seen at once unless it is `quiet`. */
export class ShellLine {
  output = "";
  /** @type {Promise<string>} how it ended: "0" or another status, or the name of a signal */
  ended;
  #child;
  #isOver = false;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /**
   * @param {string} line
   * @param {{ cwd: string, env: NodeJS.ProcessEnv, quiet?: boolean }} where
   */
  constructor(line, { cwd, env, quiet = false }) {
    // A group of its own, so that Ctrl-C reaches all of it, and nothing else.
    this.#child = spawn("sh", ["-c", line], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const limit = setTimeout(() => this.signal("SIGKILL"), LINE_MS_MAX);
    for (const [from, to] of /** @type {const} */ ([
      [this.#child.stdout, process.stdout],
      [this.#child.stderr, process.stderr],
    ])) {
      from.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        if (!quiet) to.write(text);
        this.output += text;
        for (const look of this.#watchers) look();
      });
    }
    this.ended = new Promise((resolve) => {
      // Not before everything that it printed has been read.
      this.#child.once("close", (status, signal) => {
        clearTimeout(limit);
        this.#isOver = true;
        resolve(signal ?? String(status));
        for (const look of this.#watchers) look();
      });
    });
  }

  /**
   * @param {string} text
   * @returns {Promise<boolean>} whether it was printed; false when the line is over without it
   */
  printed(text) {
    return new Promise((resolve) => {
      const look = () => {
        const has = this.output.includes(text);
        if (!has && !this.#isOver) return;
        this.#watchers.delete(look);
        resolve(has);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /**
   * To the line and everything that it started.
   * @param {NodeJS.Signals} signal
   */
  signal(signal) {
    if (this.#isOver || this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // Gone in this moment.
    }
  }
}
