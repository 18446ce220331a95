import type { GrowingUint32 } from "./growing-array.ts";

/** Length of a passage that has been removed. */
export const GONE = 0xffffffff;

/** In place of the number of a term that no passage holds. */
const NO_TERM = 0xffffffff;

/** The contents of a lexical index as flat arrays. */
export interface LexicalContents {
  /** Terms by number. */
  readonly vocabulary: readonly string[];
  readonly lengths: Uint32Array;
  /** One more than there are passages. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  /** How a passage holds each of its terms; see `occurrences.ts`. */
  readonly words: Uint32Array;
}

/** What a lexical index is captured from. */
export interface CapturedParts {
  /** Terms by number; only grows. */
  readonly vocabulary: readonly string[];
  /** By term: passages that hold it. */
  readonly frequencies: GrowingUint32;
  readonly lengths: GrowingUint32;
  readonly starts: GrowingUint32;
  readonly terms: GrowingUint32;
  readonly words: GrowingUint32;
  readonly passages: number;
  readonly postings: number;
}

/**
 * A lexical index as it was at one moment, however it changes afterwards: passages that were gone and terms that no passage held are left out,
 * the others numbered anew in order. Nothing is copied but the lengths and frequencies, for all else only grows: terms are never taken out of the
 * vocabulary, and what a passage holds is never written again. So it is taken in no time, and read piece by piece whenever there is time.
 */
export class LexicalCapture {
  readonly passages: number;
  readonly postings: number;
  readonly terms: number;
  readonly #vocabulary: readonly string[];
  readonly #vocabularyLength: number;
  readonly #lengths: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #terms: Uint32Array;
  readonly #words: Uint32Array;
  /** By number in the index: the term's number here. Undefined where they are the same. */
  readonly #numbers: Uint32Array | undefined;

  constructor({ vocabulary, frequencies, lengths, starts, terms, words, passages, postings }: CapturedParts) {
    this.passages = passages;
    this.postings = postings;
    this.#vocabulary = vocabulary;
    const numbers = frequencies.view().slice();
    let held = 0;
    for (let number = 0; number < numbers.length; number++) {
      numbers[number] = numbers[number] === 0 ? NO_TERM : held++;
    }
    this.terms = held;
    this.#numbers = held < numbers.length ? numbers : undefined;
    this.#vocabularyLength = numbers.length;
    this.#lengths = lengths.view().slice();
    this.#starts = starts.view();
    this.#terms = terms.view();
    this.#words = words.view();
  }

  /** Terms by number. */
  *vocabulary(): Generator<string, void> {
    for (let number = 0; number < this.#vocabularyLength; number++) {
      if (this.#numbers?.[number] !== NO_TERM) yield this.#vocabulary[number] ?? "";
    }
  }

  /** The length of each passage, at most so many at a time. */
  *lengths(most: number): Generator<Uint32Array, void> {
    for (const [first, end] of this.#runs(most)) yield this.#lengths.subarray(first, end);
  }

  /** Where the terms of each passage begin, and after the last where they end. */
  *starts(most: number): Generator<Uint32Array, void> {
    let next = 0;
    for (const [first, end] of this.#runs(most)) {
      const moved = (this.#starts[first] ?? 0) - next;
      yield this.#starts.slice(first, end).map((start) => start - moved);
      next = (this.#starts[end] ?? 0) - moved;
    }
    yield Uint32Array.of(next);
  }

  /** The terms of each passage. */
  *termsOfPassages(most: number): Generator<Uint32Array, void> {
    const numbers = this.#numbers;
    for (const terms of this.#ofPassages(this.#terms, most)) {
      yield numbers === undefined ? terms : terms.map((term) => numbers[term] as number);
    }
  }

  /** How each passage holds them. */
  wordsOfPassages(most: number): Generator<Uint32Array, void> {
    return this.#ofPassages(this.#words, most);
  }

  /** All of it at once. */
  contents(): LexicalContents {
    const all = Number.POSITIVE_INFINITY;
    return {
      vocabulary: [...this.vocabulary()],
      lengths: joined(this.lengths(all), this.passages),
      starts: joined(this.starts(all), this.passages + 1),
      terms: joined(this.termsOfPassages(all), this.postings),
      words: joined(this.wordsOfPassages(all), this.postings),
    };
  }

  *#ofPassages(values: Uint32Array, most: number): Generator<Uint32Array, void> {
    for (const [first, end] of this.#runs(most)) {
      const last = this.#starts[end] ?? 0;
      for (let at = this.#starts[first] ?? 0; at < last; at += most) {
        yield values.subarray(at, Math.min(at + most, last));
      }
    }
  }

  /** Passages that are there, as ranges of ordinals of at most so many. */
  *#runs(most: number): Generator<readonly [first: number, end: number], void> {
    const lengths = this.#lengths;
    for (let first = 0; first < lengths.length; ) {
      if (lengths[first] === GONE) {
        first++;
        continue;
      }
      let end = first + 1;
      while (end < lengths.length && lengths[end] !== GONE && end - first < most) end++;
      yield [first, end];
      first = end;
    }
  }
}

function joined(pieces: Iterable<Uint32Array>, length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
