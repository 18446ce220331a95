/** Tokenizes text to pieces by the unigram model: the likeliest of all ways to cut a word into pieces. Linear in the length of the text. */

/** @import { PieceTable } from "./piece-table.js" */

/** The ids of the pieces that mark the ends of a text, and of an unknown character. */
export const BEGIN = 0;
export const END = 2;
export const UNKNOWN = 3;

/** Stands for the white space before a word. */
export const SPACE = "\u2581";
const WHITE_SPACE = /\p{White_Space}+/gu;
const OUTER_SPACE = /^ | $/g;
/** Penalty of an unknown character against the least likely piece, as a logarithm. */
const UNKNOWN_PENALTY = 10;

const HIGH_SURROGATE_FIRST = 0xd800;
const HIGH_SURROGATE_LAST = 0xdbff;

/**
 * Returns a function from a text in Unicode's form NFKC to the ids of its pieces, between the two that mark its ends; at most `tokensMax` of them.
 * @param {PieceTable} table
 * @param {number} tokensMax
 * @returns {(text: string) => number[]}
 */
export function openPieces(table, tokensMax) {
  const cut = cutter(table);
  return (text) => {
    const ids = [BEGIN];
    for (const word of wordsOf(text)) {
      cut(word, ids);
      if (ids.length >= tokensMax) break;
    }
    ids.length = Math.min(ids.length, tokensMax - 1);
    ids.push(END);
    return ids;
  };
}

/**
 * Yields the words, each with the mark of the white space before it.
 * @param {string} text
 */
function* wordsOf(text) {
  const plain = text.replace(WHITE_SPACE, " ").replace(OUTER_SPACE, "").replaceAll(" ", SPACE);
  if (plain === "") return;
  const marked = plain.startsWith(SPACE) ? plain : SPACE + plain;
  let start = 0;
  while (start < marked.length) {
    const next = marked.indexOf(SPACE, start + 1);
    const end = next < 0 ? marked.length : next;
    yield marked.slice(start, end);
    start = end;
  }
}

/**
 * Returns a function that adds the ids of a word's pieces to a list (Viterbi search). It keeps its arrays from word to word.
 * @param {PieceTable} table
 * @returns {(word: string, ids: number[]) => void}
 */
function cutter({ scores, childOf, pieceAt }) {
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY;
  /** The best path to each position in the word: its score, and the last piece with its start. */
  let worth = new Float64Array(64);
  let startOf = new Int32Array(64);
  let pieceOf = new Int32Array(64);

  /** @param {number} length */
  const makeRoom = (length) => {
    if (worth.length > length) return;
    const places = length * 2 + 1;
    worth = new Float64Array(places);
    startOf = new Int32Array(places);
    pieceOf = new Int32Array(places);
  };

  /**
   * @param {number} start
   * @param {number} end
   * @param {number} piece
   * @param {number} score
   */
  const offer = (start, end, piece, score) => {
    const total = score + (worth[start] ?? 0);
    if (startOf[end] !== -1 && !(total > (worth[end] ?? 0))) return;
    worth[end] = total;
    startOf[end] = start;
    pieceOf[end] = piece;
  };

  return (word, ids) => {
    const { length } = word;
    makeRoom(length);
    worth[0] = 0;
    startOf.fill(-1, 0, length + 1);
    for (let start = 0; start < length; ) {
      const first = word.charCodeAt(start);
      const paired = first >= HIGH_SURROGATE_FIRST && first <= HIGH_SURROGATE_LAST && start + 1 < length;
      const signEnd = start + (paired ? 2 : 1);
      let isKnown = false;
      let node = 0;
      for (let end = start; end < length; ) {
        node = childOf(node, word.charCodeAt(end));
        if (node < 0) break;
        end += 1;
        const piece = pieceAt[node] ?? -1;
        if (piece < 0) continue;
        offer(start, end, piece, scores[piece] ?? 0);
        isKnown ||= end === signEnd;
      }
      if (!isKnown) offer(start, signEnd, UNKNOWN, unknownScore);
      start = signEnd;
    }
    const from = ids.length;
    for (let end = length; end > 0; end = startOf[end] ?? 0) {
      const piece = pieceOf[end] ?? UNKNOWN;
      // Consecutive unknown characters become one piece.
      if (piece !== UNKNOWN || ids.at(-1) !== UNKNOWN || ids.length === from) ids.push(piece);
    }
    reverse(ids, from);
  };
}

/**
 * @param {number[]} list
 * @param {number} from the list is reversed from this index on
 */
function reverse(list, from) {
  const turned = list.slice(from).reverse();
  for (let at = 0; at < turned.length; at += 1) list[from + at] = turned[at] ?? 0;
}
