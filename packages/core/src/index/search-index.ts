import type { Analyzer } from "../analysis/analyzer.ts";
import { PASSAGES_MAX } from "../model/limits.ts";
import type { DocumentType, SearchableDocument } from "../model/types.ts";
import { IndexPin } from "../scheduling/index-pin.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { Effort, SEARCH_BUDGET } from "../search/budget.ts";
import type { EqualTexts } from "../search/equal-texts.ts";
import { FilterCache } from "../search/filters/allowed-documents.ts";
import type { ParsedQuery } from "../search/parsed-query.ts";
import { SlotScores } from "../search/slot-scores.ts";
import { Documents } from "./documents.ts";
import { type CutDocument, cutDocument } from "./embedded-texts.ts";
import { ExactTexts } from "./exact-texts.ts";
import { FragmentVectors } from "./fragment-vectors.ts";
import { type IndexedDocument, ordinalCountOf, windowCountOf } from "./indexed-document.ts";
import { Outlines } from "./outlines.ts";
import { LexicalIndex } from "./postings/lexical-index.ts";
import { StagedDocument } from "./staged-document.ts";
import { Suggestions } from "./suggestions/suggestions.ts";
import { WindowNumbers } from "./window-numbers.ts";
import { WindowVectors } from "./window-vectors.ts";

/** A version of a document that is to replace the one in the index. */
export interface Replacement {
  readonly version: number;
  readonly cut: CutDocument;
  /** Called when all entries are ready. Returns the document with its fields as they are by then; undefined if the version is not wanted any more. */
  readonly current: () => SearchableDocument | undefined;
  /** Makes the first vector of a window's text. If it is missing, or returns undefined for one window, the document has no first vectors. */
  readonly encode?: ((text: string) => Int8Array | undefined) | undefined;
}

export interface Replaced {
  /** Cleanup of the previous version. It may run at any time before the document is indexed again. */
  readonly left: Sliced<void>;
  /** Number of first vectors that the document came with. */
  readonly firstVectors: number;
}

/** Documents in a slice that are compared with a question. */
const SLICE_EQUAL = 64;

const NOTHING_EQUAL: EqualTexts = { title: false, fragments: [] };

const NO_CAPACITY = `The index of a bot holds at most ${PASSAGES_MAX} passages: remove what is not needed, or put it into a bot of its own.`;

/**
 * Everything that the searches of a bot read: documents, passages with exact lines, terms, and vectors where there are any.
 *
 * All of it is derived: it can be made again from the state. A change is visible as a whole or not at all. Slow work happens beside the data that
 * searches see.
 */
export class SearchIndex {
  analyzer: Analyzer;
  readonly documents = new Documents();
  /** Which embedding window belongs to which ordinal. */
  readonly windows = new WindowNumbers();
  readonly windowVectors: WindowVectors;
  /** Titles, questions and headings that continue a typed prefix. */
  readonly suggestions = new Suggestions(this.documents);
  /** Working memory of searches: the best score of each document. */
  readonly scores = new SlotScores();
  readonly effort: Effort;
  /** Compiled filters: which documents a search may return. */
  readonly filters: FilterCache;
  /** The headings of documents that were returned with contexts. */
  readonly outlines = new Outlines();
  /** The vectors of fragments that were compared with questions. */
  readonly fragmentVectors = new FragmentVectors();
  /** The pin for a search that changes would keep from finishing. */
  readonly pin = new IndexPin();
  lexical: LexicalIndex;
  readonly #exact = new ExactTexts((slot) => this.documents.at(slot) !== undefined);
  #amendments = 0;
  #isStaging = false;

