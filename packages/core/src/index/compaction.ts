import { must } from "../model/must.ts";
import { GrowingUint32 } from "../platform/growing-array.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { type IndexedDocument, ordinalCountOf, windowCountOf } from "./indexed-document.ts";
import type { LexicalIndex } from "./postings/lexical-index.ts";
import type { SearchIndex } from "./search-index.ts";
import type { WindowNumbers } from "./window-numbers.ts";

/** Rounds in which the copy follows changes. After them one round is not sliced. */
const ROUNDS_MAX = 4;

/** Documents in a slice that are only visited. */
const LOOKS_A_SLICE = 256;

/** Whether most passages, postings, terms or window numbers of an index belong to removed documents. */
export function isMostlyGone({ lexical, windows }: SearchIndex): boolean {
  return lexical.isMostlyGone || windows.isMostlyGone;
}

/**
 * Compacts an index that is mostly removed documents, as sliced work.
 *
 * Between two slices searches run as ever, and documents may enter and leave. Nothing is taken over while a document is staged (see
 * {@link SearchIndex.replaceInSlices}). The work may be stopped between any two slices.
 */
export function* compact(index: SearchIndex): Sliced<void> {
  if (index.lexical.isMostlyGone) yield* renumberPassages(index);
  if (index.windows.isMostlyGone) yield* renumberWindows(index);
}

/**
 * Gives live passages new ordinals and their terms new numbers. They are copied into another lexical index. Once it has every document, it replaces
 * the old one in one step.
 */
export function* renumberPassages(index: SearchIndex): Sliced<void> {
  const { documents } = index;
  const copy = new Copy(index);
  for (let round = 1; ; round++) {
    const { changes } = documents;
    yield* copy.follow();
    // If documents change all the time, the last round is not sliced.
    if (documents.changes !== changes && round >= ROUNDS_MAX) finished(copy.follow());
    else if (documents.changes !== changes) continue;
    break;
  }
  // A staged document has ordinals of the index that would be replaced.
  if (index.isStaging) return;
  copy.takeOver();
  yield;
  documents.trim();
}

/** Moves embedding windows to lower free numbers, with their vectors, one document after the other. */
export function* renumberWindows(index: SearchIndex): Sliced<void> {
  const { documents, windows, windowVectors } = index;
  let next = 0;
  // Documents come in the order of their windows. A document that enters meanwhile comes last.
  for (const document of documents) {
    if (document.firstWindow > next) {
      windows.move(document, next);
      windowVectors.move(document, next);
      document.firstWindow = next;
    }
    next = document.firstWindow + windowCountOf(document);
    yield;
  }
  if (index.isStaging) return;
  windows.cut(next);
  windowVectors.rows?.trim();
}

/** A copy of an index's passages under new ordinals, made while the index stays in use. */
class Copy {
  readonly #index: SearchIndex;
  readonly #old: LexicalIndex;
  readonly #lexical: LexicalIndex;
  readonly #windows: WindowNumbers;
  /** By ordinal: the slot of its document plus one. */
  readonly #slotByOrdinal = new GrowingUint32();
  /** By term number in the old index: the number in the copy plus one, or 0. */
  readonly #terms: Uint32Array;
  /** The first ordinal in the copy of each document that it has. */
  readonly #firsts = new Map<IndexedDocument, number>();
  /** The same as arrays, with removed documents. {@link takeOver} reads them: iterating the map would allocate an entry for each document. */
  readonly #documents: IndexedDocument[] = [];
  readonly #ordinals: number[] = [];

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#old = index.lexical;
    this.#lexical = index.lexical.emptyOne();
    this.#windows = index.windows.emptyOnes();
    this.#terms = new Uint32Array(index.lexical.vocabularySize);
  }

  /** Adds the documents that the copy lacks, and drops those that were removed. */
  *follow(): Sliced<void> {
    let looked = 0;
    for (const document of this.#index.documents) {
      if (!this.#firsts.has(document)) yield* this.#add(document);
      else if (++looked % LOOKS_A_SLICE === 0) yield;
    }
    for (const document of this.#firsts.keys()) {
      if (this.#isGone(document)) yield* this.#drop(document);
      else if (++looked % LOOKS_A_SLICE === 0) yield;
    }
  }

  *#add(document: IndexedDocument): Sliced<void> {
    const first = this.#lexical.nextOrdinal;
    this.#firsts.set(document, first);
    this.#documents.push(document);
    this.#ordinals.push(first);
    for (let i = 0; i < ordinalCountOf(document); i++) {
      // The passages of a removed document have no length any more.
      if (this.#isGone(document)) return yield* this.#drop(document, i);
      this.#slotByOrdinal.push(document.slot + 1);
      this.#lexical.copyOf(this.#old, document.firstOrdinal + i, this.#terms);
      yield;
    }
    this.#lexical.prepareWords();
    this.#windows.place(document, first);
  }

  /** Drops a document of which the copy has `count` passages. */
  *#drop(document: IndexedDocument, count = ordinalCountOf(document)): Sliced<void> {
    const first = must(this.#firsts.get(document), "the first ordinal of a copied document");
    this.#firsts.delete(document);
    for (let i = 0; i < count; i++) {
      this.#lexical.remove(first + i);
      yield;
    }
  }

  /** Replaces the index's passages by the copy. Writes one number for each document. */
  takeOver(): void {
    const index = this.#index;
    for (let i = 0; i < this.#documents.length; i++) {
      must(this.#documents[i], "a copied document").firstOrdinal = must(this.#ordinals[i], "its first ordinal");
    }
    index.documents.takeOrdinals(this.#slotByOrdinal);
    index.windows.takeOrdinals(this.#windows);
    index.lexical = this.#lexical;
  }

  #isGone(document: IndexedDocument): boolean {
    return this.#index.documents.at(document.slot) !== document;
  }
}
