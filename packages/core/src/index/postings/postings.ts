import type { Sliced } from "../../scheduling/time-slices.ts";
import type { PassageNorms } from "./bm25.ts";
import { FREQUENCY_MAX, frequencyOf } from "./occurrences.ts";
import type { RisenPassages } from "./scoring-memory.ts";

/**
 * The postings of all terms in one growing array: no object for each term.
 *
 * A posting is one 32-bit word. A list's word for each block of {@link BLOCK} postings has the same form:
 *
 *     | ordinal: 24 bits (`PASSAGES_MAX`)        | term frequency: 8 bits    |  a posting
 *     | least length of the passages: 24 bits    | highest frequency: 8 bits |  a block
 *
 * - The postings of a term are consecutive and their ordinals rise: binary search finds any of them.
 * - The words of a list's blocks stand behind its places for postings.
 * - A full list moves to a place that is larger by a third or a half (see {@link roomAbove}). A later list takes the place that it leaves.
 * - A term whose number is beyond the arrays has no postings yet: it counts as an empty list.
 * - No posting of a block brings its passage more than the two numbers of the block would together, whatever the average length is by then.
 */
export class Postings {
  /** Word 0 is never used, so that 0 can mean "none". */
  #words = new Uint32Array(0);
  #used = 1;
  /** Places that lists have left, by {@link classOf} their capacity. */
  readonly #left: number[][] = [];
  // Per term:
  #start: Uint32Array;
  #count: Uint32Array;
  /** Capacity of its place, in postings. A list that was there from the beginning has just what it needs. */
  #room: Uint32Array;

  /** Without a list yet; with capacity for `terms` terms. */
  private constructor(terms: number) {
    const capacity = Math.max(TERMS_MIN, terms);
    this.#start = new Uint32Array(capacity);
    this.#count = new Uint32Array(capacity);
    this.#room = new Uint32Array(capacity);
  }

  /** Builds the postings of known passages, as sliced work, with no capacity for more. `frequencies` is by term: the number of passages that hold it. */
  static *inSlices(frequencies: Uint32Array, { lengths, starts, terms, words }: KnownPassages): Sliced<Postings> {
    const made = new Postings(frequencies.length);
    for (let term = 0; term < frequencies.length; term++) {
      if (term % SLICE_TERMS === 0) yield;
      made.#reserve(term, frequencies[term] as number);
    }
    made.#words = new Uint32Array(Math.max(WORDS_MIN, made.#used));
    let ordinal = 0;
    let end = starts[1] ?? 0;
    for (let i = 0; i < terms.length; i++) {
      if (i % SLICE_POSTINGS === 0) yield;
      while (i >= end) end = starts[++ordinal + 1] as number;
      made.#append(terms[i] as number, ordinal, frequencyOf(words[i] as number), lengths[ordinal] as number);
    }
    return made;
  }

