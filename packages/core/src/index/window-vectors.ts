import { must } from "../model/must.ts";
import type { VectorSpace } from "../model/records.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import type { Documents } from "./documents.ts";
import type { ExactTexts } from "./exact-texts.ts";
import type { FragmentVectors } from "./fragment-vectors.ts";
import { type FragmentsOfPassage, highestByFragment } from "./fragments-by-windows.ts";
import { hasTitleWindow, type IndexedDocument, windowCountOf } from "./indexed-document.ts";
import type { QueryVector } from "./vectors/codes.ts";
import type { PassageVectors } from "./vectors/passage-vectors.ts";
import type { StagedVectors } from "./vectors/staged-vectors.ts";
import type { WindowNumbers } from "./window-numbers.ts";

/** The structures that the windows of the vectors belong to. */
export interface WindowVectorsOwner {
  readonly documents: Documents;
  readonly windows: WindowNumbers;
  readonly exact: ExactTexts;
  readonly fragmentVectors: FragmentVectors;
}

/**
 * The vectors of an index's embedding windows, by window number. Each window first gets a vector of the static embedder. The bot's embedder replaces
 * these, from a document's first window on.
 */
export class WindowVectors {
  readonly #owner: WindowVectorsOwner;
  #space: VectorSpace | undefined;
  #rows: PassageVectors | undefined;
  #ownCount = 0;
  #firstBy: string | undefined;
  /** Buffers for the cosines of many ordinals: the ordinals, the keys of their windows, the end of each ordinal's keys, and the results. */
  #ordinals = new Uint32Array(64);
  #keys = new Uint32Array(256);
  #ends = new Uint32Array(64);
  #highest = new Float32Array(64);

  constructor(owner: WindowVectorsOwner) {
    this.#owner = owner;
  }

  /** The space of the vectors; undefined while there is no embedder. */
  get space(): VectorSpace | undefined {
    return this.#space;
  }
  /** The vectors by window number; undefined while there is no embedder. */
  get rows(): PassageVectors | undefined {
    return this.#rows;
  }
  /** Number of vectors that the bot's embedder has made. */
  get ownCount(): number {
    return this.#ownCount;
  }
  /** Their share of all vectors; 1 if there are none. */
  get ownShare(): number {
    const count = this.#rows?.count ?? 0;
    return count === 0 ? 1 : this.#ownCount / count;
  }

