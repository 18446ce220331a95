/**
 * The program of a worker process of MiniLM's. Plain JavaScript, so that it starts the same way from the sources and from the build.
 * Argument: the model's directory.
 */
import { serveEncoder } from "@loredex/encoder/worker";
import { openPieces } from "./worker/pieces.js";

serveEncoder("@loredex/minilm", async ({ manifest, read, Tensor }) => {
  const { tokensMax } = manifest;
  const piecesOf = openPieces(await read("tokenizer"), tokensMax);
  const ones = new BigInt64Array(tokensMax).fill(1n);
  const zeros = new BigInt64Array(tokensMax);
  return (text) => {
    const pieces = piecesOf(text);
    const tokens = pieces.length;
    const shape = [1, tokens];
    const feeds = {
      input_ids: new Tensor("int64", BigInt64Array.from(pieces, BigInt), shape),
      attention_mask: new Tensor("int64", ones.subarray(0, tokens), shape),
      token_type_ids: new Tensor("int64", zeros.subarray(0, tokens), shape),
    };
    return { tokens, feeds };
  };
});
