import { parentPort, workerData } from "node:worker_threads";

/** Asks one question after the other, by their numbers, and takes the time in a thread of its own, which never waits for what the other does. */

/** Between two questions, as of people: who is asked without end has no time for anything else. */
const PAUSE_MS = 2;

const count = Number(workerData);
let asked = 0;
let start = 0;

function ask() {
  start = performance.now();
  parentPort?.postMessage({ question: asked++ % count });
}

parentPort?.on("message", () => {
  parentPort?.postMessage({ waitedMs: performance.now() - start });
  setTimeout(ask, PAUSE_MS);
});
ask();
