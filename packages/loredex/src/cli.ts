import { writeSync } from "node:fs";
import { runCommandLine } from "./command-line.ts";
import type { Terminal } from "./terminal.ts";

/** Writes at once and in full: what is printed is not lost when the process ends, and a closed pipe ends it quietly. */
function write(descriptor: number, text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      // The reader is slow: give it a moment without spinning.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const terminal: Terminal = {
  out: (text) => write(1, text),
  err: (text) => write(2, text),
  isScreen: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  isProgressScreen: process.stderr.isTTY === true,
};

process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
