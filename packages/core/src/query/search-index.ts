import type { VectorSpace } from "../domain/records.ts";
import type { DocumentType, SearchableDocument } from "../domain/types.ts";
import { type Field, LexicalIndex } from "../lexical/lexical-index.ts";
import { normalForm, normalFormHash, normalFormOfPlain } from "../markdown/normal-form.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { PassageVectors } from "../vector/passage-vectors.ts";
import type { QueryVector } from "../vector/vector-rows.ts";
import { type CutDocument, cutDocument, shortTitle } from "./embedded-texts.ts";
import { ExactMatches, hasExactPiece, hasExactTitle } from "./exact-matches.ts";
import {
  hasTitlePart,
  type IndexedDocument,
  NO_PIECE,
  ordinalCountOf,
  partCountOf,
  passageCountOf,
  pieceCountOf,
} from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { PartNumbers } from "./part-numbers.ts";
import { SlotScores } from "./slot-scores.ts";

/** What a word in the headings or the title counts for a passage, against one in its text. Multiples of a quarter. */
const HEADING_WEIGHT = 0.75;
const TITLE_WEIGHT = 1.5;

/** Ordinals of passages that are gone are reclaimed when there are this many, and more than there are passages. */
const GONE_PASSAGES_MIN = 1_024;

/**
 * Everything that a bot's searches need: its documents, their passages with exact lines, the terms of each, and its vector
 * where it has one. All of it is derived: it can be made again from the state. Changes are seen whole or not at all, since no method awaits.
 */
export class SearchIndex {
  readonly analyzer: Analyzer;
  lexical = new LexicalIndex();
  readonly #documents = new Map<string, IndexedDocument>();
  readonly #bySlot: (IndexedDocument | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  #slotByOrdinal: number[] = [];
  readonly #exact = new ExactMatches();
  #parts = new PartNumbers();
  #space: VectorSpace | undefined;
  #vectors: PassageVectors | undefined;
  #ownVectors = 0;
  #firstBy: string | undefined;
  /** For searches: the best score of each document. */
  readonly scores = new SlotScores();

  constructor(analyzer: Analyzer) {
    this.analyzer = analyzer;
  }

  /** Makes this version of a document the one that searches see. A document without text is found by nothing, but its version counts as indexed. */
  replace(document: SearchableDocument, version: number, cutParts = cutDocument(document)): void {
    const { cut, titles, wordings } = cutParts;
    const fields = this.#fieldsOf(cutParts);
    const { passageStarts, spans, hashes, partOrdinals, partPieces } = flatten(cutParts);
    this.remove(document.id);
    const indexed: IndexedDocument = {
      slot: this.#freeSlots.pop() ?? this.#bySlot.length,
      document,
      version,
      markdown: cut.markdown,
      firstOrdinal: this.lexical.nextOrdinal,
      firstPart: this.#parts.next,
      ownVectors: 0,
      wordingCount: wordings.length,
      titleCount: titles.length,
      passageStarts,
      spans,
      hashes,
      partOrdinals,
      partPieces,
    };
    for (const passage of fields) this.lexical.add(passage);
    this.insert(indexed);
  }

  /** Takes over fields that touch no text: metadata, url, status. Nothing happens if the document is not indexed. */
  amend(document: SearchableDocument): void {
    const indexed = this.#documents.get(document.id);
    if (indexed !== undefined) indexed.document = document;
  }

  /** Gone from the very next search. */
  remove(id: string): void {
    const indexed = this.#documents.get(id);
    if (indexed === undefined) return;
    this.#documents.delete(id);
    this.#bySlot[indexed.slot] = undefined;
    this.#freeSlots.push(indexed.slot);
    this.#exact.remove(indexed);
    const count = ordinalCountOf(indexed);
    for (let i = 0; i < count; i++) this.lexical.remove(indexed.firstOrdinal + i);
    this.#parts.remove(indexed);
    for (let i = 0; i < partCountOf(indexed); i++) this.#vectors?.delete(indexed.firstPart + i);
    this.#ownVectors -= indexed.ownVectors;
    if (this.lexical.goneCount > Math.max(GONE_PASSAGES_MIN, this.lexical.passageCount)) this.#reclaim();
  }

