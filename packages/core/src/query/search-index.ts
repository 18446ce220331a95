import type { DocumentType, SearchableDocument } from "../domain/types.ts";
import { LexicalIndex } from "../lexical/lexical-index.ts";
import type { Analyzer } from "../text/analyzer.ts";
import { fieldsOf, numbersOf } from "./document-fields.ts";
import { DocumentSlots } from "./document-slots.ts";
import { cutDocument } from "./embedded-texts.ts";
import { ExactMatches } from "./exact-matches.ts";
import { type IndexedDocument, ordinalCountOf, partCountOf, passageCountOf, pieceCountOf } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { PartNumbers } from "./part-numbers.ts";
import { PartVectors } from "./part-vectors.ts";
import { SlotScores } from "./slot-scores.ts";

/** Ordinals of passages that are gone are reclaimed when there are this many, and more than there are passages. */
const GONE_PASSAGES_MIN = 1_024;

/**
 * Everything that a bot's searches need: its documents, their passages with exact lines, the terms of each, and its vector
 * where it has one. All of it is derived: it can be made again from the state. Changes are seen whole or not at all, since no method awaits.
 */
export class SearchIndex {
  readonly analyzer: Analyzer;
  readonly documents = new DocumentSlots();
  /** Which part belongs to which ordinal. */
  readonly parts = new PartNumbers();
  readonly partVectors: PartVectors;
  /** For searches: the best score of each document. */
  readonly scores = new SlotScores();
  lexical = new LexicalIndex();
  readonly #exact = new ExactMatches();

  constructor(analyzer: Analyzer) {
    this.analyzer = analyzer;
    this.partVectors = new PartVectors({ documents: this.documents, parts: this.parts, exact: this.#exact });
  }

  /** Makes this version of a document the one that searches see. A document without text is found by nothing, but its version counts as indexed. */
  replace(document: SearchableDocument, version: number, cutParts = cutDocument(document)): void {
    const { cut, titles, wordings } = cutParts;
    const fields = fieldsOf(cutParts, this.analyzer);
    const numbers = numbersOf(cutParts);
    this.remove(document.id);
    const indexed: IndexedDocument = {
      slot: this.documents.takeSlot(),
      document,
      version,
      markdown: cut.markdown,
      firstOrdinal: this.lexical.nextOrdinal,
      firstPart: this.parts.next,
      ownVectors: 0,
      wordingCount: wordings.length,
      titleCount: titles.length,
      ...numbers,
    };
    for (const passage of fields) this.lexical.add(passage);
    this.insert(indexed);
  }

  /** Takes over fields that touch no text: metadata, url, status. Nothing happens if the document is not indexed. */
  amend(document: SearchableDocument): void {
    const indexed = this.documents.find(document.id);
    if (indexed !== undefined) indexed.document = document;
  }

  /** Gone from the very next search. */
  remove(id: string): void {
    const indexed = this.documents.find(id);
    if (indexed === undefined) return;
    this.documents.leave(indexed);
    this.#exact.remove(indexed);
    const count = ordinalCountOf(indexed);
    for (let i = 0; i < count; i++) this.lexical.remove(indexed.firstOrdinal + i);
    this.parts.remove(indexed);
    this.partVectors.delete(indexed);
    if (this.lexical.goneCount > Math.max(GONE_PASSAGES_MIN, this.lexical.passageCount)) this.#reclaim();
  }

  /** Enters a document whose passages the lexical index already has. Used by `replace` and when a snapshot is loaded. */
  insert(indexed: IndexedDocument): void {
    this.documents.enter(indexed);
    this.#exact.add(indexed);
    this.parts.add(indexed);
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
  *exactMatches({ equal }: ParsedQuery): Generator<IndexedDocument> {
    for (const hash of equal.hashes) {
      for (const slot of this.#exact.slotsOf(hash)) {
        const document = this.documents.at(slot);
        if (document !== undefined && equal.isIn(document)) yield document;
      }
    }
  }

  /** Figures for the operator. */
  stats(): { passages: Record<DocumentType, number>; terms: number; memoryBytes: number } {
    const passages = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 0 };
    let textBytes = 0;
    let pieces = 0;
    const { rows } = this.partVectors;
    // Once in the rows that are searched, once in the state.
    const vectorBytes = (rows?.bytes ?? 0) + (rows?.count ?? 0) * (rows?.dimensions ?? 0);
    for (const indexed of this.documents) {
      passages[indexed.document.type] += passageCountOf(indexed);
      textBytes += indexed.markdown.length;
      pieces += pieceCountOf(indexed);
    }
    // Texts are one or two bytes a character; a piece has its span, its hash and its entry among the exact matches.
    const memoryBytes =
      Math.round(textBytes * 1.2 + pieces * 72 + this.documents.count * 600 + this.lexical.bytes) + vectorBytes;
    return { passages, terms: this.lexical.termCount, memoryBytes };
  }

  /** Numbers the passages that are left anew, and their parts, in the same order. */
  #reclaim(): void {
    this.lexical = LexicalIndex.restore(this.lexical.export());
    this.parts.clear();
    const newParts = new Map<number, number>();
    this.documents.renumber((indexed) => {
      const { firstPart } = indexed;
      indexed.firstPart = this.parts.next;
      for (let i = 0; i < partCountOf(indexed); i++) newParts.set(firstPart + i, indexed.firstPart + i);
      this.parts.add(indexed);
    });
    this.partVectors.renumber((part) => newParts.get(part));
  }
}
