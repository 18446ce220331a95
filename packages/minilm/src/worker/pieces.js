/** Text to word pieces. */
import { Tokenizer } from "@huggingface/tokenizers";
import { beginning } from "@loredex/encoder/worker";
import { openPlainPieces } from "./plain-pieces.js";

/**
 * No text is read further than this, in UTF-16 units: 256 pieces of prose end at about 1,200, and reading
 * megabytes to throw them away would hold up every other text.
 */
export const TEXT_UNITS_MAX = 16_384;

/**
 * The tokenizer puts marks that follow each other in order, which takes quadratic time, and then throws them away: of a long row it is given
 * the first few.
 */
const LONG_ROW_OF_MARKS = /(\p{M}{30})\p{M}+/gu;

/** The pieces that mark the ends of a text. */
const ENDS = 2;

/**
 * A function from a text to the ids of its pieces, between the two that mark its ends; at most `tokensMax` of them.
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
 * The same for every text, by the tokenizer.
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