  constructor(analyzer: Analyzer, lexical = new LexicalIndex(), budget = SEARCH_BUDGET) {
    this.effort = new Effort(budget);
    this.filters = new FilterCache(this);
    this.analyzer = analyzer;
    this.lexical = lexical;
    const { documents, windows, fragmentVectors } = this;
    this.windowVectors = new WindowVectors({ documents, windows, exact: this.#exact, fragmentVectors });
  }

  /** Makes this version of a document visible to searches, in one go. */
  replace(document: SearchableDocument, version: number, cut = cutDocument(document)): void {
    const { left } = finished(this.replaceInSlices(document, { version, cut, current: () => document })) ?? {};
    if (left !== undefined) finished(left);
  }

  /**
   * {@link replace} as sliced work: stages the document beside the visible data, and makes it visible in the last slice.
   *
   * A document without text is never found, but its version counts as indexed. Only one document may be staged at a time. A caller that stops early
   * must call `return` on the generator.
   * @returns undefined if the version was no longer wanted
   * @throws RangeError if there is no capacity for its passages; then the previous version stays
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

  /** The analyzer of questions, which reads them as the documents are read. */
  get reader(): Analyzer {
    return this.analyzer.documents?.readerOf(this.documents.languages) ?? this.analyzer;
  }

  /** Whether a document is staged. */
  get isStaging(): boolean {
    return this.#isStaging;
  }

  /** Whether the index has capacity for a document that is cut like this. */
  hasCapacityFor({ variants, cut }: CutDocument): boolean {
    return this.lexical.hasCapacityFor(variants.length + cut.passages.length);
  }

  /** Whether it would have that capacity without the passages that were removed. */
  hasCapacityWithoutDeleted({ variants, cut }: CutDocument): boolean {
    return this.lexical.hasCapacityWithoutDeleted(variants.length + cut.passages.length);
  }

  /** Updates fields that touch no text: metadata, url, status. No effect if the document is not indexed. */
  amend(document: SearchableDocument): void {
    const indexed = this.documents.find(document.id);
    if (indexed === undefined) return;
    indexed.document = document;
    this.#amendments++;
  }

  /** Rises whenever a document enters, leaves or gets other fields. */
  get documentChanges(): number {
    return this.documents.changes + this.#amendments;
  }

  /** Returns a check: whether a search would still see everything that it would see now. */
  watch(): () => boolean {
    const now = this.#seen();
    return () => this.#seen().every((each, i) => each === now[i]);
  }

  #seen(): readonly unknown[] {
    const { documents, lexical, windowVectors } = this;
    const { rows } = windowVectors;
    return [documents.changes, this.#amendments, lexical, lexical.changes, rows, rows?.changes];
  }

  /** Removes a document. The next search does not see it. */
  remove(id: string): void {
    finished(this.leave(id));
  }

  /**
   * {@link remove} as sliced work: the document is invisible when this returns. The returned cleanup may run at any time before the document is
   * indexed again.
   */
  leave(id: string): Sliced<void> {
    const indexed = this.documents.find(id);
    if (indexed === undefined) return this.#tidy(undefined, undefined);
    this.documents.leave(indexed);
    this.outlines.forget(indexed);
    this.fragmentVectors.forget(indexed);
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

  /** Enters a document of a loaded snapshot. The lexical index must have its passages already, and no search may run meanwhile. */
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

  /** Number of embedding windows of the version that searches see; 0 if the document is not indexed. */
  windowsOf(id: string): number {
    const indexed = this.documents.find(id);
    return indexed === undefined ? 0 : windowCountOf(indexed);
  }

  /** Finds the documents with a title or a fragment that equals the query. */
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

  /** The title and the fragments of a document that equal the query. Most documents hold none of its hashes, and are not read. */
  *equalTexts({ equal }: ParsedQuery, document: IndexedDocument): Sliced<EqualTexts> {
    for (const hash of equal.hashes) if (this.#exact.isIn(hash, document.slot)) return yield* equal.in(document);
    return NOTHING_EQUAL;
  }

  get #places() {
    return { documents: this.documents, exact: this.#exact, windows: this.windows, vectors: this.windowVectors };
  }

  /** Number of text passages by document type. Visits every document. */
  passages(): Record<DocumentType, number> {
    const passages: Record<DocumentType, number> = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 0 };
    for (const indexed of this.documents) passages[indexed.document.type] += indexed.passageCount;
    return passages;
  }

  /** Bytes of the data made from texts. Excludes the texts, the document objects and the vectors. O(1). */
  get bytes(): number {
    const { documents, windows, lexical, suggestions, outlines } = this;
    return documents.bytes + this.#exact.bytes + windows.bytes + lexical.bytes + suggestions.bytes + outlines.bytes;
  }

  /** Empties the caches that searches fill, as far as later searches fill them again. */
  emptyCaches(): void {
    this.fragmentVectors.clear();
    this.outlines.clear();
  }

  /** Memory of the vectors in bytes: the rows that are searched, the copies of the embedder's vectors in the state, and the vectors of fragments. */
  get vectorBytes(): number {
    const { rows, ownCount } = this.windowVectors;
    return (rows === undefined ? 0 : rows.bytes + ownCount * rows.dimensions) + this.fragmentVectors.bytes;
  }
}
