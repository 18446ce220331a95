import type { Analyzer } from "../analysis/analyzer.ts";
import { PASSAGES_MAX } from "../model/limits.ts";
import type { DocumentType, SearchableDocument } from "../model/types.ts";
import { IndexPin } from "../scheduling/index-pin.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { FilterCache } from "../search/allowed-documents.ts";
import { Effort, SEARCH_BUDGET } from "../search/budget.ts";
import type { EqualTexts } from "../search/equal-texts.ts";
import type { ParsedQuery } from "../search/parsed-query.ts";
import { SlotScores } from "../search/slot-scores.ts";
import { Documents } from "./documents.ts";
import { type CutDocument, cutDocument } from "./embedded-texts.ts";
import { ExactTexts } from "./exact-texts.ts";
import { type IndexedDocument, ordinalCountOf, windowCountOf } from "./indexed-document.ts";
import { LexicalIndex } from "./postings/lexical-index.ts";
import { StagedDocument } from "./staged-document.ts";
import { WindowNumbers } from "./window-numbers.ts";
import { WindowVectors } from "./window-vectors.ts";

/** A version of a document that is to take the place of what the index has of it. */
export interface Replacement {
  readonly version: number;
  readonly cut: CutDocument;
  /** Asked for when all is ready: the document with the fields that it has by then; undefined if the version is not wanted any more. */
  readonly current: () => SearchableDocument | undefined;
  /** Gives its parts their first vectors; without it, or if it has none for one of them, they have none at first. */
  readonly encode?: ((text: string) => Int8Array | undefined) | undefined;
}

export interface Replaced {
  /** What is left to be done about the version before it, at any time before the document comes again. */
  readonly left: Sliced<void>;
  /** First vectors that it came with. */
  readonly firstVectors: number;
}

/** Documents that may equal a question are looked at so many in a step. */
const SLICE_EQUAL = 64;

const NOTHING_EQUAL: EqualTexts = { title: false, fragments: [] };

const NO_CAPACITY = `The index of a bot holds at most ${PASSAGES_MAX} passages: remove what is not needed, or put it into a bot of its own.`;

/**
 * Everything that a bot's searches need: its documents, their passages with exact lines, the terms of each, and its vector
 * where it has one. All of it is derived: it can be made again from the state. Changes are seen whole or not at all: what takes long is made
 * beside what searches see.
 */
export class SearchIndex {
  analyzer: Analyzer;
  readonly documents = new Documents();
  /** Which part belongs to which ordinal. */
  readonly windows = new WindowNumbers();
  readonly windowVectors: WindowVectors;
  /** For searches: the best score of each document. */
  readonly scores = new SlotScores();
  readonly effort: Effort;
  /** Which documents a search may return. */
  readonly filters: FilterCache;
  /** Kept by a search that changes would never let come to its end. */
  readonly still = new IndexPin();
  lexical: LexicalIndex;
  readonly #exact = new ExactTexts((slot) => this.documents.at(slot) !== undefined);
  #amendments = 0;
  #isStaging = false;

