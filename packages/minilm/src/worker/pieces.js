/** Tokenizes text to word pieces. */
import { Tokenizer } from "@huggingface/tokenizers";
import { beginning } from "@loredex/encoder/worker";
import { openPlainPieces } from "./plain-pieces.js";

/** Maximum UTF-16 units that are read of a text. 256 pieces of prose end at about 1,200, and reading megabytes to drop them would delay every other text. */
export const TEXT_UNITS_MAX = 16_384;

/** A long run of combining marks. The tokenizer sorts the marks, which takes quadratic time, and then drops them; so it only gets the first ones. */
const LONG_ROW_OF_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Number of pieces that mark the ends of a text. */
const ENDS = 2;

/**
 * Returns a function from a text to the ids of its pieces, between the two that mark its ends; at most `tokensMax` of them.
 * @param {Uint8Array} tokenizerJson
 * @param {number} tokensMax
 * @returns {(text: string) => number[]}
 */
export function openPieces(tokenizerJson, tokensMax) {
  const rules = JSON.parse(new TextDecoder().decode(tokenizerJson));
  const byTokenizer = openTokenizer(rules, tokensMax);
  const { vocab, max_input_chars_per_word } = rules.model;
  const plainOf = openPlainPieces(vocab, max_input_chars_per_word, tokensMax - ENDS);
  const [begin = 0, end = 0] = byTokenizer("");
  return (text) => {
    const read = beginning(text, TEXT_UNITS_MAX);
    const plain = plainOf(read);
    return plain === undefined ? byTokenizer(read) : [begin, ...plain, end];
  };
}

/**
 * Returns the same function for every text, by the tokenizer.
 * @param {object} rules of the tokenizer
 * @param {number} tokensMax
 * @returns {(text: string) => number[]}
 */
export function openTokenizer(rules, tokensMax) {
  const tokenizer = new Tokenizer(rules, {});
  return (text) => {
    const { ids } = tokenizer.encode(text.replace(LONG_ROW_OF_MARKS, "$1"));
    const end = ids.at(-1);
    return ids.length <= tokensMax || end === undefined ? ids : [...ids.slice(0, tokensMax - 1), end];
  };
}
