import { type LexicalContents, LexicalIndex } from "../lexical/lexical-index.ts";
import { joinContent } from "../markdown/passages.ts";
import type { LoadedSection, SnapshotSection } from "../storage/store.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { SearchableDocument } from "../types.ts";
import { partCountOf, passageCountOf, pieceCountOf } from "./indexed-document.ts";
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

/** The index as it is now, copied at once: it may change while the section is written. */
export function sectionsOf(index: SearchIndex): SnapshotSection[] {
  const documents = [...index.documents].sort((a, b) => a.firstOrdinal - b.firstOrdinal);
  const lexical = index.lexical.export();
  const vocabulary = new TextEncoder().encode(lexical.vocabulary.join("\n"));
  const header: Header = {
    analyzer: index.analyzer.id,
    documents: documents.map((document) => [
      document.document.id,
      document.version,
      document.wordingCount,
      document.titleCount,
      passageCountOf(document),
      pieceCountOf(document),
      partCountOf(document),
    ]),
    vocabularyBytes: vocabulary.length,
    postings: lexical.terms.length,
    passages: lexical.lengths.length,
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const chunks = [
    bytesOf(Uint32Array.of(headerBytes.length)),
    headerBytes,
    vocabulary,
    bytesOf(lexical.lengths),
    bytesOf(lexical.starts),
    bytesOf(lexical.terms),
    bytesOf(lexical.words),
    ...documents.flatMap((document) => [
      bytesOf(document.passageStarts),
      bytesOf(document.spans),
      bytesOf(document.hashes),
      bytesOf(document.partOrdinals),
      bytesOf(document.partPieces),
    ]),
  ];
  return [{ name: SECTION, version: VERSION, chunks }];
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
