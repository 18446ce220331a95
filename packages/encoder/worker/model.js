/** The model as it runs: one text in, the rows of its last layer out. */
import { fileOf, readManifest, readModelFile } from "./model-files.js";

/** @import { Input, Manifest, OpenInput } from "./index.js" */

/**
 * @typedef {object} Model
 * @property {Manifest} manifest
 * @property {(part: string) => Promise<Uint8Array>} read the verified bytes of the file that is for this
 * @property {(text: string) => Input} inputOf
 * @property {(text: string) => Promise<{ rows: Float32Array; input: Input }>} rowsOf one row a token, each `hidden` long
 * @property {(piece: number) => string} spelling
 * @property {number} unknown the piece that stands for what the vocabulary lacks
 */

/** Given as a value: a name in the import itself would have bundlers resolve it, and fail where it is missing. */
const RUNTIME = "onnxruntime-node";

/**
 * The runtime is optional: where it has no binary for the machine, the import fails.
 * @returns {Promise<typeof import("onnxruntime-node")>}
 */
async function loadRuntime(name = RUNTIME) {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Error(`${name} does not load: ${reason}`, { cause: error });
  }
}

/**
 * Loads and verifies the model and what brings texts to it. Throws an error whose message says what is missing.
 * @param {string} directory the model's
 * @param {string} packageName whose it is
 * @param {OpenInput} openInput
 * @returns {Promise<Model>}
 */
export async function openModel(directory, packageName, openInput) {
  const { InferenceSession, Tensor } = await loadRuntime();
  const manifest = await readManifest(directory, packageName);
  /** @param {string} part */
  const read = (part) => readModelFile(directory, fileOf(manifest, part), packageName);
  const { inputOf, spelling, unknown } = await openInput({ manifest, read, Tensor });
  const session = await InferenceSession.create(await read("model"), {
    // One thread a worker: several workers use several cores better than one divided call does.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
  });
  return {
    manifest,
    read,
    inputOf,
    spelling,
    unknown,
    async rowsOf(text) {
      const input = inputOf(text);
      const outputs = await session.run(input.feeds);
      const rows = outputs.last_hidden_state?.data;
      if (!(rows instanceof Float32Array)) throw new Error("the model gave no rows");
      return { rows, input };
    },
  };
}
