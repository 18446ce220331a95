/**
 * The watcher thread of a converter process: a converter caught in a loop hears nothing itself. Plain JavaScript, so that it starts in the same way from the
 * sources and from the build.
 */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/** @type {{ memoryBytesMax: number, secondsMax: number, lifeline: number, lastWord: number }} */
const { memoryBytesMax, secondsMax, lifeline, lastWord } = workerData;
/** A process that fills its memory as fast as it can takes a few dozen MiB in this time. */
const INTERVAL_MS = 10;

/** Ends the whole process at once, whatever its main thread does. */
const end = () => process.kill(process.pid, "SIGKILL");

// However the host program ends, its end of the pipe is closed then.
const host = new Socket({ fd: lifeline, readable: true, writable: false });
host.on("close", end);
host.on("error", end);
host.resume();

/**
 * CPU time of this process when it was given its file; undefined without a file.
 * @type {NodeJS.CpuUsage | undefined}
 */
let before;
parentPort?.on("message", (/** @type {boolean} */ hasFile) => {
  before = hasFile ? process.cpuUsage() : undefined;
});

/** The time of other programs, which delay this one, is no fault of the file. */
const isTimeOver = () => {
  if (before === undefined) return false;
  const { user, system } = process.cpuUsage(before);
  return user + system > secondsMax * 1_000_000;
};

setInterval(() => {
  const over = process.memoryUsage.rss() > memoryBytesMax ? "memory" : isTimeOver() ? "time" : undefined;
  if (over === undefined) return;
  try {
    writeSync(lastWord, over);
  } finally {
    end();
  }
}, INTERVAL_MS);
