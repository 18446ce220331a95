import type { LexicalCapture, LexicalContents } from "../lexical/lexical-capture.ts";
import { LexicalIndex } from "../lexical/lexical-index.ts";
import { joinContent } from "../markdown/passages.ts";
import { inSlices, SLICING, type Slicing } from "../slices.ts";
import type { LoadedSection, SnapshotSection } from "../storage/store.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { SearchableDocument } from "../types.ts";
import { type IndexedDocument, partCountOf, passageCountOf, pieceCountOf } from "./indexed-document.ts";
import { SearchIndex } from "./search-index.ts";

/**
 * The search index in a snapshot: which passages every document has, and the terms of each. All of it can be made
 * again from the documents, so an index of another version, analyzer or make is simply not taken.
 */
const SECTION = "search-index";

/** Raised whenever the same document would be cut, analysed or encoded in another way. */
const VERSION = 2;

interface Header {
  readonly analyzer: string;
  readonly documents: readonly (readonly [
    id: string,
    version: number,
    wordings: number,
    titles: number,
    passages: number,
    pieces: number,
    parts: number,
  ])[];
  readonly vocabularyBytes: number;
  readonly postings: number;
  readonly passages: number;
}

/** Bytes of the largest of the numbers that are written. */
const NUMBER_BYTES = 8;

/** Terms that are encoded together. */
const TERMS_A_PIECE = 500;

/** The index as it is now, whatever becomes of it while the section is written, a slice at a time. */
export function sectionsOf(index: SearchIndex, slicing: Slicing = SLICING): SnapshotSection[] {
  // A document's numbers are never changed, only replaced; all but the order in which its passages come may be asked for later.
  const documents = [...index.documents].sort((a, b) => a.firstOrdinal - b.firstOrdinal);
  const chunks = encoded(index.analyzer.id, documents, index.lexical.capture(), slicing);
  return [{ name: SECTION, version: VERSION, chunks }];
}

async function* encoded(
  analyzer: string,
  documents: readonly IndexedDocument[],
  lexical: LexicalCapture,
  slicing: Slicing,
): AsyncGenerator<Uint8Array> {
  const vocabulary: Uint8Array[] = [];
  for await (const slice of inSlices(vocabularyPieces(lexical), slicing)) vocabulary.push(slice);
  const counts = `"passages":${lexical.passages},"postings":${lexical.postings},"vocabularyBytes":${lengthOf(vocabulary)}`;
  const header: Uint8Array[] = [];
  for await (const slice of inSlices(headerPieces(analyzer, documents, counts), slicing)) header.push(slice);
  yield bytesOf(Uint32Array.of(lengthOf(header)));
  yield* header;
  yield* vocabulary;
  const most = Math.max(1, Math.floor(slicing.bytes / NUMBER_BYTES));
  yield* inSlices(numberPieces(lexical, documents, most), slicing);
}

/** The header's JSON, a document at a time: there may be a hundred thousand of them. */
function* headerPieces(
  analyzer: string,
  documents: readonly IndexedDocument[],
  counts: string,
): Generator<Uint8Array, void> {
  yield encoder.encode(`{"analyzer":${JSON.stringify(analyzer)},${counts},"documents":[`);
  for (const [i, document] of documents.entries()) {
    const entry: Header["documents"][number] = [
      document.document.id,
      document.version,
      document.wordingCount,
      document.titleCount,
      passageCountOf(document),
      pieceCountOf(document),
      partCountOf(document),
    ];
    yield encoder.encode(`${i === 0 ? "" : ","}${JSON.stringify(entry)}`);
  }
  yield encoder.encode("]}");
}

/** The terms with a line break between each two. */
function* vocabularyPieces(lexical: LexicalCapture): Generator<Uint8Array, void> {
  let terms: string[] = [];
  let isFirst = true;
  const piece = (): Uint8Array => encoder.encode(`${isFirst ? "" : "\n"}${terms.join("\n")}`);
  for (const term of lexical.vocabulary()) {
    terms.push(term);
    if (terms.length < TERMS_A_PIECE) continue;
    yield piece();
    terms = [];
    isFirst = false;
  }
  if (terms.length > 0) yield piece();
}

/** All numbers, at most so many at a time. */
function* numberPieces(
  lexical: LexicalCapture,
  documents: readonly IndexedDocument[],
  most: number,
): Generator<Uint8Array, void> {
  for (const values of lexical.lengths(most)) yield bytesOf(values);
  for (const values of lexical.starts(most)) yield bytesOf(values);
  for (const values of lexical.termsOfPassages(most)) yield bytesOf(values);
  for (const values of lexical.wordsOfPassages(most)) yield bytesOf(values);
  for (const { passageStarts, spans, hashes, partOrdinals, partPieces } of documents) {
    for (const values of [passageStarts, spans, hashes, partOrdinals, partPieces]) {
      for (let at = 0; at < values.length; at += most) yield bytesOf(values.subarray(at, at + most));
    }
  }
}

/**
 * An index from a snapshot's sections. `documentOf` gives the document if this version of it is still the one to be
 * found; the others are left out, and whoever calls indexes them anew.
 */
export function indexFromSections(
  analyzer: Analyzer,
  sections: ReadonlyMap<string, LoadedSection>,
  documentOf: (id: string, version: number) => SearchableDocument | undefined,
): SearchIndex {
  const index = new SearchIndex(analyzer);
  const section = sections.get(SECTION);
  if (section === undefined || section.version !== VERSION) return index;
  const reader = new Reader(section.bytes);
  const header = readHeader(reader);
  if (header.analyzer !== analyzer.id) return index;
  const contents: LexicalContents = {
    vocabulary: header.vocabularyBytes === 0 ? [] : reader.text(header.vocabularyBytes).split("\n"),
    lengths: reader.uint32(header.passages),
    starts: reader.uint32(header.passages + 1),
    terms: reader.uint32(header.postings),
    words: reader.uint32(header.postings),
  };
  index.lexical = LexicalIndex.restore(contents);
  let firstOrdinal = 0;
  for (const [slot, [id, version, wordingCount, titleCount, passages, pieces, parts]] of header.documents.entries()) {
    const document = documentOf(id, version);
    const indexed = {
      slot,
      version,
      firstOrdinal,
      wordingCount,
      titleCount,
      passageStarts: reader.uint32(passages + 1),
      spans: reader.uint32(pieces * 4),
      hashes: reader.float64(titleCount + pieces),
      partOrdinals: reader.uint32(parts),
      partPieces: reader.uint32(parts),
    };
    firstOrdinal += wordingCount + passages;
    if (document !== undefined) {
      const { next: firstPart } = index.parts;
      index.insert({ ...indexed, firstPart, ownVectors: 0, document, markdown: joinContent(document.content) });
    } else {
      index.skipSlot(slot);
      for (let i = 0; i < wordingCount + passages; i++) index.lexical.remove(indexed.firstOrdinal + i);
    }
  }
  return index;
}

function readHeader(reader: Reader): Header {
  const length = reader.uint32(1)[0] ?? 0;
  // Boundary: the section's checksum has been verified, and this version of the format wrote it.
  return JSON.parse(reader.text(length)) as Header;
}

const encoder = new TextEncoder();

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function bytesOf(values: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Reads values one after the other; typed arrays are copied, since their bytes need not be aligned. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  uint32(count: number): Uint32Array {
    return new Uint32Array(new Uint8Array(this.#take(count * 4)).buffer);
  }

  float64(count: number): Float64Array {
    return new Float64Array(new Uint8Array(this.#take(count * 8)).buffer);
  }

  text(length: number): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#take(length));
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("The search index section ends too early.");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
