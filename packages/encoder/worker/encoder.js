/** The model itself: one text in, one vector out. */
import { fileOf, readManifest, readModelFile } from "./model-files.js";
import { openTurn } from "./turn.js";
import { meanOfRows, readFloats, unitOf, without } from "./vectors.js";

/** @import { OpenInput } from "./index.js" */

/**
 * @typedef {object} Encoder
 * @property {string} id
 * @property {string} version
 * @property {(text: string) => Promise<Float32Array>} encode
 */

/** The runtime is optional: where it has no binary for the machine, the import fails. */
async function loadRuntime() {
  try {
    return await import("onnxruntime-node");
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Error(`onnxruntime-node does not load: ${reason}`, { cause: error });
  }
}

/**
 * Loads and verifies everything. Throws an error whose message says what is missing.
 * @param {string} directory the model's
 * @param {string} packageName whose it is
 * @param {OpenInput} openInput
 * @returns {Promise<Encoder>}
 */
export async function openEncoder(directory, packageName, openInput) {
  const { InferenceSession, Tensor } = await loadRuntime();
  const manifest = await readManifest(directory, packageName);
  /** @param {string} part */
  const read = (part) => readModelFile(directory, fileOf(manifest, part), packageName);
  const inputOf = await openInput({ manifest, read, Tensor });
  /** @param {string} part */
  const floatsIfAny = async (part) => (manifest.files[part] === undefined ? undefined : readFloats(await read(part)));
  const common = await floatsIfAny("common");
  const axes = await floatsIfAny("rotation");
  const turn = axes === undefined ? undefined : openTurn(axes, manifest.hidden);
  const session = await InferenceSession.create(await read("model"), {
    // One thread a worker: several workers use several cores better than one divided call does.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
  });

  return {
    id: manifest.id,
    version: manifest.version,
    async encode(text) {
      const { tokens, feeds } = inputOf(text);
      const outputs = await session.run(feeds);
      const rows = outputs.last_hidden_state?.data;
      if (!(rows instanceof Float32Array)) throw new Error("the model gave no rows");
      // One text a call has no padding: every token counts in the mean.
      const mean = meanOfRows(rows, tokens, manifest.hidden);
      const own = common === undefined ? mean : without(mean, common);
      return unitOf(turn === undefined ? own : turn(own));
    },
  };
}
