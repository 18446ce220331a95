import type { Sliced } from "../../scheduling/time-slices.ts";
import type { Postings } from "./postings.ts";
import type { HeldTerms } from "./vocabulary.ts";

/** Terms that more passages hold than this are too common to tell passages apart. */
export const PASSAGES_MANY = 4_096;

/** Lookups of a term in a passage that are done in a slice. */
const SLICE_LOOK_UPS = 4_096;

const NONE: ReadonlySet<number> = new Set();

/** The data of an index that is read. */
interface Searched extends HeldTerms {
  readonly postings: Postings;
  /** Whether searches see a passage: it is neither removed nor staged. */
  readonly isThere: (ordinal: number) => boolean;
}

/**
 * Finds the passages that hold every one of these terms. Empty if more than `most` do, or more than {@link PASSAGES_MANY} hold the rarest term.
 * Reads the list of the rarest term, and finds each of its passages in the other lists by binary search.
 */
export function* passagesWithAll(
  terms: readonly string[],
  most: number,
  { vocabulary, frequencyOf, postings, isThere }: Searched,
): Sliced<ReadonlySet<number>> {
  const found = new Set<number>();
  const numbers: number[] = [];
  for (const term of new Set(terms)) {
    const number = vocabulary.find(term);
    if (number === undefined || frequencyOf(number) === 0) return found;
    numbers.push(number);
  }
  const [rarest, ...others] = numbers.sort((a, b) => frequencyOf(a) - frequencyOf(b) || a - b);
  if (rarest === undefined || frequencyOf(rarest) > PASSAGES_MANY) return found;
  const candidates: number[] = [];
  postings.forEach(rarest, (ordinal) => {
    if (isThere(ordinal)) candidates.push(ordinal);
  });
  let lookUps = 0;
  for (const ordinal of candidates) {
    if (others.every((term) => ++lookUps > 0 && postings.frequencyIn(term, ordinal) > 0)) found.add(ordinal);
    if (found.size > most) return NONE;
    if (lookUps < SLICE_LOOK_UPS) continue;
    lookUps = 0;
    yield;
  }
  return found;
}
