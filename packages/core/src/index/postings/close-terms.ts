import { bitCount, letterBits } from "../../platform/letter-bits.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { Guesses } from "./guesses.ts";
import { isTyped } from "./mistakes.ts";
import type { HeldTerms } from "./vocabulary.ts";

/** A word of the query as it was typed, in lower case. */
export interface TypedWord {
  readonly word: string;
  /** Whether the user may still be typing it: it is the last word, and nothing follows it. */
  readonly isUnfinished: boolean;
  /**
   * Whether some word of this term passes the test. Only words of at least `lengthMin` and at most `lengthMax` letters are tested. Words whose letters
   * `mayHold` refuses are not.
   */
  readonly someWordOf: (
    term: string,
    lengthMin: number,
    lengthMax: number,
    test: (word: string) => boolean,
    mayHold?: (letters: number) => boolean,
  ) => boolean;
}

/** A term of the index that stands for a word of the query. */
export interface CloseTerm {
  readonly term: number;
  /** Weight of one occurrence, against one of the word itself. Above 0, at most 1. */
  readonly share: number;
}

/** Minimum length of a guessed word, in letters: shorter words resemble too many others. A vowel sign or an accent on its own is no letter. */
const MISTYPED_MIN = 4;
/** Of shorter words, down to as many letters, one mistake alone is tried: a missing letter behind the first one. */
const SHORTENED_MIN = 3;
const UNFINISHED_MIN = 3;

/** From this length on, two mistakes are tried if no term is one mistake away. Letters. */
const TWO_MISTAKES_MIN = 8;

/** Maximum number of terms that stand for one word. More terms do not make it likelier that the intended word is found. */
const MISTYPED_TERMS_MAX = 3;
const UNFINISHED_TERMS_MAX = 8;

/** Approximate number of words that are tried for a term. */
const FORMS = 4;

/** Share of a term that differs from the word in its first letter, where another term does not. */
const LESS_LIKELY_SHARE = 0.5;

/** Words with digits are not guessed: another number is never meant. */
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const MARK = /\p{M}/u;

/**
 * Finds the terms that may have been meant by a word, most likely first. An unfinished word stands for the terms that it begins, if there are any.
 * Otherwise terms one or two typing mistakes away are found. The order depends on the terms and their frequencies alone. Terms that no passage holds
 * are left out.
 */
export function* closeTerms(typed: TypedWord, held: HeldTerms, guesses: Guesses): Sliced<CloseTerm[]> {
  if (!LETTERS.test(typed.word)) return [];
  const begun = typed.isUnfinished ? yield* begunTerms(typed, held, guesses) : [];
  return begun.length > 0 ? begun : yield* mistypedTerms(typed, held, guesses);
}

interface Likely {
  readonly number: number;
  readonly term: string;
  /** The higher, the less likely. */
  readonly cost: number;
  readonly frequency: number;
}

function* begunTerms(
  { word, someWordOf }: TypedWord,
  { vocabulary, frequencyOf }: HeldTerms,
  guesses: Guesses,
): Sliced<CloseTerm[]> {
  if (lettersOf(word) < UNFINISHED_MIN) return [];
  const found: Likely[] = [];
  const take = (number: number, term: string): void => {
    const frequency = frequencyOf(number);
    if (frequency > 0) found.push({ number, term, cost: 0, frequency });
  };
  yield* vocabulary.forEachBegunWith(word, guesses, take);
  // The user may have typed more letters than the stem has.
  yield* vocabulary.forEachLike(word, 0, guesses, (number, term) => {
    if (term.startsWith(word)) return;
    guesses.compared(FORMS);
    if (someWordOf(term, word.length + 1, Number.POSITIVE_INFINITY, (form) => form.startsWith(word)))
      take(number, term);
  });
  return shared(found, UNFINISHED_TERMS_MAX);
}

function* mistypedTerms(
  { word, someWordOf }: TypedWord,
  { vocabulary, frequencyOf }: HeldTerms,
  guesses: Guesses,
): Sliced<CloseTerm[]> {
  const letters = lettersOf(word);
  if (letters < SHORTENED_MIN) return [];
  const isShort = letters < MISTYPED_MIN;
  const mistakesMax = letters < TWO_MISTAKES_MIN ? 1 : 2;
  const typed = letterBits(word);
  for (let mistakes = 1; mistakes <= mistakesMax; mistakes++) {
    const found: Likely[] = [];
    // A letter that only one of two words has is a mistake.
    const mayHold = (held: number): boolean =>
      bitCount(held & ~typed) <= mistakes && bitCount(typed & ~held) <= mistakes;
    const isLikely = (form: string): boolean => !isShort || (form.length > word.length && form[0] === word[0]);
    const test = (form: string): boolean => isLikely(form) && isTyped(form, word, mistakes);
    yield* vocabulary.forEachLike(word, mistakes, guesses, (number, term) => {
      guesses.compared(FORMS);
      const frequency = frequencyOf(number);
      if (frequency === 0 || !someWordOf(term, word.length - mistakes, word.length + mistakes, test, mayHold)) return;
      // The first letter is seldom wrong.
      found.push({ number, term, cost: term.startsWith(word.charAt(0)) ? 0 : 1, frequency });
    });
    if (found.length > 0) return shared(found, MISTYPED_TERMS_MAX);
  }
  return [];
}

function shared(found: Likely[], countMax: number): CloseTerm[] {
  found.sort((a, b) => a.cost - b.cost || b.frequency - a.frequency || (a.term < b.term ? -1 : 1));
  const [first] = found;
  return found
    .slice(0, countMax)
    .map(({ number, cost }) => ({ term: number, share: cost === first?.cost ? 1 : LESS_LIKELY_SHARE }));
}

/** Merges terms that several ways to write a word lead to: each at its first place, with its highest share. */
export function eachOnce(terms: readonly CloseTerm[]): CloseTerm[] {
  const shares = new Map<number, number>();
  for (const { term, share } of terms) shares.set(term, Math.max(share, shares.get(term) ?? 0));
  return [...shares].map(([term, share]) => ({ term, share }));
}

function lettersOf(word: string): number {
  let letters = 0;
  for (const letter of word) if (!MARK.test(letter)) letters++;
  return letters;
}
