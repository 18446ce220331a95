/**
 * How a passage holds a term, in one 32-bit word:
 *
 *     | which fragments hold it, one bit each: 24 bits | frequency: 8 bits |
 */

export const FREQUENCY_MAX = 255;

/** Fragments of a passage that have a bit of their own. */
export const FRAGMENTS_MARKED_MAX = 24;

export function occurrences(frequency: number, fragments: number): number {
  return ((fragments << 8) | Math.min(frequency, FREQUENCY_MAX)) >>> 0;
}

export function frequencyOf(word: number): number {
  return word & FREQUENCY_MAX;
}

/** A bit for each fragment, the first in the lowest. */
export function fragmentsOf(word: number): number {
  return word >>> 8;
}

/** The bit of a fragment; 0 for one beyond {@link FRAGMENTS_MARKED_MAX}. */
export function fragmentBit(fragment: number): number {
  return fragment < FRAGMENTS_MARKED_MAX ? 1 << fragment : 0;
}

/** The frequency of a term whose occurrences count only `share` (0 to 1) of one. Never less than 1, so that the term is found at all. */
export function sharedFrequency(frequency: number, share: number): number {
  return share === 1 ? frequency : Math.max(1, Math.round(frequency * share));
}

/** Counts two terms as one: adds their frequencies, the second by its share, and joins their fragments. The order of several makes no difference. */
export function together(first: number, second: number, share: number): number {
  if (first === 0 && share === 1) return second;
  const frequency = frequencyOf(first) + sharedFrequency(frequencyOf(second), share);
  return occurrences(frequency, fragmentsOf(first) | fragmentsOf(second));
}
