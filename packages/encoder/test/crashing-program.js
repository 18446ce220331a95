/** The program of a worker process that does what the text says. */

/** @import { FromWorker, ToWorker } from "../src/messages.ts" */

/** @param {FromWorker} message */
const say = (message) => process.send?.(message);

/** As good as stopped: it hears nothing, also not that its host is gone. */
const freeze = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

// What else is the model's directory.
if (process.argv[2] === "SIGKILL") process.kill(process.pid, "SIGKILL");
if (process.argv[2] === "freeze") freeze();
process.on("message", (/** @type {ToWorker} */ message) => {
  if (message.kind === "close") process.disconnect();
  else if (message.text === "exit") process.exit(3);
  else if (message.text === "abort") process.abort();
  else if (message.text === "freeze") freeze();
  else if (message.text === "process") {
    // In two parts: a number of single precision has 24 bits.
    say({
      kind: "vector",
      id: message.id,
      vector: Float32Array.of(process.pid % 65_536, Math.floor(process.pid / 65_536)),
    });
  } else if (message.text === "refuse") say({ kind: "failed", id: message.id, reason: "on purpose" });
  else if (message.text.startsWith("environment ")) {
    say({ kind: "failed", id: message.id, reason: `${process.env[message.text.slice(12)]}` });
  } else say({ kind: "vector", id: message.id, vector: Float32Array.of(1) });
});
say({ kind: "ready", id: "example", version: "1" });
