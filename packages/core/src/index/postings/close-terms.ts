import { bitCount, letterBits } from "../../platform/letter-bits.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { Guesses } from "./guesses.ts";
import { isTyped } from "./mistakes.ts";
import type { HeldTerms } from "./vocabulary.ts";

/** A word of the query as it was typed, in lower case. */
export interface TypedWord {
  readonly word: string;
  /** Whether more letters may have been on their way: it is the last one, and nothing follows it. */
  readonly isUnfinished: boolean;
  /**
   * Whether a word passes the test that has this term and at least `lengthMin`, at most `lengthMax` letters. Words whose letters `mayHold` refuses
   * pass no test.
   */
  readonly someWordOf: (
    term: string,
    lengthMin: number,
    lengthMax: number,
    test: (word: string) => boolean,
    mayHold?: (letters: number) => boolean,
  ) => boolean;
}

/** A term that may have been meant by a word that no passage holds. */
export interface CloseTerm {
  readonly term: number;
  /** What one occurrence counts, against one of the word itself. Above 0, at most 1. */
  readonly share: number;
}

/** Shorter words have too many others beside them. Letters: a vowel sign or an accent on its own is none. */
const MISTYPED_MIN = 4;
const UNFINISHED_MIN = 3;

/** From this length on two mistakes are thought possible, if no term is one mistake away. */
const TWO_MISTAKES_MIN = 8;

/** So many terms may stand for one word: beyond them the words that were meant are not more likely found. */
const MISTYPED_TERMS_MAX = 3;
const UNFINISHED_TERMS_MAX = 8;

/** Words that are tried for a term, about. */
const FORMS = 4;

/** What a term counts whose first letter is not the typed one, where another has it. */
const LESS_LIKELY_SHARE = 0.5;

/** Digits are not guessed: another number is never what was meant. */
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const MARK = /\p{M}/u;

/**
 * The terms that may have been meant by a word, most likely first: those that it begins if it is unfinished and begins any, else those
 * that it is but for a mistake. The order depends on the terms and their frequencies alone. Terms that no passage holds are left out.
 */
export function* closeTerms(typed: TypedWord, held: HeldTerms, guesses: Guesses): Sliced<CloseTerm[]> {
  if (!LETTERS.test(typed.word)) return [];
  const begun = typed.isUnfinished ? yield* begunTerms(typed, held, guesses) : [];
  return begun.length > 0 ? begun : yield* mistypedTerms(typed, held, guesses);
}

interface Likely {
  readonly number: number;
  readonly term: string;
  /** The more, the less likely. */
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
  // Of a longer word more may be typed than its stem has.
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
  if (letters < MISTYPED_MIN) return [];
  const mistakesMax = letters < TWO_MISTAKES_MIN ? 1 : 2;
  const typed = letterBits(word);
  for (let mistakes = 1; mistakes <= mistakesMax; mistakes++) {
    const found: Likely[] = [];
    // A letter that only one of two words has is a mistake.
    const mayHold = (held: number): boolean =>
      bitCount(held & ~typed) <= mistakes && bitCount(typed & ~held) <= mistakes;
    const test = (form: string): boolean => isTyped(form, word, mistakes);
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

function lettersOf(word: string): number {
  let letters = 0;
  for (const letter of word) if (!MARK.test(letter)) letters++;
  return letters;
}
