import { isUnspaced } from "../../analysis/unspaced.ts";
import { piecesOfWords, typedForm } from "./pieces.ts";

/** A piece of a typed prefix. */
export interface TypedPiece {
  readonly form: string;
  /** True if longer pieces that begin with this one fit too. Within a word of a script without spaces, only its last letter may be unfinished. */
  readonly isBeginning: boolean;
  /** The most typing mistakes: 0, 1 or 2. */
  readonly mistakesMax: number;
}

/** Pieces `[first, first + length)` of a word of a script without spaces: they must stand side by side in a text. */
export interface Joined {
  readonly first: number;
  readonly length: number;
}

/** A prefix that was typed into a search box. */
export interface TypedText {
  readonly pieces: readonly TypedPiece[];
  readonly joined: readonly Joined[];
}

/** From these lengths on, one or two mistakes are tolerated. Letters. */
const ONE_MISTAKE_MIN = 4;
const TWO_MISTAKES_MIN = 8;

/** Words with digits are not guessed: another number is never meant. */
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const MARKS = /\p{M}/gu;

/** Cuts a typed prefix into pieces. Pieces beyond the maximum are ignored. */
export function typedText(prefix: string): TypedText {
  const pieces: TypedPiece[] = [];
  const joined: Joined[] = [];
  for (const word of piecesOfWords(prefix)) {
    if (word.length > 1) joined.push({ first: pieces.length, length: word.length });
    for (const [i, piece] of word.entries()) {
      const form = typedForm(piece);
      const mistakesMax = word.length > 1 ? 0 : mistakesOf(form);
      pieces.push({ form, isBeginning: i === word.length - 1, mistakesMax });
    }
  }
  return { pieces, joined };
}

function mistakesOf(form: string): number {
  if (!LETTERS.test(form) || isUnspaced(form)) return 0;
  const letters = [...form.replace(MARKS, "")].length;
  return letters < ONE_MISTAKE_MIN ? 0 : letters < TWO_MISTAKES_MIN ? 1 : 2;
}
