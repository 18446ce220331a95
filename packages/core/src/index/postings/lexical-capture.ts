import { must } from "../../model/must.ts";
import type { GrowingUint32 } from "../../platform/growing-array.ts";
import { finished, inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import type { CapturedLists } from "./forward-lists.ts";
import { ListsReader } from "./list-bytes.ts";
import type { TermCounts } from "./term-counts.ts";

/** Length of a passage that has been removed, or that is staged. */
export const GONE = 0xffffffff;

/** Stands for the number of a term that no passage holds. */
const NO_TERM = 0xffffffff;

/** Terms that are numbered in a slice. */
const SLICE_TERMS = 8_192;

/** The contents of a lexical index as flat arrays. */
export interface LexicalContents {
  /** Terms by number. */
  readonly vocabulary: readonly string[];
  readonly lengths: Uint32Array;
  /** Where the terms of each passage begin, and after the last where they end. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  /** How a passage holds each of its terms; see `occurrences.ts`. */
  readonly words: Uint32Array;
}

/** The data that a lexical index is captured from. */
export interface CapturedParts {
  /** Terms by number; only grows. */
  readonly vocabulary: readonly string[];
  /** The number of passages that hold each term. Some may still be owed. */
  readonly counts: TermCounts;
  readonly lengths: GrowingUint32;
  /** The terms of each passage, and how it holds them. */
  readonly lists: CapturedLists;
  readonly passages: number;
}

/**
 * A lexical index as it was at one moment, whatever changes later. Removed passages and unused terms are left out; the others are numbered again in
 * order.
 *
 * Only the lengths, the frequencies and the list of the pages are copied. All other data only grows: terms stay in the vocabulary, and a passage's
 * list is never rewritten. So a capture takes next to no time. It is read in portions later, after {@link prepare}.
 */
export class LexicalCapture {
  readonly passages: number;
  readonly #vocabulary: readonly string[];
  readonly #counts: TermCounts;
  readonly #lengths: Uint32Array;
  readonly #lists: CapturedLists;
  /** By term number in the index: the term's number here. */
  readonly #numbers: Uint32Array;

  constructor({ vocabulary, counts, lengths, lists, passages }: CapturedParts) {
    const list = new ListsReader(lists.pages);
    this.passages = passages;
    this.#vocabulary = vocabulary;
    const startOf = (ordinal: number): number => must(lists.starts[ordinal], "the list of a captured passage");
    this.#counts = counts.copy({ postings: counts.postings, read: (ordinal) => list.read(startOf(ordinal)) });
    this.#numbers = this.#counts.frequencies.view();
    this.#lengths = lengths.view().slice();
    this.#lists = lists;
  }

  /** Counts the owed terms, and numbers the held ones. Must be done once, before anything else. */
  *prepare(): Sliced<void> {
    yield* this.#counts.settle();
    const numbers = this.#numbers;
    let held = 0;
    yield* inPortions(numbers.length, SLICE_TERMS, (from, to) => {
      for (let number = from; number < to; number++) numbers[number] = numbers[number] === 0 ? NO_TERM : held++;
    });
  }

  /** Number of terms of all passages together. */
  get postings(): number {
    return this.#counts.postings;
  }

  /** Terms by number. */
  *vocabulary(): Generator<string, void> {
    for (let number = 0; number < this.#numbers.length; number++) {
      if (this.#numbers[number] !== NO_TERM) yield must(this.#vocabulary[number], "a captured term");
    }
  }

  /** The length of each passage, at most `most` at a time. */
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
    return this.#ofPassages(most, ({ terms }, i) => numbers[terms[i] as number] as number);
  }

  /** How each passage holds them. */
  wordsOfPassages(most: number): Generator<Uint32Array, void> {
    return this.#ofPassages(most, ({ words }, i) => words[i] as number);
  }

  /** All contents at once. */
  contents(): LexicalContents {
    finished(this.prepare());
    const all = Number.POSITIVE_INFINITY;
    return {
      vocabulary: [...this.vocabulary()],
      lengths: joined(this.lengths(all), this.passages),
      starts: joined(this.starts(all), this.passages + 1),
      terms: joined(this.termsOfPassages(all), this.postings),
      words: joined(this.wordsOfPassages(all), this.postings),
    };
  }

  /** A number for each term of each passage, at most `most` at a time. */
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

  /** Live passages, as ranges of at most `most` ordinals. */
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

function joined(fragments: Iterable<Uint32Array>, length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const fragment of fragments) {
    all.set(fragment, at);
    at += fragment.length;
  }
  return all;
}