  /**
   * Replaces the rows of vectors, or removes them, and closes the rows used before. `firstBy` names the maker of first vectors, and the texts that it
   * makes them of.
   */
  use(space?: VectorSpace, rows?: PassageVectors, firstBy?: string): void {
    this.#rows?.close();
    this.#space = space;
    this.#rows = rows;
    this.#firstBy = firstBy;
    this.#ownCount = 0;
    this.#owner.fragmentVectors.clear();
    for (const indexed of this.#owner.documents) indexed.ownVectors = 0;
  }

  /**
   * Stores the vectors that the embedder has made of a document's first windows, `dimensions` codes each. Surplus vectors are ignored.
   * @returns the number of vectors that are new
   */
  set(id: string, codes: Int8Array): number {
    return finished(this.setInSlices(id, codes));
  }

  /** {@link set} as sliced work. Ends early if the document is removed. */
  *setInSlices(id: string, codes: Int8Array): Sliced<number> {
    const indexed = this.#owner.documents.find(id);
    const rows = this.#rows;
    let taken = 0;
    if (indexed === undefined || rows === undefined) return taken;
    const { dimensions } = rows;
    const count = Math.min(windowCountOf(indexed), Math.floor(codes.length / dimensions));
    // Another call may store some of them between two slices.
    for (let i = indexed.ownVectors; i < count; i = indexed.ownVectors) {
      if (this.#rows !== rows || this.#owner.documents.find(id) !== indexed) break;
      rows.set(indexed.firstWindow + i, codes.subarray(i * dimensions, (i + 1) * dimensions));
      indexed.ownVectors++;
      this.#ownCount++;
      taken++;
      yield;
    }
    return taken;
  }

  /**
   * Stores the static embedder's vectors of windows that have none, as sliced work. Ends early if the document is removed. `codesOf` is called with
   * places of windows in the document, in order, until it returns undefined.
   * @returns the number of vectors stored
   */
  *setFirst(id: string, codesOf: (window: number) => Int8Array | undefined): Sliced<number> {
    const indexed = this.#owner.documents.find(id);
    const rows = this.#rows;
    let count = 0;
    if (indexed === undefined || rows === undefined) return count;
    for (let i = indexed.ownVectors; i < windowCountOf(indexed); i++) {
      if (this.#rows !== rows || this.#owner.documents.find(id) !== indexed) break;
      const window = indexed.firstWindow + i;
      if (rows.has(window)) continue;
      const codes = codesOf(i);
      if (codes === undefined) break;
      rows.set(window, codes);
      count++;
      yield;
    }
    return count;
  }

  /**
   * Copies the first vectors (by {@link use}'s `firstBy`) of a document, from its window `first` on, as sliced work. Undefined if it has none, or is
   * removed meanwhile.
   */
  *firstOf(indexed: IndexedDocument): Sliced<{ first: number; by: string; codes: Int8Array } | undefined> {
    const [rows, by, before] = [this.#rows, this.#firstBy, indexed.ownVectors];
    if (rows === undefined || by === undefined) return undefined;
    const { dimensions } = rows;
    const { id } = indexed.document;
    const count = windowCountOf(indexed) - before;
    const codes = new Int8Array(Math.max(0, count) * dimensions);
    for (let i = 0; i < count; i++) {
      if (i > 0 && i % SLICE_VECTORS === 0) yield;
      // Another version is another object. Its windows may get other numbers between two slices.
      if (this.#rows !== rows || this.#firstBy !== by || this.#owner.documents.find(id) !== indexed) return undefined;
      const row = rows.rowOf(indexed.firstWindow + before + i);
      if (row === undefined) return undefined;
      codes.set(row, i * dimensions);
    }
    // Vectors that the embedder has made meanwhile are left out: they stand first.
    const first = indexed.ownVectors;
    return first < before + count ? { first, by, codes: codes.subarray((first - before) * dimensions) } : undefined;
  }

  /** Whether some windows of a document have no vector at all. */
  areMissing(id: string): boolean {
    const indexed = this.#owner.documents.find(id);
    if (indexed === undefined || this.#rows === undefined) return false;
    const last = indexed.firstWindow + windowCountOf(indexed) - 1;
    // The embedder's vectors come from the first window on. The static embedder's come all at once.
    return windowCountOf(indexed) > 0 && !this.#rows.has(last);
  }

  /** Hides the vectors of a document that leaves the index. The returned slices do the rest of the removal. */
  take(indexed: IndexedDocument): Sliced<void> {
    this.#ownCount -= indexed.ownVectors;
    return this.#rows?.take(indexed.firstWindow, indexed.firstWindow + windowCountOf(indexed)) ?? nothingToDo();
  }

  /** Reserves places for the first vectors of a staged document. Undefined while there is no embedder. */
  stage(indexed: IndexedDocument): StagedVectors | undefined {
    return this.#rows?.stage(indexed.firstWindow, windowCountOf(indexed));
  }

  /** Makes staged vectors visible, if they belong to the current rows. Returns how many became visible. */
  enter(staged: StagedVectors): number {
    return this.#rows?.enter(staged) === true ? staged.count : 0;
  }

  /** Moves the vectors of a document with its windows to lower numbers. */
  move(indexed: IndexedDocument, to: number): void {
    for (let i = 0; i < windowCountOf(indexed); i++) this.#rows?.move(indexed.firstWindow + i, to + i);
  }

  /** Whether a window is a title that other documents have as well, as a title or in their text. It does not tell documents apart, and is passed over. */
  tellsNothing(window: number): boolean {
    const { documents, windows, exact } = this.#owner;
    const document = documents.ofOrdinal(windows.ordinalOf(window));
    if (document === undefined || document.firstWindow !== window || !hasTitleWindow(document)) return false;
    return exact.isShared(must(document.hashes[0], "the hash of a title"));
  }

  /** The highest cosine of the query with a window of this ordinal; undefined if none of them has a vector yet. */
  cosineOf(query: QueryVector, ordinal: number): number | undefined {
    const { windows } = this.#owner;
    const first = windows.firstOf(ordinal);
    return this.#rows?.highestCosine(query, this.tellsNothing(first) ? first + 1 : first, windows.endOf(ordinal));
  }

  /**
   * Upper bound of {@link cosineOf} for each of these ordinals: every title counts, also a shared one. NaN where no window has a vector. The next call
   * reuses the array.
   */
  cosinesAtMost(query: QueryVector, ordinals: Uint32Array): Float32Array {
    const { windows } = this.#owner;
    return this.#highestOf(query, ordinals, (ordinal) => windows.firstOf(ordinal));
  }

  /** {@link cosineOf} for each ordinal of `[first, end)`; NaN where no window has a vector. The next call reuses the array. */
  cosinesBetween(query: QueryVector, first: number, end: number): Float32Array {
    if (this.#ordinals.length < end - first) this.#ordinals = new Uint32Array(end - first);
    const ordinals = this.#ordinals.subarray(0, end - first);
    for (let i = 0; i < ordinals.length; i++) ordinals[i] = first + i;
    return this.#highestOf(query, ordinals, this.#firstTelling);
  }

  /** By ordinal: its first window that is not a shared title. */
  readonly #firstTelling = (ordinal: number): number => {
    const first = this.#owner.windows.firstOf(ordinal);
    return this.tellsNothing(first) ? first + 1 : first;
  };

  /** The highest cosine of the windows of each ordinal, from the window on that `firstOf` gives. In bounds: `ends` rises to the number of keys. */
  #highestOf(query: QueryVector, ordinals: Uint32Array, firstOf: (ordinal: number) => number): Float32Array {
    const { windows } = this.#owner;
    let count = 0;
    if (this.#highest.length < ordinals.length) {
      const [highest, ends] = [new Float32Array(ordinals.length), new Uint32Array(ordinals.length)];
      [this.#highest, this.#ends] = [highest, ends];
    }
    const ends = this.#ends;
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i] as number;
      const first = firstOf(ordinal);
      const end = windows.endOf(ordinal);
      if (count + end - first > this.#keys.length) {
        const grown = new Uint32Array((count + end - first) * 2);
        grown.set(this.#keys);
        this.#keys = grown;
      }
      for (let key = first; key < end; key++) this.#keys[count++] = key;
      ends[i] = count;
    }
    const highest = this.#highest.subarray(0, ordinals.length).fill(Number.NaN);
    const cosines = this.#rows?.cosinesOf(query, this.#keys, count);
    if (cosines === undefined) return highest;
    for (let i = 0, at = 0; i < ordinals.length; i++) {
      for (const end = ends[i] as number; at < end; at++) {
        const cosine = cosines[at] as number;
        const before = highest[i] as number;
        if (cosine > before || Number.isNaN(before)) highest[i] = cosine;
      }
    }
    return highest;
  }

  /** For each fragment of a passage the highest cosine of the query with a window that holds any of it; -1 where none of these has a vector. */
  fragmentCosines(query: QueryVector, document: IndexedDocument, fragments: FragmentsOfPassage): number[] {
    const cosineOf = (_: number, window: number): number => this.#rows?.cosine(query, window) ?? -1;
    return highestByFragment(this.#owner.windows, document, fragments, cosineOf);
  }
}

/** Vectors that are copied in a slice. */
const SLICE_VECTORS = 1_024;

function* nothingToDo(): Sliced<void> {}
