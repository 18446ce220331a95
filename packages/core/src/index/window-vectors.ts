import type { VectorSpace } from "../model/records.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import type { Documents } from "./documents.ts";
import type { ExactTexts } from "./exact-texts.ts";
import { type FragmentsOfPassage, highestByFragment } from "./fragments-by-windows.ts";
import { hasTitleWindow, type IndexedDocument, windowCountOf } from "./indexed-document.ts";
import type { PassageVectors } from "./vectors/passage-vectors.ts";
import type { QueryVector } from "./vectors/rows.ts";
import type { StagedVectors } from "./vectors/staged-vectors.ts";
import type { WindowNumbers } from "./window-numbers.ts";

/** What the vectors of an index belong to. */
export interface WindowVectorsOwner {
  readonly documents: Documents;
  readonly windows: WindowNumbers;
  readonly exact: ExactTexts;
}

/**
 * The vectors of an index's parts, known by the numbers of these: first the static embedder's, and in their places, from a document's first part on,
 * those of the bot's embedder.
 */
export class WindowVectors {
  readonly #owner: WindowVectorsOwner;
  #space: VectorSpace | undefined;
  #rows: PassageVectors | undefined;
  #ownCount = 0;
  #firstBy: string | undefined;
  /** For cosines of many ordinals: which they are, keys of their parts, where those of each end, and what is answered. */
  #ordinals = new Uint32Array(64);
  #keys = new Uint32Array(256);
  #ends = new Uint32Array(64);
  #highest = new Float32Array(64);

  constructor(owner: WindowVectorsOwner) {
    this.#owner = owner;
  }

  /** Where the vectors can be compared; undefined while there is no embedder. */
  get space(): VectorSpace | undefined {
    return this.#space;
  }
  /** The vectors themselves, by the number of the part; undefined while there is no embedder. */
  get rows(): PassageVectors | undefined {
    return this.#rows;
  }
  /** Vectors that the bot's embedder has made. */
  get ownCount(): number {
    return this.#ownCount;
  }
  /** Their share of all; 1 if there are none. */
  get ownShare(): number {
    const count = this.#rows?.count ?? 0;
    return count === 0 ? 1 : this.#ownCount / count;
  }

