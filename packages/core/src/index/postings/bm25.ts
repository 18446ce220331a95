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

/** Passages of general text that count beside those of the index, the share of them that hold a common term, and the share that hold another one. */
const GENERAL_PASSAGES = 40;
const COMMON_SHARE = 0.4;
const OTHER_SHARE = 0.001;

/**
 * The same, with a prior for indexes of few passages: as if the index had some passages of general text as well. In five passages "my" may be rarer than "password"; in
 * general text it is not. In a large index the general passages hardly change anything.
 */
export function withGeneralText(count: number, frequency: number, isCommon: boolean): number {
  const share = isCommon ? COMMON_SHARE : OTHER_SHARE;
  return inverseDocumentFrequency(count + GENERAL_PASSAGES, frequency + GENERAL_PASSAGES * share);
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

/** Units of a frequency of 1, so that fields can weigh less than the text. */
export const FREQUENCY_UNITS = 4;

/**
 * The summand of a score's denominator that depends on the passage: `base + slope · length`. Only `base` and `slope` follow the average length. So
 * nothing else is computed again when passages enter or leave.
 */
export class PassageNorms {
  readonly #parameters: Bm25Parameters;
  /** By ordinal, in frequency units: infinite for a passage that no search sees. */
  lengths = new Float32Array(0);
  base = 0;
  slope = 0;

  constructor(parameters: Bm25Parameters, lengths: Uint32Array) {
    this.#parameters = parameters;
    this.lengths = Float32Array.from(lengths);
  }

  set(ordinal: number, length: number): void {
    if (ordinal >= this.lengths.length) {
      const grown = new Float32Array(Math.max(ORDINALS_MIN, Math.ceil((ordinal + 1) * 1.5)));
      grown.fill(Number.POSITIVE_INFINITY, this.lengths.length);
      grown.set(this.lengths);
      this.lengths = grown;
    }
    this.lengths[ordinal] = length;
  }

  /** Sets the average length of live passages, in frequency units; 0 if there are none. */
  takeAverage(length: number): void {
    const { k1, b } = this.#parameters;
    // Frequencies are in units, so the norm is too: the ratio stays that of plain frequencies.
    this.base = FREQUENCY_UNITS * (length > 0 ? k1 * (1 - b) : k1);
    // Above 0, so that an infinite length stays infinite.
    this.slope = Math.max(SLOPE_MIN, length > 0 ? (FREQUENCY_UNITS * k1 * b) / length : 0);
  }

  of(ordinal: number): number {
    return this.base + this.slope * (this.lengths[ordinal] ?? Number.POSITIVE_INFINITY);
  }
}

const ORDINALS_MIN = 256;
const SLOPE_MIN = 1e-300;
