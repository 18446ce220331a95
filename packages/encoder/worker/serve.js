/**
 * What the program of a worker process does: it loads the model, then encodes one text after the other, in the order in which they come.
 * Plain JavaScript, so that it starts the same way from the sources and from the build. The program's argument: the model's directory.
 */
import { openEncoder } from "./encoder.js";
import { ModelFileError } from "./model-files.js";

/** @import { FromWorker, ToWorker } from "../src/messages.ts" */
/** @import { OpenInput } from "./index.js" */

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Resolves when it is on its way.
 * @param {FromWorker} message
 * @returns {Promise<void>}
 */
const say = (message) => new Promise((resolve) => process.send?.(message, () => resolve()));

/**
 * Serves the host program until it closes this process, or ends.
 * @param {string} packageName whose model it is
 * @param {OpenInput} openInput
 */
export function serveEncoder(packageName, openInput) {
  const [modelDirectory] = process.argv.slice(2);
  if (process.send === undefined || modelDirectory === undefined) {
    throw new Error("This file is the program of a worker process.");
  }

  // Signals to a whole group of processes, as Ctrl-C, are for the host program, which may want its vectors until it ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  // However the host program ends, its end of the channel is closed then.
  process.on("disconnect", () => process.exit());

  const opening = openEncoder(modelDirectory, packageName, openInput).then(async (encoder) => {
    // Proves that the model runs here, and takes the slowness of a first call away from the first question.
    await encoder.encode("");
    return encoder;
  });

  /** @param {Extract<ToWorker, { kind: "encode" }>} message */
  async function encode({ id, text, tokens }) {
    try {
      const encoder = await opening;
      await say({ kind: "vector", id, ...(await encoder.encode(text, tokens)) });
    } catch (error) {
      await say({ kind: "failed", id, reason: reasonOf(error) });
    }
  }

  /** @type {Promise<void>} */
  let last = opening.then(
    ({ id, version, tokenCodes }) => say({ kind: "ready", id, version, tokenCodes }),
    async (error) => {
      const part = error instanceof ModelFileError ? "model" : "runtime";
      await say({ kind: "unavailable", part, reason: reasonOf(error) });
      process.disconnect();
    },
  );
  process.on("message", (/** @type {ToWorker} */ message) => {
    if (message.kind === "encode") last = last.then(() => encode(message));
    else last = last.finally(() => process.disconnect());
  });
}
