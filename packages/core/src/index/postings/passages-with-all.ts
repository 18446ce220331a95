import type { Sliced } from "../../scheduling/time-slices.ts";
import type { Postings } from "./postings.ts";
import type { HeldTerms } from "./vocabulary.ts";

/** Terms that more passages hold than this are too common to tell passages apart. */
export const PASSAGES_MANY = 4_096;

/** Terms that are looked for in passages in a step. */
const SLICE_LOOK_UPS = 4_096;

const NONE: ReadonlySet<number> = new Set();

/** What is read of an index. */
interface Searched extends HeldTerms {
  readonly postings: Postings;
  /** Whether searches see a passage: not one that was removed, or that is not there yet. */
  readonly isThere: (ordinal: number) => boolean;
}

/**
 * The passages that hold every one of these terms; none where more than `most` do, or more than {@link PASSAGES_MANY} hold the rarest of the terms.
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
