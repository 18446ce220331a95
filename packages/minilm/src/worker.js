/**
 * The program of a worker thread: loads the model, then encodes one text after the other, in the order in which they come.
 * Plain JavaScript, so that it starts the same way from the sources and from the build.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openEncoder } from "./worker/encoder.js";
import { Gate } from "./worker/gate.js";

/** @import { FromWorker, ToWorker, WorkerStart } from "./messages.ts" */
/** @import { Encoder } from "./worker/encoder.js" */

const port = parentPort;
if (port === null) throw new Error("This file is the program of a worker thread.");

/** @type {WorkerStart} */
const start = workerData;
const gate = new Gate(start.gate);

/** @param {FromWorker} message */
const say = (message) => port.postMessage(message);
/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {Encoder} encoder
 * @param {number} id
 * @param {string} text
 */
async function encode(encoder, id, text) {
  try {
    say({ kind: "vector", id, vector: await gate.through(() => encoder.encode(text)) });
  } catch (error) {
    say({ kind: "failed", id, reason: reasonOf(error) });
  }
}

try {
  const encoder = await gate.through(async () => {
    const opened = await openEncoder(start.modelDirectory);
    // Proves that the model runs here, and takes the slowness of a first call away from the first question.
    await opened.encode("");
    return opened;
  });
  let last = Promise.resolve();
  port.on("message", (/** @type {ToWorker} */ message) => {
    if (message.kind === "encode") last = last.then(() => encode(encoder, message.id, message.text));
    else last = last.then(() => gate.through(() => encoder.release())).finally(() => port.close());
  });
  say({ kind: "ready" });
} catch (error) {
  say({ kind: "unavailable", reason: reasonOf(error) });
}
