/**
 * The thread that watches over the process that it is in: a converter that is caught in a loop hears nothing itself. Plain JavaScript, so that it
 * starts the same way from the sources and from the build.
 */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { workerData } from "node:worker_threads";

/** @type {{ memoryBytesMax: number, lifeline: number, lastWord: number }} */
const { memoryBytesMax, lifeline, lastWord } = workerData;
/** A process that fills its memory as fast as it can takes some dozen MiB in this time. */
const INTERVAL_MS = 10;

/** Of the whole process, at once, whatever its main thread does. */
const end = () => process.kill(process.pid, "SIGKILL");

// However the host program ends, its end of the pipe is closed then.
const host = new Socket({ fd: lifeline, readable: true, writable: false });
host.on("close", end);
host.on("error", end);
host.resume();

setInterval(() => {
  if (process.memoryUsage.rss() <= memoryBytesMax) return;
  try {
    writeSync(lastWord, "memory");
  } finally {
    end();
  }
}, INTERVAL_MS);
