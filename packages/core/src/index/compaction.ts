import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { type IndexedDocument, ordinalCountOf, windowCountOf } from "./indexed-document.ts";
import { GrowingUint32 } from "./postings/growing-array.ts";
import type { LexicalIndex } from "./postings/lexical-index.ts";
import type { SearchIndex } from "./search-index.ts";
import type { WindowNumbers } from "./window-numbers.ts";

/** So often the copy follows what has come and gone meanwhile before it is done at once. */
const ROUNDS_MAX = 4;

/** Documents that are only looked at in a step. */
const LOOKS_A_SLICE = 256;

/** Whether an index holds more passages, terms or parts that are gone than such that are there. */
export function isMostlyGone({ lexical, windows }: SearchIndex): boolean {
  return lexical.isMostlyGone || windows.isMostlyGone;
}

/**
 * Makes an index small again of which much is gone, in steps. Between any two of them it answers as ever, and documents may come and go; while one is on its
 * way in (see {@link SearchIndex.replaceInSlices}) nothing is taken over. It can be given up at any step.
 */
export function* compact(index: SearchIndex): Sliced<void> {
  if (index.lexical.isMostlyGone) yield* renumberPassages(index);
  if (index.windows.isMostlyGone) yield* renumberWindows(index);
}

/**
 * Passages get new ordinals without those that are gone, and terms new numbers: in another lexical index, which takes the place of this
 * one in one step when it has every document.
 */
export function* renumberPassages(index: SearchIndex): Sliced<void> {
  const { documents } = index;
  const copy = new Copy(index);
  for (let round = 1; ; round++) {
    const { changes } = documents;
    yield* copy.follow();
    // Where documents come and go all the time, the last look is one step.
    if (documents.changes !== changes && round >= ROUNDS_MAX) finished(copy.follow());
    else if (documents.changes !== changes) continue;
    break;
  }
  // What is on its way in has ordinals of the index that it would be taken into.
  if (index.isStaging) return;
  copy.takeOver();
  yield;
  documents.trim();
}

/** Parts move to lower numbers that are free, one document after the other, and their vectors with them. */
export function* renumberWindows(index: SearchIndex): Sliced<void> {
  const { documents, windows, windowVectors } = index;
  let next = 0;
  // In the order of their parts; what comes meanwhile comes last.
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

/** An index's passages under new ordinals, made while the index itself goes on. */
class Copy {
  readonly #index: SearchIndex;
  readonly #old: LexicalIndex;
  readonly #lexical: LexicalIndex;
  readonly #windows: WindowNumbers;
  /** The slot plus one. */
  readonly #slotByOrdinal = new GrowingUint32(new Uint32Array(0));
  /** By the number of a term in the old index: the one in this plus one. */
  readonly #terms: Uint32Array;
  /** The first ordinal here of each document that it has. */
  readonly #firsts = new Map<IndexedDocument, number>();
  /** The same in a row, with those that are gone: the last step reads it, and entries of a map would be made for it, one a document. */
  readonly #documents: IndexedDocument[] = [];
  readonly #ordinals: number[] = [];

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#old = index.lexical;
    this.#lexical = index.lexical.emptyOne();
    this.#windows = index.windows.emptyOnes();
    this.#terms = new Uint32Array(index.lexical.vocabularySize);
  }

  /** Adds the documents that it lacks, and takes those out that are gone. */
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
      // Its passages say nothing any more once they are gone.
      if (this.#isGone(document)) return yield* this.#drop(document, i);
      this.#slotByOrdinal.push(document.slot + 1);
      this.#lexical.copyOf(this.#old, document.firstOrdinal + i, this.#terms);
      yield;
    }
    this.#lexical.prepareWords();
    this.#windows.place(document, first);
  }

  /** Takes a document out that has so many of its passages here. */
  *#drop(document: IndexedDocument, count = ordinalCountOf(document)): Sliced<void> {
    const first = this.#firsts.get(document) ?? 0;
    this.#firsts.delete(document);
    for (let i = 0; i < count; i++) {
      this.#lexical.remove(first + i);
      yield;
    }
  }

  /** Searches see it from now on. */
  takeOver(): void {
    const index = this.#index;
    for (let i = 0; i < this.#documents.length; i++) {
      const document = this.#documents[i];
      if (document !== undefined) document.firstOrdinal = this.#ordinals[i] ?? 0;
    }
    index.documents.takeOrdinals(this.#slotByOrdinal);
    index.windows.takeOrdinals(this.#windows);
    index.lexical = this.#lexical;
  }

  #isGone(document: IndexedDocument): boolean {
    return this.#index.documents.at(document.slot) !== document;
  }
}
