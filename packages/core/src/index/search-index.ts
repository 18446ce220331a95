import type { Analyzer } from "../analysis/analyzer.ts";
import { PASSAGES_MAX } from "../model/limits.ts";
import type { DocumentType, SearchableDocument } from "../model/types.ts";
import { KeptStill } from "../scheduling/index-pin.ts";
import { finished, type Steps } from "../scheduling/steps.ts";
import { Filtering } from "../search/allowed-documents.ts";
import { Effort, SEARCH_BUDGET } from "../search/budget.ts";
import type { EqualTexts } from "../search/equal-texts.ts";
import type { ParsedQuery } from "../search/parsed-query.ts";
import { SlotScores } from "../search/slot-scores.ts";
import { DocumentSlots } from "./documents.ts";
import { type CutDocument, cutDocument } from "./embedded-texts.ts";
import { ExactMatches } from "./exact-texts.ts";
import { type IndexedDocument, ordinalCountOf, partCountOf } from "./indexed-document.ts";
import { LexicalIndex } from "./postings/lexical-index.ts";
import { ComingDocument } from "./staged-document.ts";
import { PartNumbers } from "./window-numbers.ts";
import { PartVectors } from "./window-vectors.ts";

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
  readonly left: Steps<void>;
  /** First vectors that it came with. */
  readonly firstVectors: number;
}

/** Documents that may equal a question are looked at so many in a step. */
const STEP_EQUAL = 64;

const NOTHING_EQUAL: EqualTexts = { title: false, pieces: [] };

const NO_ROOM = `The index of a bot holds at most ${PASSAGES_MAX} passages: remove what is not needed, or put it into a bot of its own.`;

/**
 * Everything that a bot's searches need: its documents, their passages with exact lines, the terms of each, and its vector
 * where it has one. All of it is derived: it can be made again from the state. Changes are seen whole or not at all: what takes long is made
 * beside what searches see.
 */
export class SearchIndex {
  analyzer: Analyzer;
  readonly documents = new DocumentSlots();
  /** Which part belongs to which ordinal. */
  readonly parts = new PartNumbers();
  readonly partVectors: PartVectors;
  /** For searches: the best score of each document. */
  readonly scores = new SlotScores();
  readonly effort: Effort;
  /** Which documents a search may return. */
  readonly filtering: Filtering;
  /** Kept by a search that changes would never let come to its end. */
  readonly still = new KeptStill();
  lexical: LexicalIndex;
  readonly #exact = new ExactMatches((slot) => this.documents.at(slot) !== undefined);
  #amendments = 0;
  #isComing = false;

