import type { Sliced } from "../../scheduling/time-slices.ts";
import type { CloseTerm } from "./close-terms.ts";
import type { Guesses } from "./guesses.ts";
import type { HeldTerms } from "./vocabulary.ts";

/**
 * Compound words, as in German. The index's own terms say which components a word has. So no dictionary is needed, and the same passages always give
 * the same components. `links` are the texts that may stand between two components, the empty text first: links of the language, and endings that
 * the stem of the first component has lost.
 */

/** Minimum length of a component, in UTF-16 units. Shorter terms occur in too many unrelated words. */
const PART_MIN = 4;
/** Minimum length of a component whose rest is unknown, in UTF-16 units. */
const BEGINNING_MIN = 5;
const REST_MIN = 3;

/** Share of a compound's occurrence for a word that is one of its components. */
const COMPOUND_SHARE = 0.25;
/** Maximum number of compounds beside a word: those that most passages hold. */
const COMPOUNDS_MAX = 32;

/** Longer strings are no words. */
const LETTERS_MAX = 60;
const LETTERS = /^\p{L}+$/u;

/** Splits a word into two terms of the index, as evenly as possible. Empty if the index holds no such two. */
export function partsOf(word: string, links: readonly string[], held: HeldTerms): string[] {
  if (!isCompound(word)) return [];
  let parts: string[] = [];
  let best = 0;
  for (let at = PART_MIN; at <= word.length - PART_MIN; at++) {
    const second = word.slice(at);
    if (!isHeld(second, held)) continue;
    const first = firstOf(word.slice(0, at), links, held);
    if (first === undefined || Math.min(first.length, second.length) <= best) continue;
    best = Math.min(first.length, second.length);
    parts = [first, second];
  }
  return parts;
}

/** The longest term that a word begins with, as a list; empty if there is none. For words whose rest is unknown. */
export function beginningOf(word: string, held: HeldTerms): string[] {
  if (!isCompound(word)) return [];
  for (let end = word.length - REST_MIN; end >= BEGINNING_MIN; end--) {
    if (isHeld(word.slice(0, end), held)) return [word.slice(0, end)];
  }
  return [];
}

/**
 * Finds, by word, the compounds whose first or second component it is. The other component is a term as well. It may be anything if the word is long
 * and no passage holds it by itself.
 */
export function* compoundsOf(
  words: readonly string[],
  links: readonly string[],
  held: HeldTerms,
  guesses: Guesses,
): Sliced<ReadonlyMap<string, readonly CloseTerm[]>> {
  const wanted = words.filter((word) => word.length >= PART_MIN && LETTERS.test(word));
  const believed = new Set(wanted.filter((word) => word.length >= BEGINNING_MIN && !isHeld(word, held)));
  const found = new Map<string, { number: number; term: string; frequency: number }[]>();
  yield* held.vocabulary.forEachLonger(wanted, PART_MIN, guesses, (number, term, part) => {
    guesses.compared();
    const frequency = held.frequencyOf(number);
    if (frequency === 0 || term.length > LETTERS_MAX) return;
    if (!believed.has(part) && !isMadeOf(term, part, links, held)) return;
    const known = found.get(part);
    if (known === undefined) found.set(part, [{ number, term, frequency }]);
    else known.push({ number, term, frequency });
  });
  return new Map(
    [...found].map(([part, all]) => {
      all.sort((a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1));
      return [part, all.slice(0, COMPOUNDS_MAX).map(({ number }) => ({ term: number, share: COMPOUND_SHARE }))];
    }),
  );
}

/** Whether a compound has this component at one end, and a known one at the other. */
function isMadeOf(compound: string, part: string, links: readonly string[], held: HeldTerms): boolean {
  if (compound.startsWith(part)) {
    const rest = compound.slice(part.length);
    const isKnown = (link: string): boolean => rest.startsWith(link) && isHeld(rest.slice(link.length), held);
    if (links.some(isKnown)) return true;
  }
  return compound.endsWith(part) && firstOf(compound.slice(0, -part.length), links, held) !== undefined;
}

/** The term of a first component, without its link to the second. */
function firstOf(text: string, links: readonly string[], held: HeldTerms): string | undefined {
  const link = links.find((each) => text.endsWith(each) && isHeld(text.slice(0, text.length - each.length), held));
  return link === undefined ? undefined : text.slice(0, text.length - link.length);
}

function isHeld(term: string, { vocabulary, frequencyOf }: HeldTerms): boolean {
  if (term.length < PART_MIN) return false;
  const number = vocabulary.find(term);
  return number !== undefined && frequencyOf(number) > 0;
}

function isCompound(word: string): boolean {
  return word.length >= 2 * PART_MIN && word.length <= LETTERS_MAX && LETTERS.test(word);
}
