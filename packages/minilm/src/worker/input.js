/** Converts a text to the inputs of the graph. */
import { openPieces } from "./pieces.js";
import { openSpelling } from "./spelling.js";

/** @import { OpenInput } from "@loredex/encoder/worker" */

/** A letter of Ugaritic: no vocabulary of an English model has it. */
const LETTER_OF_NO_PIECE = "\u{10380}";

/** @type {OpenInput} */
export async function openInput({ manifest, read, Tensor }) {
  const { tokensMax } = manifest;
  const rules = await read("tokenizer");
  const piecesOf = openPieces(rules, tokensMax);
  const ones = new BigInt64Array(tokensMax).fill(1n);
  const zeros = new BigInt64Array(tokensMax);
  return {
    inputOf: (text) => {
      const pieces = piecesOf(text);
      const tokens = pieces.length;
      const shape = [1, tokens];
      const feeds = {
        input_ids: new Tensor("int64", BigInt64Array.from(pieces, BigInt), shape),
        attention_mask: new Tensor("int64", ones.subarray(0, tokens), shape),
        token_type_ids: new Tensor("int64", zeros.subarray(0, tokens), shape),
      };
      return { tokens, pieces, from: 1, to: tokens - 1, feeds };
    },
    spelling: openSpelling(rules),
    unknown: piecesOf(LETTER_OF_NO_PIECE)[1] ?? 0,
  };
}
