/**
 * Parameters of BM25 (Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"), in the form whose idf is never negative:
 *
 *     idf = ln(1 + (N − df + ½) / (df + ½))
 *     score = Σ qtf · idf · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length / average))
 */
export interface Bm25Parameters {
  /** Saturation of the term frequency: the higher, the longer more occurrences matter. */
  readonly k1: number;
  /** Normalization by length, from 0 (none) to 1 (full). */
  readonly b: number;
}

export const BM25: Bm25Parameters = { k1: 1.2, b: 0.75 };

/** Inverse document frequency of a term that `frequency` of `count` passages hold. Positive; falls with the frequency. */
export function inverseDocumentFrequency(count: number, frequency: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

/**
 * The score that a term adds to a passage.
 * @param weight share · qtf · idf · (k1 + 1)
 * @param frequency how often the passage holds it
 * @param norm k1 · (1 − b + b · length / average), in the unit of the frequency
 */
export function gainOf(weight: number, frequency: number, norm: number): number {
  return (weight * frequency) / (frequency + norm);
}
