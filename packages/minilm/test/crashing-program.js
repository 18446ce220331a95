/** The program of a worker process that does what the text says. */

/** @import { FromWorker, ToWorker } from "../src/messages.ts" */

/** @param {FromWorker} message */
const say = (message) => process.send?.(message);

// What else is the model's directory.
if (process.argv[2] === "SIGKILL") process.kill(process.pid, "SIGKILL");

process.on("message", (/** @type {ToWorker} */ message) => {
  if (message.kind === "close") process.disconnect();
  else if (message.text === "exit") process.exit(3);
  else if (message.text === "abort") process.abort();
  else if (message.text === "refuse") say({ kind: "failed", id: message.id, reason: "on purpose" });
  else if (message.text.startsWith("environment ")) {
    say({ kind: "failed", id: message.id, reason: `${process.env[message.text.slice(12)]}` });
  } else say({ kind: "vector", id: message.id, vector: Float32Array.of(1) });
});
say({ kind: "ready" });
