/**
 * Scripts that put no spaces between words, and Korean, whose words take on endings: every two letters that follow each other are a term, and every
 * letter is one that weighs little. No dictionary is asked, which would be another with each version of Node. Where the script changes a word ends,
 * but for the endings of Japanese that are written in hiragana.
 */

/** The source of an expression for one letter of them. */
export const UNSPACED_LETTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const UNSPACED = new RegExp(UNSPACED_LETTER, "u");

/** A letter with its marks; runs of marks are bounded, so that no term is long. */
const LETTERS = /[^\p{M}]\p{M}{0,8}|\p{M}{1,8}/gu;

/** Scripts by what ends a word: terms are not made of two letters of different ones. */
const KINDS: readonly RegExp[] = [
  /^\p{Script=Hiragana}/u,
  /^[\p{Script=Han}々〆]/u,
  /^[\p{Script=Katakana}ー]/u,
  /^\p{Script=Hangul}/u,
  UNSPACED,
];
const HIRAGANA = 0;
const HAN = 1;
const OTHER = 5;

const LETTER_SHARE = 0.3;
/** Hiragana writes endings and little words. */
const HIRAGANA_SHARE = 0.3;
const HIRAGANA_LETTER_SHARE = 0.1;

/** Whether a word holds letters of such a script. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** The terms of a word of which some letters are of such a script; stretches of others are given to `termsOf`. */
export function gramsOf(word: string, termsOf: (spaced: string) => readonly string[]): string[] {
  const terms: string[] = [];
  let spaced = "";
  let [last, lastKind] = ["", OTHER];
  for (const letter of word.match(LETTERS) ?? []) {
    const found = KINDS.findIndex((kind) => kind.test(letter));
    const kind = found < 0 ? OTHER : found;
    if (kind === OTHER) {
      spaced += letter;
    } else {
      if (spaced !== "") terms.push(...termsOf(spaced));
      spaced = "";
      if (kind === lastKind || (kind === HIRAGANA && lastKind === HAN)) terms.push(last + letter);
      terms.push(letter);
    }
    [last, lastKind] = [letter, kind];
  }
  if (spaced !== "") terms.push(...termsOf(spaced));
  return terms;
}

/** What a term of such a script counts in a question; 1 for every other. */
export function shareOfGram(term: string): number {
  const kind = KINDS.findIndex((each) => each.test(term));
  if (kind < 0) return 1;
  const letters = term.match(LETTERS)?.length ?? 0;
  if (kind === HIRAGANA) return letters === 1 ? HIRAGANA_LETTER_SHARE : HIRAGANA_SHARE;
  return letters === 1 ? LETTER_SHARE : 1;
}
