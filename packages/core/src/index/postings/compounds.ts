import type { Sliced } from "../../scheduling/time-slices.ts";
import type { CloseTerm } from "./close-terms.ts";
import type { Guesses } from "./guesses.ts";
import type { HeldTerms } from "./vocabulary.ts";

/**
 * Words that are written together, as German does: the index's own terms say which parts a word has, so that no dictionary is needed and the same passages
 * always give the same parts. `links` are what may stand between two parts, the empty text first: what a language puts there, and endings that the stem of the
 * first part has lost.
 */

/** Shorter terms are found in too many words that have nothing to do with them. UTF-16 units. */
const WINDOW_MIN = 4;
/** Of a word that ends with something unknown, only a longer part is believed. */
const BEGINNING_MIN = 5;
const REST_MIN = 3;

/** What a compound counts for a word that is one of its parts. */
const COMPOUND_SHARE = 0.25;
/** So many compounds stand beside a word, those first that most passages hold. */
const COMPOUNDS_MAX = 32;

/** Longer ones are no words. */
const LETTERS_MAX = 60;
const LETTERS = /^\p{L}+$/u;

/** The two terms that a word is made of, as even as can be; none if the index holds no such two. */
export function windowsOf(word: string, links: readonly string[], held: HeldTerms): string[] {
  if (!isCompound(word)) return [];
  let windows: string[] = [];
  let best = 0;
  for (let at = WINDOW_MIN; at <= word.length - WINDOW_MIN; at++) {
    const second = word.slice(at);
    if (!isHeld(second, held)) continue;
    const first = firstOf(word.slice(0, at), links, held);
    if (first === undefined || Math.min(first.length, second.length) <= best) continue;
    best = Math.min(first.length, second.length);
    windows = [first, second];
  }
  return windows;
}

/** The longest term that a word begins with, where the rest is not known. */
export function beginningOf(word: string, held: HeldTerms): string[] {
  if (!isCompound(word)) return [];
  for (let end = word.length - REST_MIN; end >= BEGINNING_MIN; end--) {
    if (isHeld(word.slice(0, end), held)) return [word.slice(0, end)];
  }
  return [];
}

/**
 * By word: the compounds whose first or second part it is. The other part is a term as well; of a longer word that no passage holds by itself it may be
 * anything.
 */
export function* compoundsOf(
  words: readonly string[],
  links: readonly string[],
  held: HeldTerms,
  guesses: Guesses,
): Sliced<ReadonlyMap<string, readonly CloseTerm[]>> {
  const wanted = words.filter((word) => word.length >= WINDOW_MIN && LETTERS.test(word));
  const believed = new Set(wanted.filter((word) => word.length >= BEGINNING_MIN && !isHeld(word, held)));
  const found = new Map<string, { number: number; term: string; frequency: number }[]>();
  yield* held.vocabulary.forEachLonger(wanted, WINDOW_MIN, guesses, (number, term, window) => {
    guesses.compared();
    const frequency = held.frequencyOf(number);
    if (frequency === 0 || term.length > LETTERS_MAX) return;
    if (!believed.has(window) && !isMadeOf(term, window, links, held)) return;
    const known = found.get(window);
    if (known === undefined) found.set(window, [{ number, term, frequency }]);
    else known.push({ number, term, frequency });
  });
  return new Map(
    [...found].map(([window, all]) => {
      all.sort((a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1));
      return [window, all.slice(0, COMPOUNDS_MAX).map(({ number }) => ({ term: number, share: COMPOUND_SHARE }))];
    }),
  );
}

/** Whether a compound has this part at one of its ends, and a known one at the other. */
function isMadeOf(compound: string, window: string, links: readonly string[], held: HeldTerms): boolean {
  if (compound.startsWith(window)) {
    const rest = compound.slice(window.length);
    const isKnown = (link: string): boolean => rest.startsWith(link) && isHeld(rest.slice(link.length), held);
    if (links.some(isKnown)) return true;
  }
  return compound.endsWith(window) && firstOf(compound.slice(0, -window.length), links, held) !== undefined;
}

/** The term that a first part is, without what links it to the second. */
function firstOf(text: string, links: readonly string[], held: HeldTerms): string | undefined {
  const link = links.find((each) => text.endsWith(each) && isHeld(text.slice(0, text.length - each.length), held));
  return link === undefined ? undefined : text.slice(0, text.length - link.length);
}

function isHeld(term: string, { vocabulary, frequencyOf }: HeldTerms): boolean {
  if (term.length < WINDOW_MIN) return false;
  const number = vocabulary.find(term);
  return number !== undefined && frequencyOf(number) > 0;
}

function isCompound(word: string): boolean {
  return word.length >= 2 * WINDOW_MIN && word.length <= LETTERS_MAX && LETTERS.test(word);
}