  /** A document as searches see it now. */
  find(id: string): IndexedDocument | undefined {
    return this.#documents.get(id);
  }

  /** The version that searches see now. */
  versionOf(id: string): number | undefined {
    return this.#documents.get(id)?.version;
  }

  /** Where the vectors can be compared; undefined while there is no embedder. */
  get space(): VectorSpace | undefined {
    return this.#space;
  }
  /** By the number of the part. */
  get vectors(): PassageVectors | undefined {
    return this.#vectors;
  }

  /**
   * Searches by these vectors from now on, or by none; those that were used before are closed. `firstBy` names whoever makes vectors of parts
   * that have none of the embedder's yet, and of what texts.
   */
  useVectors(space?: VectorSpace, vectors?: PassageVectors, firstBy?: string): void {
    this.#vectors?.close();
    this.#space = space;
    this.#vectors = vectors;
    this.#firstBy = firstBy;
    this.#ownVectors = 0;
    for (const indexed of this.#documents.values()) indexed.ownVectors = 0;
  }

  /** Vectors that the bot's embedder has made. */
  get ownVectors(): number {
    return this.#ownVectors;
  }
  /** Their share of all; 1 if there are none. */
  get ownShare(): number {
    const count = this.#vectors?.count ?? 0;
    return count === 0 ? 1 : this.#ownVectors / count;
  }

  /**
   * Takes over the vectors that the embedder has made of a document's first parts, `dimensions` codes each, and returns how many are
   * new. More than it has parts are passed over.
   */
  setVectors(id: string, codes: Int8Array): number {
    const indexed = this.#documents.get(id);
    const vectors = this.#vectors;
    if (indexed === undefined || vectors === undefined) return 0;
    const { dimensions } = vectors;
    const before = indexed.ownVectors;
    const count = Math.max(before, Math.min(partCountOf(indexed), Math.floor(codes.length / dimensions)));
    for (let i = before; i < count; i++) {
      vectors.set(indexed.firstPart + i, codes.subarray(i * dimensions, (i + 1) * dimensions));
    }
    indexed.ownVectors = count;
    this.#ownVectors += count - before;
    return count - before;
  }

  /**
   * Gives the parts of a document that have no vector the student's: `encode` is asked for their codes by their place. Returns how many
   * there were.
   */
  setFirstVectors(id: string, encode: (part: number) => Int8Array): number {
    const indexed = this.#documents.get(id);
    const vectors = this.#vectors;
    if (indexed === undefined || vectors === undefined) return 0;
    const before = vectors.count;
    for (let i = indexed.ownVectors; i < partCountOf(indexed); i++) {
      const part = indexed.firstPart + i;
      if (!vectors.has(part)) vectors.set(part, encode(i));
    }
    return vectors.count - before;
  }

  /** The vectors of {@link useVectors}'s `firstBy` that a document has: of its part `first` and all after it. Undefined if it has none. */
  firstVectorsOf(id: string): { first: number; by: string; codes: Int8Array } | undefined {
    const indexed = this.#documents.get(id);
    const [vectors, by] = [this.#vectors, this.#firstBy];
    if (indexed === undefined || vectors === undefined || by === undefined) return undefined;
    const { ownVectors: first, firstPart } = indexed;
    const count = partCountOf(indexed) - first;
    if (count <= 0) return undefined;
    const codes = new Int8Array(count * vectors.dimensions);
    for (let i = 0; i < count; i++) {
      const part = vectors.codesOf(firstPart + first + i);
      if (part === undefined) return undefined;
      codes.set(part, i * vectors.dimensions);
    }
    return { first, by, codes };
  }

  /** Whether parts of a document have no vector at all. */
  lacksVectors(id: string): boolean {
    const indexed = this.#documents.get(id);
    if (indexed === undefined || this.#vectors === undefined) return false;
    const last = indexed.firstPart + partCountOf(indexed) - 1;
    // They come from the first on, and all at once from the student.
    return partCountOf(indexed) > 0 && !this.#vectors.has(last);
  }

  /** How many texts of the version that searches see have a vector each; 0 if it is not indexed. */
  partsOf(id: string): number {
    const indexed = this.#documents.get(id);
    return indexed === undefined ? 0 : partCountOf(indexed);
  }
  /** Whether a part is a title that other documents have as well, or a text of theirs: it tells none of them apart, and is passed over. */
  tellsNothing(part: number): boolean {
    const document = this.#bySlot[this.slotOf(this.#parts.ordinalOf(part))];
    if (document === undefined || document.firstPart !== part || !hasTitlePart(document)) return false;
    return this.#exact.isShared(document.hashes[0] ?? Number.NaN);
  }

  /** The highest cosine of the query with a part of this ordinal; undefined if none of them has a vector yet. */
  cosineOf(query: QueryVector, ordinal: number): number | undefined {
    const first = this.#parts.firstOf(ordinal);
    return this.#vectors?.highestCosine(
      query,
      this.tellsNothing(first) ? first + 1 : first,
      this.#parts.endOf(ordinal),
    );
  }
  /**
   * For each piece of `[first, last)` of a passage the highest cosine of the query with a part that holds any of it; -1 where none of these has
   * a vector.
   */
  pieceCosines(query: QueryVector, document: IndexedDocument, ordinal: number, first: number, last: number): number[] {
    const cosines = new Array<number>(last - first).fill(-1);
    const end = this.#parts.endOf(ordinal);
    for (let part = this.#parts.firstOf(ordinal); part < end; part++) {
      const from = document.partPieces[part - document.firstPart] ?? NO_PIECE;
      if (from === NO_PIECE) continue;
      const next = part + 1 < end ? (document.partPieces[part + 1 - document.firstPart] ?? last) : last;
      const cosine = this.#vectors?.cosine(query, part) ?? -1;
      for (let piece = from; piece < Math.max(next, from + 1); piece++) {
        cosines[piece - first] = Math.max(cosines[piece - first] ?? -1, cosine);
      }
    }
    return cosines;
  }
  /** Which part belongs to which ordinal. */
  get parts(): PartNumbers {
    return this.#parts;
  }

  get documents(): Iterable<IndexedDocument> {
    return this.#documents.values();
  }
  /** Slots are below this. */
  get slotCount(): number {
    return this.#bySlot.length;
  }
  documentAt(slot: number): IndexedDocument | undefined {
    return this.#bySlot[slot];
  }
  slotOf(ordinal: number): number {
    return this.#slotByOrdinal[ordinal] ?? -1;
  }

  /** The documents with a title or a piece that equals the query. */
  *exactMatches(query: ParsedQuery): Generator<IndexedDocument> {
    for (const { hash } of query.forms) {
      for (const slot of this.#exact.slotsOf(hash)) {
        const document = this.#bySlot[slot];
        if (document !== undefined && (hasExactTitle(document, query) || hasExactPiece(document, query)))
          yield document;
      }
    }
  }

  /** Figures for the operator. */
  stats(): { passages: Record<DocumentType, number>; terms: number; memoryBytes: number } {
    const passages = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 0 };
    let textBytes = 0;
    let pieces = 0;
    // Once in the rows that are searched, once in the state.
    const vectorBytes = (this.#vectors?.bytes ?? 0) + (this.#vectors?.count ?? 0) * (this.#vectors?.dimensions ?? 0);
    for (const indexed of this.#documents.values()) {
      passages[indexed.document.type] += passageCountOf(indexed);
      textBytes += indexed.markdown.length;
      pieces += pieceCountOf(indexed);
    }
    // Texts are one or two bytes a character; a piece has its span, its hash and its entry among the exact matches.
    const memoryBytes =
      Math.round(textBytes * 1.2 + pieces * 72 + this.#documents.size * 600 + this.lexical.bytes) + vectorBytes;
    return { passages, terms: this.lexical.termCount, memoryBytes };
  }

  /** Enters a document whose passages the lexical index already has. Used by `replace` and when a snapshot is loaded. */
  insert(indexed: IndexedDocument): void {
    this.#documents.set(indexed.document.id, indexed);
    this.#bySlot[indexed.slot] = indexed;
    this.#exact.add(indexed);
    const count = ordinalCountOf(indexed);
    for (let i = 0; i < count; i++) this.#slotByOrdinal[indexed.firstOrdinal + i] = indexed.slot;
    this.#parts.add(indexed);
  }

  /** Leaves a slot of a loaded snapshot to a later document. */
  skipSlot(slot: number): void {
    this.#bySlot[slot] = undefined;
    this.#freeSlots.push(slot);
  }

  /** One list of fields for each wording, then for each passage. */
  #fieldsOf({ cut, titles, wordings, plain }: CutDocument): Field[][] {
    const titleTerms = this.analyzer.terms(shortTitle(titles[0] ?? ""));
    const passages = cut.passages.map((passage, i) => [
      this.#textField(plain[i] ?? []),
      { terms: this.analyzer.terms(passage.headings.join("\n")), weight: HEADING_WEIGHT },
      { terms: titleTerms, weight: TITLE_WEIGHT },
    ]);
    return [...wordings.map((wording) => [{ terms: this.analyzer.terms(plainText(wording)), weight: 1 }]), ...passages];
  }

  /** The text of a passage, piece by piece. */
  #textField(pieces: readonly string[]): Field {
    const terms: string[] = [];
    const pieceStarts: number[] = [];
    for (const piece of pieces) {
      pieceStarts.push(terms.length);
      for (const term of this.analyzer.terms(piece)) terms.push(term);
    }
    return { terms, pieceStarts, weight: 1 };
  }

  /** Numbers the passages that are left anew, and their parts, in the same order. */
  #reclaim(): void {
    this.lexical = LexicalIndex.restore(this.lexical.export());
    this.#slotByOrdinal = [];
    this.#parts = new PartNumbers();
    const newParts = new Map<number, number>();
    let next = 0;
    for (const indexed of [...this.#documents.values()].sort((a, b) => a.firstOrdinal - b.firstOrdinal)) {
      const { firstPart } = indexed;
      indexed.firstPart = this.#parts.next;
      for (let i = 0; i < partCountOf(indexed); i++) newParts.set(firstPart + i, indexed.firstPart + i);
      const count = ordinalCountOf(indexed);
      for (let i = 0; i < count; i++) this.#slotByOrdinal[next + i] = indexed.slot;
      indexed.firstOrdinal = next;
      next += count;
      this.#parts.add(indexed);
    }
    this.#vectors?.renumber((part) => newParts.get(part));
  }
}

type Flat = Pick<IndexedDocument, "passageStarts" | "spans" | "hashes" | "partOrdinals" | "partPieces">;

function flatten({ cut, titles, wordings, plain, parts, titlePart }: CutDocument): Flat {
  const passageStarts = new Uint32Array(cut.passages.length + 1);
  for (const [i, { pieces }] of cut.passages.entries()) passageStarts[i + 1] = (passageStarts[i] ?? 0) + pieces.length;
  const pieceCount = passageStarts[cut.passages.length] ?? 0;
  const spans = new Uint32Array(pieceCount * 4);
  const hashes = new Float64Array(titles.length + pieceCount);
  for (const [i, title] of titles.entries()) hashes[i] = normalFormHash(normalForm(title));
  let piece = 0;
  for (const [i, { pieces }] of cut.passages.entries()) {
    for (const [j, { startLine, stopLine, startOffset, endOffset }] of pieces.entries()) {
      spans[piece * 4] = startLine;
      spans[piece * 4 + 1] = stopLine;
      spans[piece * 4 + 2] = startOffset;
      spans[piece * 4 + 3] = endOffset;
      hashes[titles.length + piece] = normalFormHash(normalFormOfPlain(plain[i]?.[j] ?? ""));
      piece++;
    }
  }
  const partOrdinals = wordings.map((_, i) => i);
  if (titlePart !== "") partOrdinals.push(0);
  const partPieces: number[] = partOrdinals.map(() => NO_PIECE);
  for (const [i, own] of parts.entries()) {
    for (const part of own) {
      partOrdinals.push(wordings.length + i);
      partPieces.push((passageStarts[i] ?? 0) + part.piece);
    }
  }
  return {
    passageStarts,
    spans,
    hashes,
    partOrdinals: new Uint32Array(partOrdinals),
    partPieces: new Uint32Array(partPieces),
  };
}
