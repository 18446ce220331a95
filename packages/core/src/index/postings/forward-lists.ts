import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { GrowingUint32 } from "./growing-array.ts";
import { HELD_BYTES_MAX, ListsReader, NUMBER_BYTES_MAX, writeHeld, writeNumber } from "./list-bytes.ts";

/**
 * The distinct terms of each passage and how it holds them, as bytes: under three a term, where two plain numbers would take eight. A passage's list stands in one page
 * and is never written again. A page that is full stays where it is, and only a small last one grows: memory that grows by copies is held twice meanwhile, and what they leave is seldom given back.
 */
export class ForwardLists {
  readonly #pages: Uint8Array[] = [NO_TERMS];
  /** The last page, and how much of it is used. */
  #last = 0;
  #used = NO_TERMS.length;
  /** By ordinal: its list's page and place there. */
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

  /** Those of passages that are known already; see `LexicalContents`. */
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

  /** Terms of all lists together. */
  get postings(): number {
    return this.#postings;
  }
  get bytes(): number {
    return this.#pageBytes + this.#starts.bytes;
  }

  /** The next passage is closed, or given up, without asking for memory for where its list begins. */
  reserve(): void {
    this.#starts.reserve();
  }

  /** Begins the list of the next passage, which is to have so many terms. Nothing is changed before there is memory for it, and for reading it. */
  open(count: number): void {
    this.#opened = count;
    this.#left = count;
    if (count === 0) return;
    this.#reader.reserve(count);
    this.#makeRoom(NUMBER_BYTES_MAX + count * (NUMBER_BYTES_MAX + HELD_BYTES_MAX));
    this.#at = writeNumber(this.#page, this.#used, count);
  }

  /** One term of it, and how the passage holds it; see `occurrences.ts`. */
  push(term: number, word: number): void {
    if (this.#left === 0) throw new RangeError("A list has room for as many terms as it was opened for.");
    this.#left--;
    const page = this.#page;
    this.#at = writeHeld(page, writeNumber(page, this.#at, term), word);
  }

  /** It has all its terms. */
  close(): void {
    if (this.#left > 0) throw new RangeError("A list has fewer terms than it was opened for.");
    if (this.#opened === 0) {
      this.#starts.push(0);
      return;
    }
    this.#starts.reserve();
    // First, as there may be no memory for it: no list begins behind the bytes that a page has by then.
    if (this.#page.length > PAGE_BYTES) this.#setPage(this.#page.slice(0, this.#at));
    this.#starts.push(this.#last * PAGE_BYTES + this.#used);
    this.#postings += this.#opened;
    this.#used = this.#at;
  }

  /** The next passage, whose list was begun or not, has no terms. */
  giveUp(): void {
    this.#starts.push(0);
  }

  /** Terms of a passage; 0 beyond the last. */
  countOf(ordinal: number): number {
    return this.#reader.countAt(this.#starts.get(ordinal));
  }

  /** Terms of the passages of `[first, end)`, counted until there are more than `most`. */
  countBetween(first: number, end: number, most: number): number {
    let count = 0;
    for (let ordinal = first; ordinal < end && count <= most; ordinal++) count += this.countOf(ordinal);
    return count;
  }

  /** The list of a passage, until another is asked for. */
  read(ordinal: number): ListsReader {
    return this.#reader.read(this.#starts.get(ordinal));
  }

  /** Visits those terms of a passage of which `wanted` has something, by number, and how it holds them. */
  visitWanted(ordinal: number, wanted: Uint16Array, visit: (number: number, word: number) => void): void {
    this.#reader.visitWanted(this.#starts.get(ordinal), wanted, visit);
  }

  /** The lists as they are now, however many come. */
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

  /** The last page has so many bytes left. */
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
    // One that is larger than others takes as many numbers as it has their bytes.
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

/** Known ones are taken so many in a step. */
const SLICE_POSTINGS = 8_192;

const PAGE_BITS = 16;
const PAGE_BYTES = 2 ** PAGE_BITS;
const PAGES_MAX = 2 ** (32 - PAGE_BITS);
const PAGE_BYTES_MIN = 256;

/** The first page begins with a list of no terms, which all passages share that have none. */
const NO_TERMS = Uint8Array.of(0);
