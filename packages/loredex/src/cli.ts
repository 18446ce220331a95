#!/usr/bin/env node
import { writeSync } from "node:fs";
import { UserFileError } from "@loredex/import/files";
import { runCommandLine } from "./command-line.ts";
import { serverTerminal } from "./terminal/server-terminal.ts";
import type { Terminal } from "./terminal/terminal.ts";

const OUT = 1;
const ERR = 2;

/**
 * Writes at once and in full, so that nothing printed is lost when the process ends.
 * @returns false if the reader has closed
 */
function write(descriptor: number, text: string): boolean {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw new UserFileError("the output", "written", error);
      // The reader is slow. Waits for a moment without spinning.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}

let isServer = false;

const terminal: Terminal = {
  out: (text) => {
    // As in `loredex export BOT | head`: silent, but the exit code says that the output is incomplete.
    if (!write(OUT, text)) process.exit(1);
  },
  // A command continues if its progress cannot be written.
  err: (text) => {
    try {
      write(ERR, text);
    } catch {
      // There is no other place to report it.
    }
  },
  forServer: () => {
    isServer = true;
    return serverTerminal(terminal);
  },
  isScreen: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  isProgressScreen: process.stderr.isTTY === true,
};

/** The longest interval of a timer. */
const DAYS_24_MS = 2 ** 31 - 1;

// Idle workers, pauses and probes do not keep a program running, so that programs which embed Loredex can end. A command that waits for one of them must not
// end before it is answered: Node would end it without a word, with the code 13.
const whileItRuns = setInterval(() => undefined, DAYS_24_MS);
process.exitCode = await runCommandLine(process.argv.slice(2), terminal).finally(() => clearInterval(whileItRuns));
// Unread output of a server would keep the process alive for ever.
if (isServer) process.exit();
