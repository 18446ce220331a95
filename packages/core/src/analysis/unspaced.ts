/**
 * Scripts without spaces between words, and Korean, whose words have endings. Each pair of adjacent letters is a term, and each
 * letter is a term of low weight. No dictionary is used, since it would change with each version of Node. A word ends where the script changes,
 * except before Japanese endings in hiragana.
 */

/** The source of a regular expression for one letter of these scripts. */
export const UNSPACED_LETTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const UNSPACED = new RegExp(UNSPACED_LETTER, "u");

/** A letter with its marks. Runs of marks are bounded, so that no term is long. */
const LETTERS = /[^\p{M}]\p{M}{0,8}|\p{M}{1,8}/gu;

/** The kinds of scripts. Two letters of different kinds make no term. */
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
/** Hiragana is used for endings and particles, which weigh little. */
const HIRAGANA_SHARE = 0.3;
const HIRAGANA_LETTER_SHARE = 0.1;

/** Whether a word has letters of these scripts. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

/** The terms of a word with letters of these scripts. `termsOf` gives the terms of its other letters. */
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

/** The weight of a term of these scripts in a question, 0 to 1; 1 for any other term. */
export function shareOfGram(term: string): number {
  const kind = KINDS.findIndex((each) => each.test(term));
  if (kind < 0) return 1;
  const letters = term.match(LETTERS)?.length ?? 0;
  if (kind === HIRAGANA) return letters === 1 ? HIRAGANA_LETTER_SHARE : HIRAGANA_SHARE;
  return letters === 1 ? LETTER_SHARE : 1;
}