  constructor(analyzer: Analyzer, lexical = new LexicalIndex(), budget = SEARCH_BUDGET) {
    this.effort = new Effort(budget);
    this.filters = new FilterCache(this);
    this.analyzer = analyzer;
    this.lexical = lexical;
    this.windowVectors = new WindowVectors({ documents: this.documents, windows: this.windows, exact: this.#exact });
  }

  /** Makes this version of a document the one that searches see, all at once. */
  replace(document: SearchableDocument, version: number, cut = cutDocument(document)): void {
    const { left } = finished(this.replaceInSlices(document, { version, cut, current: () => document })) ?? {};
    if (left !== undefined) finished(left);
  }

  /**
   * The same in steps: all is made beside what searches see, and taken over in the last step. A document without text is found by nothing,
   * but its version counts as indexed. Undefined if it was no longer wanted; whoever does not go on to the end gives the work back (`return`).
   * One document at a time may be on its way.
   * @throws RangeError if there is no room for its passages; the version before it stays
   */
  *replaceInSlices(
    known: SearchableDocument,
    { version, cut, current, encode }: Replacement,
  ): Sliced<Replaced | undefined> {
    if (!this.hasCapacityFor(cut)) throw new RangeError(NO_CAPACITY);
    const staged = new StagedDocument({ ...this.#places, lexical: this.lexical }, cut, version);
    let isIn = false;
    this.#isStaging = true;
    try {
      yield* staged.prepare(known, this.analyzer, encode);
      const document = current();
      if (document === undefined) return undefined;
      const left = this.leave(document.id);
      isIn = true;
      return { left, firstVectors: staged.enter(document) };
    } finally {
      this.#isStaging = false;
      if (!isIn) finished(staged.abandon());
    }
  }

  /** What questions are read by: the same as its documents. */
  get reader(): Analyzer {
    return this.analyzer.documents?.readerOf(this.documents.languages) ?? this.analyzer;
  }

  /** Whether a document is on its way in. */
  get isStaging(): boolean {
    return this.#isStaging;
  }

  /** Whether a document has room that is cut like this. */
  hasCapacityFor({ variants, cut }: CutDocument): boolean {
    return this.lexical.hasCapacityFor(variants.length + cut.passages.length);
  }

  /** Whether it would have room if what is gone took none. */
  hasCapacityWithoutDeleted({ variants, cut }: CutDocument): boolean {
    return this.lexical.hasCapacityWithoutDeleted(variants.length + cut.passages.length);
  }

  /** Takes over fields that touch no text: metadata, url, status. Nothing happens if the document is not indexed. */
  amend(document: SearchableDocument): void {
    const indexed = this.documents.find(document.id);
    if (indexed === undefined) return;
    indexed.document = document;
    this.#amendments++;
  }

  /** Rises whenever a document comes, goes or gets other fields. */
  get documentChanges(): number {
    return this.documents.changes + this.#amendments;
  }

  /** Tells later whether a search would still see all that it would see now. */
  watch(): () => boolean {
    const now = this.#seen();
    return () => this.#seen().every((each, i) => each === now[i]);
  }

  #seen(): readonly unknown[] {
    const { documents, lexical, windowVectors } = this;
    const { rows } = windowVectors;
    return [documents.changes, this.#amendments, lexical, lexical.changes, rows, rows?.changes];
  }

  /** Gone from the very next search. */
  remove(id: string): void {
    finished(this.leave(id));
  }

  /** The same: it is gone when this returns. What takes time is done in the steps that are left, at any time before it comes again. */
  leave(id: string): Sliced<void> {
    const indexed = this.documents.find(id);
    if (indexed === undefined) return this.#tidy(undefined, undefined);
    this.documents.leave(indexed);
    this.lexical.removeAll(indexed.firstOrdinal, indexed.firstOrdinal + ordinalCountOf(indexed));
    this.windows.remove(indexed);
    return this.#tidy(indexed, this.windowVectors.take(indexed));
  }

  *#tidy(indexed: IndexedDocument | undefined, vectors: Sliced<void> | undefined): Sliced<void> {
    yield* this.lexical.settle();
    if (indexed === undefined) return;
    if (vectors !== undefined) yield* vectors;
    yield* this.#exact.remove(indexed);
    this.documents.freeSlot(indexed.slot);
  }

  /** Enters a document of a loaded snapshot, whose passages the lexical index already has. Nobody searches meanwhile. */
  *insert(indexed: IndexedDocument): Sliced<void> {
    this.documents.number(indexed);
    yield* this.#exact.add(indexed);
    this.windows.add(indexed);
    this.documents.enter(indexed);
  }

  /** The version that searches see now. */
  versionOf(id: string): number | undefined {
    return this.documents.find(id)?.version;
  }

  /** How many texts of the version that searches see have a vector each; 0 if it is not indexed. */
  windowsOf(id: string): number {
    const indexed = this.documents.find(id);
    return indexed === undefined ? 0 : windowCountOf(indexed);
  }

  /** The documents with a title or a piece that equals the query. */
  *exactMatches({ equal }: ParsedQuery, found: (document: IndexedDocument) => void): Sliced<void> {
    let looked = 0;
    for (const hash of equal.hashes) {
      for (const slot of this.#exact.slotsOf(hash)) {
        const document = this.documents.at(slot);
        if (document !== undefined && (yield* equal.isIn(document))) found(document);
        if (++looked % SLICE_EQUAL === 0) yield;
      }
    }
  }

  /** What of a document equals the query. Most hold none of its hashes, and are not looked through. */
  *equalTexts({ equal }: ParsedQuery, document: IndexedDocument): Sliced<EqualTexts> {
    for (const hash of equal.hashes) if (this.#exact.isIn(hash, document.slot)) return yield* equal.in(document);
    return NOTHING_EQUAL;
  }

  get #places() {
    return { documents: this.documents, exact: this.#exact, windows: this.windows, vectors: this.windowVectors };
  }

  /** Text passages, by the type of their documents. Looks at every document. */
  passages(): Record<DocumentType, number> {
    const passages = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 0 };
    for (const indexed of this.documents) passages[indexed.document.type] += indexed.passageCount;
    return passages;
  }

  /** Bytes of what is made of texts, without the texts, the objects of documents, and the vectors. O(1). */
  get bytes(): number {
    return this.documents.bytes + this.#exact.bytes + this.windows.bytes + this.lexical.bytes;
  }

  /** Memory of the vectors, in bytes: in the rows that are searched, and those that an embedder has made in the state as well. */
  get vectorBytes(): number {
    const { rows, ownCount } = this.windowVectors;
    return rows === undefined ? 0 : rows.bytes + ownCount * rows.dimensions;
  }
}
