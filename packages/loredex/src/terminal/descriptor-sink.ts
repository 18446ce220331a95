import { fstatSync, write, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Sink } from "./output-queue.ts";

/** The pause before a full place is tried again, in milliseconds. */
const FULL_MS = 50;

/**
 * The process's own output, without blocking. A pipe or a socket is written through Node's stream, which lets the reader be slow.
 * A file, a device or a terminal is written by a thread of the pool.
 */
export function descriptorSink(descriptor: 1 | 2): Sink {
  const stat = fstatSync(descriptor);
  return stat.isFIFO() || stat.isSocket()
    ? streamSink(descriptor === 1 ? process.stdout : process.stderr, descriptor)
    : fileSink(descriptor);
}

function streamSink(stream: Writable, descriptor: number): Sink {
  // Each writer gets the error. Without a listener it would end the process.
  stream.on("error", () => undefined);
  return {
    write: (bytes, done) => {
      stream.write(bytes, (error) => done(error ?? bytes.length));
    },
    writeNow: (bytes) => writeNow(descriptor, bytes),
  };
}

function fileSink(descriptor: number): Sink {
  const attempt = (bytes: Buffer, done: (result: number | Error) => void): void => {
    write(descriptor, bytes, (error, written) => {
      if (error === null) done(written);
      else if (error.code === "EAGAIN") setTimeout(attempt, FULL_MS, bytes, done);
      else done(error);
    });
  };
  return { write: attempt, writeNow: (bytes) => writeNow(descriptor, bytes) };
}

function writeNow(descriptor: number, bytes: Buffer): void {
  try {
    writeSync(descriptor, bytes);
  } catch {
    // The process ends, so the error cannot be reported.
  }
}
