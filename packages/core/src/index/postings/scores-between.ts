import type { PassageNorms } from "./bm25.ts";
import { FREQUENCY_MAX, sharedFrequency } from "./occurrences.ts";
import type { Postings } from "./postings.ts";
import type { WeightedQuery } from "./weighted-query.ts";

/** Terms of passages that are read in the time of one search in a term's postings. */
const TERMS_A_SEARCH = 32;

/** Maximum number of passage terms that are worth reading. Beyond it, searching the postings of each query term takes less. */
export function termsReadAtMost({ terms }: WeightedQuery): number {
  return terms.length * TERMS_A_SEARCH;
}

/** The scores of the passages of `[first, end)`, computed from the postings of the query's terms. */
export function scoresBetween(
  { terms }: WeightedQuery,
  postings: Postings,
  norms: PassageNorms,
  first: number,
  end: number,
): Float64Array {
  const scores = new Float64Array(end - first);
  for (const { term, weight, close } of terms) {
    if (close === undefined) {
      postings.addBetween(term, weight, norms, first, end, scores);
      continue;
    }
    const counts = new Uint8Array(end - first);
    for (const each of close) {
      const count = (ordinal: number, frequency: number): void => {
        const sum = (counts[ordinal - first] as number) + sharedFrequency(frequency, each.share);
        counts[ordinal - first] = Math.min(sum, FREQUENCY_MAX);
      };
      postings.forEach(each.term, count, first, end);
    }
    for (const [i, frequency] of counts.entries()) {
      if (frequency > 0) scores[i] = (scores[i] as number) + (weight * frequency) / (frequency + norms.of(first + i));
    }
  }
  return scores;
}
