import { GrowingUint32 } from "../../platform/growing-array.ts";
import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { HELD_BYTES_MAX, ListsReader, NUMBER_BYTES_MAX, writeHeld, writeNumber } from "./list-bytes.ts";

/**
 * The distinct terms of each passage and how it holds them, as bytes: under three a term, where two plain numbers would take eight.
 *
 * The list of a passage lies in one page and is never rewritten. A full page stays where it is, and only a small last page grows. Memory that grows
 * by copies is held twice meanwhile, and the freed copies are seldom given back to the system.
 */
export class ForwardLists {
  readonly #pages: Uint8Array[] = [NO_TERMS];
  /** Number of the last page, and how many of its bytes are used. */
  #last = 0;
  #used = NO_TERMS.length;
  /** By ordinal: the page of its list, and the list's place there. */
  readonly #starts: GrowingUint32;
  readonly #reader = new ListsReader(this.#pages);
  #postings = 0;
  #pageBytes = 0;
  // Of the list that is being written:
  #at = 0;
  #left = 0;
  #opened = 0;

  private constructor(passages: number) {
    this.#starts = new GrowingUint32(new Uint32Array(passages));
    this.#starts.cut(0);
  }

  /** Builds the lists of known passages, as sliced work; see `LexicalContents`. */
  static *inSlices({ starts, terms, words }: KnownLists): Sliced<ForwardLists> {
    const passages = starts.length - 1;
    const made = new ForwardLists(passages);
    let ordinal = -1;
    const closeUpTo = (at: number): void => {
      while (ordinal < passages && (starts[ordinal + 1] as number) <= at) {
        if (ordinal >= 0) made.close();
        if (++ordinal < passages) made.open((starts[ordinal + 1] as number) - (starts[ordinal] as number));
      }
    };
    yield* inPortions(terms.length, SLICE_POSTINGS, (from, to) => {
      for (let at = from; at < to; at++) {
        closeUpTo(at);
        made.push(terms[at] as number, words[at] as number);
      }
    });
    closeUpTo(terms.length);
    return made;
  }

  /** Number of terms in all lists together. */
  get postings(): number {
    return this.#postings;
  }
  get bytes(): number {
    return this.#pageBytes + this.#starts.bytes;
  }

  /** Ensures that the next passage is closed, or given up, without asking for memory for the start of its list. */
  reserve(): void {
    this.#starts.reserve();
  }

  /** Begins the list of the next passage, with `count` terms. All memory for writing and reading it is taken before anything changes. */
  open(count: number): void {
    this.#opened = count;
    this.#left = count;
    if (count === 0) return;
    this.#reader.reserve(count);
    this.#makeRoom(NUMBER_BYTES_MAX + count * (NUMBER_BYTES_MAX + HELD_BYTES_MAX));
    this.#at = writeNumber(this.#page, this.#used, count);
  }

  /** Adds one term to the open list, and how the passage holds it; see `occurrences.ts`. */
  push(term: number, word: number): void {
    if (this.#left === 0) throw new RangeError("A list has room for as many terms as it was opened for.");
    this.#left--;
    const page = this.#page;
    this.#at = writeHeld(page, writeNumber(page, this.#at, term), word);
  }

  /** Ends the open list, which must have all its terms. */
  close(): void {
    if (this.#left > 0) throw new RangeError("A list has fewer terms than it was opened for.");
    if (this.#opened === 0) {
      this.#starts.push(0);
      return;
    }
    this.#starts.reserve();
    // Cuts an oversized page to its used bytes. It comes first, as there may be no memory for it. No later list begins in that page.
    if (this.#page.length > PAGE_BYTES) this.#setPage(this.#page.slice(0, this.#at));
    this.#starts.push(this.#last * PAGE_BYTES + this.#used);
    this.#postings += this.#opened;
    this.#used = this.#at;
  }

  /** Gives the next passage an empty list, whether or not its list was begun. */
  giveUp(): void {
    this.#starts.push(0);
  }

  /** Number of terms of a passage; 0 beyond the last. */
  countOf(ordinal: number): number {
    return this.#reader.countAt(this.#starts.get(ordinal));
  }

  /** Number of terms of the passages of `[first, end)`. Stops counting above `most`. */
  countBetween(first: number, end: number, most: number): number {
    let count = 0;
    for (let ordinal = first; ordinal < end && count <= most; ordinal++) count += this.countOf(ordinal);
    return count;
  }

  /** Reads the list of a passage. The next call reuses the reader. */
  read(ordinal: number): ListsReader {
    return this.#reader.read(this.#starts.get(ordinal));
  }

  /** Visits the terms of a passage for which `wanted` has a number above 0, with that number and how the passage holds them. */
  visitWanted(ordinal: number, wanted: Uint16Array, visit: (number: number, word: number) => void): void {
    this.#reader.visitWanted(this.#starts.get(ordinal), wanted, visit);
  }

  /** The lists as they are now, whatever is added later. */
  capture(): CapturedLists {
    return { starts: this.#starts.view(), pages: [...this.#pages] };
  }

  get #page(): Uint8Array {
    return this.#pages[this.#last] as Uint8Array;
  }

  #setPage(page: Uint8Array): void {
    this.#pageBytes += page.length - this.#page.length;
    this.#pages[this.#last] = page;
  }

  /** Ensures that the last page has `bytes` bytes left. */
  #makeRoom(bytes: number): void {
    const page = this.#page;
    const needed = this.#used + bytes;
    if (needed <= page.length) return;
    if (page.length < PAGE_BYTES && needed <= PAGE_BYTES) {
      const grown = new Uint8Array(Math.min(PAGE_BYTES, Math.max(PAGE_BYTES_MIN, page.length * 2, needed)));
      grown.set(page);
      this.#setPage(grown);
      return;
    }
    // An oversized page takes as many page numbers as pages fit into it.
    const next = this.#last + Math.max(1, Math.ceil(page.length / PAGE_BYTES));
    if (next >= PAGES_MAX) throw new RangeError("The passages of an index hold too many terms.");
    const added = new Uint8Array(Math.max(PAGE_BYTES, bytes));
    while (this.#pages.length < next) this.#pages.push(NO_TERMS);
    this.#pages.push(added);
    this.#pageBytes += added.length;
    this.#last = next;
    this.#used = 0;
  }
}

/** Lists as flat arrays; see `LexicalContents`. */
export interface KnownLists {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly words: Uint32Array;
}

export interface CapturedLists {
  /** By ordinal: where its list begins. */
  readonly starts: Uint32Array;
  readonly pages: readonly Uint8Array[];
}

/** Known postings that are taken in a slice. */
const SLICE_POSTINGS = 8_192;

const PAGE_BITS = 16;
const PAGE_BYTES = 2 ** PAGE_BITS;
const PAGES_MAX = 2 ** (32 - PAGE_BITS);
const PAGE_BYTES_MIN = 256;

/** The empty list at the start of the first page. All passages without terms share it. */
const NO_TERMS = Uint8Array.of(0);
