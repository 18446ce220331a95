import type { CapturedLists } from "./forward-lists.ts";
import type { GrowingUint32 } from "./growing-array.ts";
import { ListsReader } from "./list-bytes.ts";

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
  /** The terms of each passage, and how it holds them. */
  readonly lists: CapturedLists;
  readonly passages: number;
  readonly postings: number;
}

/**
 * A lexical index as it was at one moment, however it changes afterwards: passages that were gone and terms that no passage held are left out,
 * the others numbered anew in order. Nothing is copied but the lengths, the frequencies and the list of the pages, for all else only grows: terms are never taken out of the
 * vocabulary, and what a passage holds is never written again. So it is taken in no time, and read piece by piece whenever there is time.
 */
export class LexicalCapture {
  readonly passages: number;
  readonly postings: number;
  readonly terms: number;
  readonly #vocabulary: readonly string[];
  readonly #vocabularyLength: number;
  readonly #lengths: Uint32Array;
  readonly #lists: CapturedLists;
  /** By number in the index: the term's number here. Undefined where they are the same. */
  readonly #numbers: Uint32Array | undefined;

  constructor({ vocabulary, frequencies, lengths, lists, passages, postings }: CapturedParts) {
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
    this.#lists = lists;
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
    const { starts, pages } = this.#lists;
    const list = new ListsReader(pages);
    let next = 0;
    for (const [first, end] of this.#runs(most)) {
      yield starts.slice(first, end).map((start) => {
        const own = next;
        next += list.countAt(start);
        return own;
      });
    }
    yield Uint32Array.of(next);
  }

  /** The terms of each passage. */
  termsOfPassages(most: number): Generator<Uint32Array, void> {
    const numbers = this.#numbers;
    return this.#ofPassages(most, ({ terms }, i) => numbers?.[terms[i] as number] ?? (terms[i] as number));
  }

  /** How each passage holds them. */
  wordsOfPassages(most: number): Generator<Uint32Array, void> {
    return this.#ofPassages(most, ({ words }, i) => words[i] as number);
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

  /** A number for each term of each passage, at most so many at a time. */
  *#ofPassages(most: number, numberOf: (list: ListsReader, i: number) => number): Generator<Uint32Array, void> {
    const { starts, pages } = this.#lists;
    const list = new ListsReader(pages);
    let left = this.postings;
    let numbers = new Uint32Array(Math.min(most, left));
    let filled = 0;
    for (const [first, end] of this.#runs(most)) {
      for (let ordinal = first; ordinal < end; ordinal++) {
        const { count } = list.read(starts[ordinal] as number);
        for (let i = 0; i < count; i++) {
          numbers[filled++] = numberOf(list, i);
          if (filled < numbers.length) continue;
          yield numbers;
          left -= filled;
          numbers = new Uint32Array(Math.min(most, left));
          filled = 0;
        }
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
