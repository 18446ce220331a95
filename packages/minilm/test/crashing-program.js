/** The program of a worker thread that does what the text says. */
import { parentPort } from "node:worker_threads";

/** @import { FromWorker, ToWorker } from "../src/messages.ts" */

/** @param {FromWorker} message */
const say = (message) => parentPort?.postMessage(message);

parentPort?.on("message", (/** @type {ToWorker} */ message) => {
  if (message.kind === "close") parentPort?.close();
  else if (message.text === "exit") process.exit(3);
  else if (message.text === "throw") throw new Error("on purpose");
  else if (message.text === "refuse") say({ kind: "failed", id: message.id, reason: "on purpose" });
  else say({ kind: "vector", id: message.id, vector: Float32Array.of(1) });
});
say({ kind: "ready" });
