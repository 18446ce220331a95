/** The model itself: one text in, one vector out. */
import { readManifest, readModelFile } from "./model-files.js";
import { openPieces } from "./pieces.js";
import { meanOfRows, readFloats, rotate } from "./rotation.js";

/**
 * @typedef {object} Encoder
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
 * @returns {Promise<Encoder>}
 */
export async function openEncoder(directory) {
  const { InferenceSession, Tensor } = await loadRuntime();
  const manifest = await readManifest(directory);
  const { hidden, tokensMax, files } = manifest;
  const piecesOf = openPieces(await readModelFile(directory, files.tokenizer), tokensMax);
  const axes = readFloats(await readModelFile(directory, files.rotation));
  const session = await InferenceSession.create(await readModelFile(directory, files.model), {
    // One thread a worker: several workers use several cores better than one divided call does.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
  });
  const ones = new BigInt64Array(tokensMax).fill(1n);
  const zeros = new BigInt64Array(tokensMax);

  return {
    async encode(text) {
      const pieces = piecesOf(text);
      const shape = [1, pieces.length];
      const outputs = await session.run({
        input_ids: new Tensor("int64", BigInt64Array.from(pieces, BigInt), shape),
        attention_mask: new Tensor("int64", ones.subarray(0, pieces.length), shape),
        token_type_ids: new Tensor("int64", zeros.subarray(0, pieces.length), shape),
      });
      const rows = outputs.last_hidden_state?.data;
      if (!(rows instanceof Float32Array)) throw new Error("the model gave no rows");
      // One text a call has no padding: every token counts in the mean.
      return rotate(meanOfRows(rows, pieces.length, hidden), axes);
    },
  };
}
