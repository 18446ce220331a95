import type { Steps } from "../runtime/steps.ts";
import { frequencyOf } from "./occurrences.ts";

/**
 * Postings of all terms in one growing array: no object for each term, one copy to save or load them.
 *
 * A posting is one 32-bit word: the passage's ordinal in the upper 24 bits (`PASSAGES_MAX`), its term frequency in the lower 8.
 * A term's postings stand in chained slices, each twice as large as the one before it; the word after a slice's last posting is the offset of
 * the next slice. Ordinals rise along the chain.
 */
export class Postings {
  /** Slice 0 is never used, so that 0 can say "none". */
  #words = new Uint32Array(0);
  #used = 1;
  // Per term:
  #head: Uint32Array;
  /** Size of the first slice: of terms that were there from the beginning, as many as they had. */
  #headSize: Uint32Array;
  #tailAt: Uint32Array;
  #tailRoom: Uint32Array;
  #sliceSize: Uint16Array;

  /** Of no term yet; with room for so many. */
  private constructor(terms: number) {
    const capacity = Math.max(TERMS_MIN, terms);
    this.#head = new Uint32Array(capacity);
    this.#headSize = new Uint32Array(capacity);
    this.#tailAt = new Uint32Array(capacity);
    this.#tailRoom = new Uint32Array(capacity);
    this.#sliceSize = new Uint16Array(capacity);
  }

  /** Postings of passages that are known already, each term's in one slice: in how many passages each term stands, and these. */
  static *inSteps(frequencies: Uint32Array, { starts, terms, words }: KnownPassages): Steps<Postings> {
    const made = new Postings(frequencies.length);
    for (let term = 0; term < frequencies.length; term++) {
      if (term % STEP_TERMS === 0) yield;
      made.#reserve(term, frequencies[term] as number);
    }
    const postings = new Uint32Array(Math.max(WORDS_MIN, made.#used));
    made.#words = postings;
    const tailAt = made.#tailAt;
    let ordinal = 0;
    let end = starts[1] ?? 0;
    for (let i = 0; i < terms.length; i++) {
      if (i % STEP_POSTINGS === 0) yield;
      while (i >= end) end = starts[++ordinal + 1] as number;
      const term = terms[i] as number;
      const at = tailAt[term] as number;
      postings[at] = postingOf(ordinal, frequencyOf(words[i] as number));
      tailAt[term] = at + 1;
    }
    return made;
  }

  /** A first slice for a term that has so many postings. */
  #reserve(term: number, frequency: number): void {
    if (frequency === 0) return;
    this.#head[term] = this.#used;
    this.#tailAt[term] = this.#used;
    this.#headSize[term] = frequency;
    this.#sliceSize[term] = Math.min(frequency, LARGEST_SLICE);
    this.#used += frequency + 1;
  }

  /** Adds a posting to a term's list. Ordinals must rise. */
  add(term: number, ordinal: number, frequency: number): void {
    if (term >= this.#head.length) this.#growTerms(term);
    if ((this.#tailRoom[term] ?? 0) === 0) this.#addSlice(term);
    const at = this.#tailAt[term] ?? 0;
    this.#words[at] = postingOf(ordinal, frequency);
    this.#tailAt[term] = at + 1;
    this.#tailRoom[term] = (this.#tailRoom[term] ?? 0) - 1;
  }

  /**
   * Adds `weight · tf / (tf + norm)` to every passage of the term's list. `norms` of passages that are gone are
   * infinite, so they get nothing. Ordinals that get their first score are appended to `touched`.
   * Returns the new number of touched ordinals.
   */
  accumulate(
    term: number,
    weight: number,
    norms: Float64Array,
    scores: Float64Array,
    touched: Uint32Array,
    touchedCount: number,
  ): number {
    const words = this.#words;
    let count = touchedCount;
    let size = this.#headSize[term] ?? 0;
    let at = this.#head[term] ?? 0;
    const end = this.#tailAt[term] ?? 0;
    while (at !== 0) {
      // The last slice is full up to the tail only.
      const isLast = end > at && end <= at + size;
      const stop = isLast ? end : at + size;
      for (; at < stop; at++) {
        const word = words[at] as number;
        const ordinal = word >>> 8;
        const frequency = word & 255;
        const gain = (weight * frequency) / (frequency + (norms[ordinal] as number));
        if (gain === 0) continue;
        const before = scores[ordinal] as number;
        if (before === 0) touched[count++] = ordinal;
        scores[ordinal] = before + gain;
      }
      if (isLast) return count;
      at = words[at] as number;
      size = nextSliceSize(size);
    }
    return count;
  }

  /** Visits the postings of a term, passages that are gone included. */
  forEach(term: number, visit: (ordinal: number, frequency: number) => void): void {
    const end = this.#tailAt[term] ?? 0;
    let size = this.#headSize[term] ?? 0;
    for (let at = this.#head[term] ?? 0; at !== 0; ) {
      const isLast = end > at && end <= at + size;
      const stop = isLast ? end : at + size;
      for (; at < stop; at++) {
        const word = this.#words[at] ?? 0;
        visit(word >>> 8, word & 255);
      }
      if (isLast) return;
      at = this.#words[at] ?? 0;
      size = nextSliceSize(size);
    }
  }

  get bytes(): number {
    return this.#words.byteLength + this.#head.byteLength * 4.5;
  }

  #addSlice(term: number): void {
    const previousSize = this.#sliceSize[term] ?? 0;
    const size = previousSize === 0 ? FIRST_SLICE : nextSliceSize(previousSize);
    const needed = this.#used + size + 1;
    if (needed > this.#words.length) {
      const grown = new Uint32Array(Math.max(needed, Math.ceil(this.#words.length * 1.5)));
      grown.set(this.#words);
      this.#words = grown;
    }
    const at = this.#used;
    this.#used = needed;
    if (previousSize === 0) {
      this.#head[term] = at;
      this.#headSize[term] = size;
    } else this.#words[this.#tailAt[term] ?? 0] = at;
    this.#tailAt[term] = at;
    this.#tailRoom[term] = size;
    this.#sliceSize[term] = size;
  }

  #growTerms(term: number): void {
    const capacity = Math.max(term + 1, this.#head.length * 2);
    this.#head = grow(this.#head, new Uint32Array(capacity));
    this.#headSize = grow(this.#headSize, new Uint32Array(capacity));
    this.#tailAt = grow(this.#tailAt, new Uint32Array(capacity));
    this.#tailRoom = grow(this.#tailRoom, new Uint32Array(capacity));
    this.#sliceSize = grow(this.#sliceSize, new Uint16Array(capacity));
  }
}

/** Passages and what they hold; see `LexicalContents`. */
export interface KnownPassages {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly words: Uint32Array;
}

/** Known ones are taken so many in a step. */
const STEP_TERMS = 4_096;
const STEP_POSTINGS = 8_192;

const TERMS_MIN = 256;
const WORDS_MIN = 1 << 12;

function postingOf(ordinal: number, frequency: number): number {
  return ((ordinal << 8) | frequency) >>> 0;
}

/** Most terms stand in one or two passages. */
const FIRST_SLICE = 2;
const LARGEST_SLICE = 1 << 12;

function nextSliceSize(size: number): number {
  return size >= LARGEST_SLICE ? LARGEST_SLICE : size * 2;
}

function grow<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