  /**
   * Searches by these vectors from now on, or by none; those that were used before are closed. `firstBy` names whoever makes vectors of parts
   * that have none of the embedder's yet, and of what texts.
   */
  use(space?: VectorSpace, rows?: PassageVectors, firstBy?: string): void {
    this.#rows?.close();
    this.#space = space;
    this.#rows = rows;
    this.#firstBy = firstBy;
    this.#ownCount = 0;
    for (const indexed of this.#owner.documents) indexed.ownVectors = 0;
  }

  /**
   * Takes over the vectors that the embedder has made of a document's first parts, `dimensions` codes each, and returns how many are
   * new. More than it has parts are passed over.
   */
  set(id: string, codes: Int8Array): number {
    return finished(this.setInSlices(id, codes));
  }

  /** The same in steps, as long as the document is there. */
  *setInSlices(id: string, codes: Int8Array): Sliced<number> {
    const indexed = this.#owner.documents.find(id);
    const rows = this.#rows;
    let taken = 0;
    if (indexed === undefined || rows === undefined) return taken;
    const { dimensions } = rows;
    const count = Math.min(windowCountOf(indexed), Math.floor(codes.length / dimensions));
    // Others may take over some of them between two steps.
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
   * Gives the parts of a document that have no vector the static embedder's, as long as it is there: `codesOf` is asked for them by their place, in
   * order, up to one that has none. Returns how many there were.
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
   * The vectors of {@link use}'s `firstBy` that a document has: of its part `first` and all after it. They are copied in steps, as long as it is there.
   * Undefined if it has none, or is there no more.
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
      // Another version is another object. Its parts may get other numbers between two steps.
      if (this.#rows !== rows || this.#firstBy !== by || this.#owner.documents.find(id) !== indexed) return undefined;
      const row = rows.rowOf(indexed.firstWindow + before + i);
      if (row === undefined) return undefined;
      codes.set(row, i * dimensions);
    }
    // Vectors that the embedder has made meanwhile are left out: they stand first.
    const first = indexed.ownVectors;
    return first < before + count ? { first, by, codes: codes.subarray((first - before) * dimensions) } : undefined;
  }

  /** Whether parts of a document have no vector at all. */
  areMissing(id: string): boolean {
    const indexed = this.#owner.documents.find(id);
    if (indexed === undefined || this.#rows === undefined) return false;
    const last = indexed.firstWindow + windowCountOf(indexed) - 1;
    // They come from the first on, and all at once from the static embedder.
    return windowCountOf(indexed) > 0 && !this.#rows.has(last);
  }

  /** Takes those of a document out that leaves the index: no search finds them any more, and the rest is done in steps. */
  take(indexed: IndexedDocument): Sliced<void> {
    this.#ownCount -= indexed.ownVectors;
    return this.#rows?.take(indexed.firstWindow, indexed.firstWindow + windowCountOf(indexed)) ?? nothingToDo();
  }

  /** Places for the first vectors of a document that is on its way in. Undefined while there is no embedder. */
  stage(indexed: IndexedDocument): StagedVectors | undefined {
    return this.#rows?.stage(indexed.firstWindow, windowCountOf(indexed));
  }

  /** They are found from now on, if they are in the rows that are searched. Returns how many they are. */
  enter(staged: StagedVectors): number {
    return this.#rows?.enter(staged) === true ? staged.count : 0;
  }

  /** Follows a document's parts to lower numbers. */
  move(indexed: IndexedDocument, to: number): void {
    for (let i = 0; i < windowCountOf(indexed); i++) this.#rows?.move(indexed.firstWindow + i, to + i);
  }

  /** Whether a part is a title that other documents have as well, or a text of theirs: it tells none of them apart, and is passed over. */
  tellsNothing(window: number): boolean {
    const { documents, windows, exact } = this.#owner;
    const document = documents.ofOrdinal(windows.ordinalOf(window));
    if (document === undefined || document.firstWindow !== window || !hasTitleWindow(document)) return false;
    return exact.isShared(document.hashes[0] ?? Number.NaN);
  }

  /** The highest cosine of the query with a part of this ordinal; undefined if none of them has a vector yet. */
  cosineOf(query: QueryVector, ordinal: number): number | undefined {
    const { windows } = this.#owner;
    const first = windows.firstOf(ordinal);
    return this.#rows?.highestCosine(query, this.tellsNothing(first) ? first + 1 : first, windows.endOf(ordinal));
  }

  /**
   * For each of these ordinals at least what {@link cosineOf} gives: a title counts, whether it tells anything or not. NaN where no part has a
   * vector. The array is used again by the next call.
   */
  cosinesAtMost(query: QueryVector, ordinals: Uint32Array): Float32Array {
    const { windows } = this.#owner;
    return this.#highestOf(query, ordinals, (ordinal) => windows.firstOf(ordinal));
  }

  /** What {@link cosineOf} gives for each ordinal of `[first, end)`; NaN where no part has a vector. The array is used again by the next call. */
  cosinesBetween(query: QueryVector, first: number, end: number): Float32Array {
    if (this.#ordinals.length < end - first) this.#ordinals = new Uint32Array(end - first);
    const ordinals = this.#ordinals.subarray(0, end - first);
    for (let i = 0; i < ordinals.length; i++) ordinals[i] = first + i;
    return this.#highestOf(query, ordinals, this.#firstTelling);
  }

  /** By ordinal: its first part that tells anything. */
  readonly #firstTelling = (ordinal: number): number => {
    const first = this.#owner.windows.firstOf(ordinal);
    return this.tellsNothing(first) ? first + 1 : first;
  };

  /** The highest cosine of the parts of each ordinal, from its first one that counts. */
  #highestOf(query: QueryVector, ordinals: Uint32Array, firstOf: (ordinal: number) => number): Float32Array {
    const { windows } = this.#owner;
    let count = 0;
    if (this.#highest.length < ordinals.length) {
      const [highest, ends] = [new Float32Array(ordinals.length), new Uint32Array(ordinals.length)];
      [this.#highest, this.#ends] = [highest, ends];
    }
    const ends = this.#ends;
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i] ?? 0;
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
      for (const end = ends[i] ?? 0; at < end; at++) {
        const cosine = cosines[at] ?? Number.NaN;
        const before = highest[i] ?? Number.NaN;
        if (cosine > before || Number.isNaN(before)) highest[i] = cosine;
      }
    }
    return highest;
  }

  /** For each piece of a passage the highest cosine of the query with a part that holds any of it; -1 where none of these has a vector. */
  fragmentCosines(query: QueryVector, document: IndexedDocument, fragments: FragmentsOfPassage): number[] {
    const cosineOf = (_: number, window: number): number => this.#rows?.cosine(query, window) ?? -1;
    return highestByFragment(this.#owner.windows, document, fragments, cosineOf);
  }
}

/** Vectors that are copied in a step. */
const SLICE_VECTORS = 1_024;

function* nothingToDo(): Sliced<void> {}
