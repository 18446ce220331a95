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
  #words: Uint32Array;
  #used = 1;
  // Per term:
  #head: Uint32Array;
  /** Size of the first slice: of terms that were there from the beginning, as many as they had. */
  #headSize: Uint32Array;
  #tailAt: Uint32Array;
  #tailRoom: Uint32Array;
  #sliceSize: Uint16Array;

  /** Postings of passages that are known already, each term's in one slice: in how many passages each term stands, and these. */
  constructor(frequencies: Uint32Array, { starts, terms, words }: KnownPassages) {
    const capacity = Math.max(TERMS_MIN, frequencies.length);
    this.#head = new Uint32Array(capacity);
    this.#headSize = new Uint32Array(capacity);
    this.#tailAt = new Uint32Array(capacity);
    this.#tailRoom = new Uint32Array(capacity);
    this.#sliceSize = new Uint16Array(capacity);
    for (const [term, frequency] of frequencies.entries()) {
      if (frequency === 0) continue;
      this.#head[term] = this.#used;
      this.#tailAt[term] = this.#used;
      this.#headSize[term] = frequency;
      this.#sliceSize[term] = Math.min(frequency, LARGEST_SLICE);
      this.#used += frequency + 1;
    }
    const postings = new Uint32Array(Math.max(WORDS_MIN, this.#used));
    this.#words = postings;
    const tailAt = this.#tailAt;
    for (let ordinal = 0; ordinal + 1 < starts.length; ordinal++) {
      const end = starts[ordinal + 1] as number;
      for (let i = starts[ordinal] as number; i < end; i++) {
        const term = terms[i] as number;
        const at = tailAt[term] as number;
        postings[at] = postingOf(ordinal, frequencyOf(words[i] as number));
        tailAt[term] = at + 1;
      }
    }
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
