/**
 * Word pieces of plain text without the tokenizer. Nearly all questions are plain: ASCII and the usual punctuation. They are read once, letter by letter, in a
 * twentieth of the tokenizer's time, with the same pieces. Any other text is left to the tokenizer.
 */

/** Classes of UTF-16 units. */
const SPACE = 0;
const LETTER = 1;
const SIGN = 2;
/** Characters that only the tokenizer can convert. */
const OTHER = 3;

/** Dashes, quotes, daggers, bullets and the ellipsis: punctuation that lower case and normal forms leave unchanged. */
const SIGNS_FIRST = 0x2010;
const SIGNS_LAST = 0x2027;

const CLASS = Uint8Array.from({ length: SIGNS_LAST + 1 }, (_, unit) => {
  if (unit === 9 || unit === 10 || unit === 13 || unit === 32 || unit === 0xa0) return SPACE;
  if (unit >= SIGNS_FIRST) return SIGN;
  if (unit < 32 || unit >= 127) return OTHER;
  return /[a-z0-9]/i.test(String.fromCharCode(unit)) ? LETTER : SIGN;
});

/** Written out in a text, these are pieces of their own. */
const MARKS = /\[(?:PAD|UNK|CLS|SEP|MASK)\]/;

/** The prefix of a piece that continues a word. */
export const CONTINUES = "##";

/**
 * @param {string} text
 * @param {number} at
 */
function classAt(text, at) {
  const unit = text.charCodeAt(at);
  return unit <= SIGNS_LAST ? (CLASS[unit] ?? OTHER) : OTHER;
}

/**
 * Returns a function from a text to the ids of its pieces: at most `piecesMax`, without the two that mark its ends; undefined for a text that is not plain.
 * @param {Readonly<Record<string, number>>} vocabulary the ids of the pieces
 * @param {number} wordUnitsMax a longer word is one unknown piece
 * @param {number} piecesMax
 * @returns {(text: string) => number[] | undefined}
 */
export function openPlainPieces(vocabulary, wordUnitsMax, piecesMax) {
  const cut = wordCutter(vocabulary, wordUnitsMax);
  return (text) => {
    if (MARKS.test(text)) return undefined;
    const lower = text.toLowerCase();
    /** @type {number[]} */
    const ids = [];
    let at = 0;
    while (at < text.length) {
      const start = at++;
      const kind = classAt(text, start);
      if (kind === LETTER) while (at < text.length && classAt(text, at) === LETTER) at++;
      // It may belong to the word before it.
      if (kind === OTHER) return undefined;
      if (ids.length >= piecesMax) break;
      if (kind !== SPACE) cut(lower.slice(start, at), ids);
    }
    ids.length = Math.min(ids.length, piecesMax);
    return ids;
  };
}

/**
 * Returns a function that adds the pieces of a word: the longest match, repeatedly. A word that they do not fully cover is one unknown piece.
 * @param {Readonly<Record<string, number>>} vocabulary
 * @param {number} wordUnitsMax
 * @returns {(word: string, ids: number[]) => void}
 */
function wordCutter(vocabulary, wordUnitsMax) {
  /** @type {Map<string, number>} */
  const starting = new Map();
  /** @type {Map<string, number>} */
  const continuing = new Map();
  let longest = 0;
  for (const [piece, id] of Object.entries(vocabulary)) {
    const continues = piece.startsWith(CONTINUES);
    const letters = continues ? piece.slice(CONTINUES.length) : piece;
    (continues ? continuing : starting).set(letters, id);
    longest = Math.max(longest, letters.length);
  }
  const unknown = vocabulary["[UNK]"] ?? 0;

  return (word, ids) => {
    const from = ids.length;
    let start = word.length > wordUnitsMax ? word.length + 1 : 0;
    while (start < word.length) {
      const known = start === 0 ? starting : continuing;
      let end = Math.min(word.length, start + longest);
      let id = known.get(word.slice(start, end));
      while (id === undefined && end > start) {
        end -= 1;
        id = known.get(word.slice(start, end));
      }
      if (id === undefined) break;
      ids.push(id);
      start = end;
    }
    if (start === word.length) return;
    ids.length = from;
    ids.push(unknown);
  };
}
