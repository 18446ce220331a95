import { isUnspaced } from "../../analysis/unspaced.ts";
import { tokensOfWords, typedForm } from "./tokens.ts";

/** A token of a typed prefix. */
export interface TypedToken {
  readonly form: string;
  /** True if longer tokens that begin with this one fit too. Within a word of a script without spaces, only its last letter may be unfinished. */
  readonly isBeginning: boolean;
  /** The most typing mistakes: 0, 1 or 2. */
  readonly mistakesMax: number;
}

/** Tokens `[first, first + length)` of a word of a script without spaces: they must stand side by side in a text. */
export interface Joined {
  readonly first: number;
  readonly length: number;
}

/** A prefix that was typed into a search box. */
export interface TypedText {
  readonly tokens: readonly TypedToken[];
  readonly joined: readonly Joined[];
}

/** From these lengths on, one or two mistakes are tolerated. Letters. */
const ONE_MISTAKE_MIN = 4;
const TWO_MISTAKES_MIN = 8;

/** Words with digits are not guessed: another number is never meant. */
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const MARKS = /\p{M}/gu;

/** Cuts a typed prefix into tokens. Tokens beyond the maximum are ignored. */
export function typedText(prefix: string): TypedText {
  const tokens: TypedToken[] = [];
  const joined: Joined[] = [];
  for (const word of tokensOfWords(prefix)) {
    if (word.length > 1) joined.push({ first: tokens.length, length: word.length });
    for (const [i, token] of word.entries()) {
      const form = typedForm(token);
      const mistakesMax = word.length > 1 ? 0 : mistakesOf(form);
      tokens.push({ form, isBeginning: i === word.length - 1, mistakesMax });
    }
  }
  return { tokens, joined };
}

function mistakesOf(form: string): number {
  if (!LETTERS.test(form) || isUnspaced(form)) return 0;
  const letters = [...form.replace(MARKS, "")].length;
  return letters < ONE_MISTAKE_MIN ? 0 : letters < TWO_MISTAKES_MIN ? 1 : 2;
}