  constructor(analyzer: Analyzer, lexical = new LexicalIndex(), budget = SEARCH_BUDGET) {
    this.effort = new Effort(budget);
    this.filtering = new Filtering(this);
    this.analyzer = analyzer;
    this.lexical = lexical;
    this.partVectors = new PartVectors({ documents: this.documents, parts: this.parts, exact: this.#exact });
  }

  /** Makes this version of a document the one that searches see, all at once. */
  replace(document: SearchableDocument, version: number, cut = cutDocument(document)): void {
    const { left } = finished(this.replaceInSteps(document, { version, cut, current: () => document })) ?? {};
    if (left !== undefined) finished(left);
  }

  /**
   * The same in steps: all is made beside what searches see, and taken over in the last step. A document without text is found by nothing,
   * but its version counts as indexed. Undefined if it was no longer wanted; whoever does not go on to the end gives the work back (`return`).
   * One document at a time may be on its way.
   * @throws RangeError if there is no room for its passages; the version before it stays
   */
  *replaceInSteps(
    known: SearchableDocument,
    { version, cut, current, encode }: Replacement,
  ): Steps<Replaced | undefined> {
    if (!this.hasRoomFor(cut)) throw new RangeError(NO_ROOM);
    const coming = new ComingDocument({ ...this.#places, lexical: this.lexical }, cut, version);
    let isIn = false;
    this.#isComing = true;
    try {
      yield* coming.prepare(known, this.analyzer, encode);
      const document = current();
      if (document === undefined) return undefined;
      const left = this.leave(document.id);
      isIn = true;
      return { left, firstVectors: coming.enter(document) };
    } finally {
      this.#isComing = false;
      if (!isIn) finished(coming.abandon());
    }
  }

  /** What questions are read by: the same as its documents. */
  get reader(): Analyzer {
    return this.analyzer.documents?.readerOf(this.documents.languages) ?? this.analyzer;
  }

  /** Whether a document is on its way in. */
  get isComing(): boolean {
    return this.#isComing;
  }

  /** Whether a document has room that is cut like this. */
  hasRoomFor({ wordings, cut }: CutDocument): boolean {
    return this.lexical.hasRoomFor(wordings.length + cut.passages.length);
  }

  /** Whether it would have room if what is gone took none. */
  hasRoomWithoutGone({ wordings, cut }: CutDocument): boolean {
    return this.lexical.hasRoomWithoutGone(wordings.length + cut.passages.length);
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
    const { documents, lexical, partVectors } = this;
    const { rows } = partVectors;
    return [documents.changes, this.#amendments, lexical, lexical.changes, rows, rows?.changes];
  }

  /** Gone from the very next search. */
  remove(id: string): void {
    finished(this.leave(id));
  }

  /** The same: it is gone when this returns. What takes time is done in the steps that are left, at any time before it comes again. */
  leave(id: string): Steps<void> {
    const indexed = this.documents.find(id);
    if (indexed === undefined) return this.#tidy(undefined, undefined);
    this.documents.leave(indexed);
    this.lexical.removeAll(indexed.firstOrdinal, indexed.firstOrdinal + ordinalCountOf(indexed));
    this.parts.remove(indexed);
    return this.#tidy(indexed, this.partVectors.take(indexed));
  }

  *#tidy(indexed: IndexedDocument | undefined, vectors: Steps<void> | undefined): Steps<void> {
    yield* this.lexical.settle();
    if (indexed === undefined) return;
    if (vectors !== undefined) yield* vectors;
    yield* this.#exact.remove(indexed);
    this.documents.freeSlot(indexed.slot);
  }

  /** Enters a document of a loaded snapshot, whose passages the lexical index already has. Nobody searches meanwhile. */
  *insert(indexed: IndexedDocument): Steps<void> {
    this.documents.number(indexed);
    yield* this.#exact.add(indexed);
    this.parts.add(indexed);
    this.documents.enter(indexed);
  }

  /** The version that searches see now. */
  versionOf(id: string): number | undefined {
    return this.documents.find(id)?.version;
  }

  /** How many texts of the version that searches see have a vector each; 0 if it is not indexed. */
  partsOf(id: string): number {
    const indexed = this.documents.find(id);
    return indexed === undefined ? 0 : partCountOf(indexed);
  }

  /** The documents with a title or a piece that equals the query. */
  *exactMatches({ equal }: ParsedQuery, found: (document: IndexedDocument) => void): Steps<void> {
    let looked = 0;
    for (const hash of equal.hashes) {
      for (const slot of this.#exact.slotsOf(hash)) {
        const document = this.documents.at(slot);
        if (document !== undefined && (yield* equal.isIn(document))) found(document);
        if (++looked % STEP_EQUAL === 0) yield;
      }
    }
  }

  /** What of a document equals the query. Most hold none of its hashes, and are not looked through. */
  *equalTexts({ equal }: ParsedQuery, document: IndexedDocument): Steps<EqualTexts> {
    for (const hash of equal.hashes) if (this.#exact.isIn(hash, document.slot)) return yield* equal.in(document);
    return NOTHING_EQUAL;
  }

  get #places() {
    return { documents: this.documents, exact: this.#exact, parts: this.parts, vectors: this.partVectors };
  }

  /** Text passages, by the type of their documents. Looks at every document. */
  passages(): Record<DocumentType, number> {
    const passages = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 0 };
    for (const indexed of this.documents) passages[indexed.document.type] += indexed.passageCount;
    return passages;
  }

  /** Bytes of what is made of texts, without the texts, the objects of documents, and the vectors. O(1). */
  get bytes(): number {
    return this.documents.bytes + this.#exact.bytes + this.parts.bytes + this.lexical.bytes;
  }

  /** Memory of the vectors, in bytes: in the rows that are searched, and those that an embedder has made in the state as well. */
  get vectorBytes(): number {
    const { rows, ownCount } = this.partVectors;
    return rows === undefined ? 0 : rows.bytes + ownCount * rows.dimensions;
  }
}