  #reserve(term: number, room: number): void {
    if (room === 0) return;
    this.#start[term] = this.#used;
    this.#room[term] = room;
    this.#used += wordsFor(room);
  }

  /** Adds a posting to a term's list. Ordinals must rise. `length` is that of the passage, in frequency units. */
  add(term: number, ordinal: number, frequency: number, length: number): void {
    if (term >= this.#start.length) this.#growTerms(term);
    if (this.#count[term] === this.#room[term]) this.#move(term);
    this.#append(term, ordinal, frequency, length);
  }

  /** Adds a posting to a list that is not full. */
  #append(term: number, ordinal: number, frequency: number, length: number): void {
    const words = this.#words;
    const [start, room, count] = [this.#start[term] as number, this.#room[term] as number, this.#count[term] as number];
    words[start + count] = ((ordinal << 8) | frequency) >>> 0;
    this.#count[term] = count + 1;
    const at = start + room + (count >>> BLOCK_BITS);
    words[at] = count % BLOCK === 0 ? blockOf(frequency, length) : withOneMore(words[at] as number, frequency, length);
  }

  /** Number of postings of a term, those of removed passages included. */
  countOf(term: number): number {
    return this.#count[term] ?? 0;
  }

  /**
   * Adds `weight · tf / (tf + norm)` to the score of every passage in the term's list. Removed passages get nothing, for their norm is infinite.
   * Ordinals that get their first score are appended to `touched`. Scores that rise above that of `risen` are reported to it.
   * @returns the new number of touched ordinals
   */
  accumulate(
    term: number,
    weight: number,
    { lengths, base, slope }: PassageNorms,
    scores: Float64Array,
    touched: Uint32Array,
    touchedCount: number,
    risen: RisenPassages,
  ): number {
    const words = this.#words;
    const { least } = risen;
    let count = touchedCount;
    const start = this.#start[term] as number;
    const end = start + (this.#count[term] as number);
    for (let at = start; at < end; at++) {
      const word = words[at] as number;
      const ordinal = word >>> 8;
      const frequency = word & FREQUENCY_MAX;
      const gain = (weight * frequency) / (frequency + (base + slope * (lengths[ordinal] as number)));
      if (gain === 0) continue;
      const before = scores[ordinal] as number;
      if (before === 0) touched[count++] = ordinal;
      const score = before + gain;
      scores[ordinal] = score;
      if (score > least) risen.add(ordinal);
    }
    return count;
  }

  /** {@link accumulate} for passages that have a score above 0 already; others get none. */
  addToScores(term: number, weight: number, { lengths, base, slope }: PassageNorms, scores: Float64Array): void {
    const words = this.#words;
    const start = this.#start[term] as number;
    const end = start + (this.#count[term] as number);
    for (let at = start; at < end; at++) {
      const word = words[at] as number;
      const ordinal = word >>> 8;
      const before = scores[ordinal] as number;
      if (before === 0) continue;
      const frequency = word & FREQUENCY_MAX;
      scores[ordinal] = before + (weight * frequency) / (frequency + (base + slope * (lengths[ordinal] as number)));
    }
  }

  /** {@link accumulate} for all passages of `[first, last)`. `scores` has those of these passages only. */
  addBetween(
    term: number,
    weight: number,
    { lengths, base, slope }: PassageNorms,
    first: number,
    last: number,
    scores: Float64Array,
  ): void {
    const words = this.#words;
    const start = this.#start[term] as number;
    const end = start + (this.#count[term] as number);
    for (let at = firstFrom(words, start, end, first); at < end; at++) {
      const word = words[at] as number;
      const ordinal = word >>> 8;
      if (ordinal >= last) return;
      const frequency = word & FREQUENCY_MAX;
      scores[ordinal - first] =
        (scores[ordinal - first] as number) +
        (weight * frequency) / (frequency + (base + slope * (lengths[ordinal] as number)));
    }
  }

  /** Looks up how often each of these passages holds a term, into `frequencies`: 0 where it does not. Ordinals must rise. */
  lookUp(term: number, ordinals: Uint32Array, count: number, frequencies: Uint8Array): void {
    const words = this.#words;
    let at = this.#start[term] ?? 0;
    const end = at + (this.#count[term] ?? 0);
    for (let i = 0; i < count; i++) {
      const ordinal = ordinals[i] as number;
      // Galloping search: strides that double, then binary search between the last two. The next passage is seldom far.
      let step = 1;
      let high = at;
      while (high < end && (words[high] as number) >>> 8 < ordinal) {
        at = high + 1;
        high += step;
        step <<= 1;
      }
      if (high > end) high = end;
      at = firstFrom(words, at, high, ordinal);
      const word = at < end ? (words[at] as number) : 0;
      frequencies[i] = at < end && word >>> 8 === ordinal ? word & FREQUENCY_MAX : 0;
    }
  }

  /** How often one passage holds a term. Binary search. */
  frequencyIn(term: number, ordinal: number): number {
    const words = this.#words;
    const start = this.#start[term] ?? 0;
    const end = start + (this.#count[term] ?? 0);
    const at = firstFrom(words, start, end, ordinal);
    const word = at < end ? (words[at] as number) : 0;
    return at < end && word >>> 8 === ordinal ? word & FREQUENCY_MAX : 0;
  }

  /** Upper bound of `tf / (tf + norm)` in any passage of the term: above 0, at most 1. 0 for a term without postings. */
  highestGain(term: number, { base, slope }: PassageNorms): number {
    const count = this.#count[term] ?? 0;
    if (count === 0) return 0;
    const words = this.#words;
    const first = (this.#start[term] as number) + (this.#room[term] as number);
    const last = first + ((count - 1) >>> BLOCK_BITS);
    let highest = 0;
    for (let at = first; at <= last; at++) {
      const block = words[at] as number;
      const frequency = block & FREQUENCY_MAX;
      const gain = frequency / (frequency + (base + slope * (block >>> 8)));
      if (gain > highest) highest = gain;
    }
    return highest;
  }

  /** Visits the postings of a term, those of removed passages included: all, or those of the passages of `[first, last)`. */
  forEach(
    term: number,
    visit: (ordinal: number, frequency: number) => void,
    first = 0,
    last = Number.POSITIVE_INFINITY,
  ): void {
    const words = this.#words;
    const start = this.#start[term] ?? 0;
    const end = start + (this.#count[term] ?? 0);
    for (let at = first > 0 ? firstFrom(words, start, end, first) : start; at < end; at++) {
      const word = words[at] as number;
      if (word >>> 8 >= last) return;
      visit(word >>> 8, word & FREQUENCY_MAX);
    }
  }

  get bytes(): number {
    return this.#words.byteLength + this.#start.byteLength * 3;
  }

  /** Moves a full list to a larger place. All memory is taken before anything changes. */
  #move(term: number): void {
    const before = this.#room[term] as number;
    const room = before < FIRST_ROOM ? FIRST_ROOM : roomAbove(before);
    const from = this.#start[term] as number;
    const to = this.#left[classOf(room)]?.pop() ?? this.#takePlace(room);
    const words = this.#words;
    words.copyWithin(to, from, from + before);
    words.copyWithin(to + room, from + before, from + wordsFor(before));
    this.#start[term] = to;
    this.#room[term] = room;
    if (before > 0) this.#leave(from, before);
  }

  #takePlace(room: number): number {
    const at = this.#used;
    const needed = at + wordsFor(room);
    if (needed > this.#words.length) {
      const grown = new Uint32Array(Math.max(needed, grownLength(this.#words.length)));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#used = needed;
    return at;
  }

  /** Frees a place for later lists. A place of an odd size counts as the next smaller capacity. */
  #leave(at: number, room: number): void {
    const places = this.#left[classOf(room)] ?? [];
    this.#left[classOf(room)] = places;
    places.push(at);
  }

  #growTerms(term: number): void {
    const capacity = Math.max(term + 1, grownLength(this.#start.length));
    const grown = [grow(this.#start, capacity), grow(this.#count, capacity), grow(this.#room, capacity)] as const;
    [this.#start, this.#count, this.#room] = grown;
  }
}

/** Known passages and their terms; see `LexicalContents`. */
export interface KnownPassages {
  readonly lengths: Uint32Array;
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly words: Uint32Array;
}

/** Terms and postings of known passages that are taken in a slice. */
const SLICE_TERMS = 4_096;
const SLICE_POSTINGS = 8_192;

const TERMS_MIN = 256;
const WORDS_MIN = 1 << 12;
/** Longer arrays grow by a sixteenth, so that little of them is empty. Copying them that often takes a hundredth of the time of an import. */
const LENGTH_MANY = 1 << 16;

/** Most terms stand in one or two passages. */
const FIRST_ROOM = 2;

const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;
const LENGTH_MAX = 2 ** 24 - 1;

/** Words of a list with this capacity, and of its blocks. */
function wordsFor(room: number): number {
  return room + Math.ceil(room / BLOCK);
}

function blockOf(frequency: number, length: number): number {
  return ((Math.min(length, LENGTH_MAX) << 8) | frequency) >>> 0;
}

function withOneMore(block: number, frequency: number, length: number): number {
  return blockOf(Math.max(block & FREQUENCY_MAX, frequency), Math.min(block >>> 8, length));
}

/** Binary search in the postings of `[low, high)`: the place of the first one whose ordinal is this one or higher; `high` if there is none. */
function firstFrom(words: Uint32Array, low: number, high: number, ordinal: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((words[middle] as number) >>> 8 < ordinal) from = middle + 1;
    else to = middle;
  }
  return from;
}

function grownLength(length: number): number {
  return Math.ceil(length * (length < LENGTH_MANY ? 1.5 : 1.0625));
}

/**
 * Capacities are 1, and 2 or 3 times a power of two: a list's is larger than the list by a fifth on average. More of them would leave more places
 * that no other list grows into.
 */
const ROOMS_A_POWER = 2;

/** Number of the largest of these capacities that is at most `room`, from 1 on. A list of known passages has just the capacity that it needs. */
function classOf(room: number): number {
  const power = powerOf(room);
  return power * ROOMS_A_POWER + (room >>> power);
}

/** The least of these capacities that is above `room`. */
function roomAbove(room: number): number {
  const power = powerOf(room);
  return ((room >>> power) + 1) << power;
}

/** Exponent of the power of two that a capacity is a small multiple of. */
function powerOf(room: number): number {
  return Math.max(0, 30 - Math.clz32(room));
}

function grow(from: Uint32Array, length: number): Uint32Array {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}
