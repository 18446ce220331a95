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
 * @returns false if nobody reads any more
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
      // The reader is slow: give it a moment without spinning.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}

let isServer = false;

const terminal: Terminal = {
  out: (text) => {
    // As in `loredex export BOT | head`: quietly, but what was asked for was not delivered in full.
    if (!write(OUT, text)) process.exit(1);
  },
  // A command goes on when nobody reads what it tells of its work.
  err: (text) => {
    try {
      write(ERR, text);
    } catch {
      // There is nowhere else to say it.
    }
  },
  forServer: () => {
    isServer = true;
    return serverTerminal(terminal);
  },
  isScreen: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  isProgressScreen: process.stderr.isTTY === true,
};

process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
// What nobody takes of a server's output would keep the process for ever.
if (isServer) process.exit();
