/**
 * The program of a process that times bare calls of onnxruntime: it is sent questions, and sends back how many milliseconds the runtime took for each. Plain JavaScript as the encoder's own
 * workers are, and with the same settings. Argument: the model's directory.
 */
import { readManifest, readModelFile } from "@loredex/encoder/worker";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { openPieces } from "../../packages/minilm/src/worker/pieces.js";

const [, , directory = ""] = process.argv;
const PACKAGE = "@loredex/minilm";
const manifest = await readManifest(directory, PACKAGE);
/** @param {string} part */
const read = async (part) => {
  const file = manifest.files[part];
  if (file === undefined) throw new Error(`no ${part}`);
  return await readModelFile(directory, file, PACKAGE);
};
const piecesOf = openPieces(await read("tokenizer"), manifest.tokensMax);
const session = await InferenceSession.create(await read("model"), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
});

/** @param {string} text */
async function msOf(text) {
  const pieces = piecesOf(text);
  const tensorOf = (/** @type {(piece: number) => bigint} */ of) =>
    new Tensor("int64", BigInt64Array.from(pieces, of), [1, pieces.length]);
  const feeds = {
    input_ids: tensorOf(BigInt),
    attention_mask: tensorOf(() => 1n),
    token_type_ids: tensorOf(() => 0n),
  };
  const from = performance.now();
  await session.run(feeds);
  return performance.now() - from;
}

process.on("message", async (/** @type {readonly string[]} */ texts) => {
  const times = [];
  for (const text of texts) times.push(await msOf(text));
  process.send?.(times);
});
process.on("disconnect", () => process.exit());
process.send?.([]);
