/** A piece of a text. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

const WORDS_MAX = 50;
/** Words of this length and more also mark forms with a longer or shorter end: `refund`, `refunds`. */
const STEM_CHARACTERS = 4;
const END_CHARACTERS = 3;

/** Cuts a text into pieces, of which those are marked that are words of the question. The pieces joined are the text. */
export function highlighted(text: string, question: string): Piece[] {
  const words = wordsOf(question).slice(0, WORDS_MAX);
  return text
    .split(/([\p{L}\p{M}\p{N}]+)/u)
    .map((piece, at) => ({
      text: piece,
      isMarked: at % 2 === 1 && words.some((word) => isSame(word, piece.toLowerCase())),
    }))
    .filter((piece) => piece.text !== "");
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.min(one.length, other.length) < STEM_CHARACTERS) return false;
  return Math.abs(one.length - other.length) <= END_CHARACTERS && (one.startsWith(other) || other.startsWith(one));
}
