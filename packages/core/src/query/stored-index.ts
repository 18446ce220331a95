import { isCount } from "../domain/validation.ts";
import { PIECE_NUMBERS } from "./indexed-document.ts";

/**
 * The search index in a snapshot: which passages every document has, and the terms of each. All of it can be made
 * again from the documents, so an index of another version, analyzer or make is simply not taken.
 *
 *     | n: u32 | header: n bytes of JSON | vocabulary, a line break between each two terms |
 *     | lengths of passages | starts of passages, and the end | terms | words | u32 each
 *     | for each document: passage starts, spans, ordinals and pieces of parts: u32 each | hashes of each document: f64 each |
 */

export const INDEX_SECTION = "search-index";

/** Raised whenever the same document would be cut, analysed or encoded in another way. */
export const INDEX_VERSION = 5;

/** What the header says of a document, in the order of its ordinals. */
export type IndexEntry = readonly [
  id: string,
  version: number,
  wordings: number,
  titles: number,
  passages: number,
  pieces: number,
  parts: number,
];

export interface IndexHeader {
  readonly analyzer: string;
  readonly documents: readonly IndexEntry[];
  readonly vocabularyBytes: number;
  readonly postings: number;
  readonly passages: number;
}

/**
 * Reads a header, and compares what it says with what follows it: so nothing is reserved that is not there.
 * @throws SyntaxError, RangeError if no index can follow it
 */
export function parseIndexHeader(json: string, bytesBehind: number): IndexHeader {
  const header: unknown = JSON.parse(json);
  if (!isHeader(header)) throw new RangeError("The header of the stored index is none.");
  let bytes = header.vocabularyBytes + 4 * (2 * header.passages + 1) + 8 * header.postings;
  let ordinals = 0;
  for (const document of header.documents) {
    const [, , wordings, , passages] = document;
    const { uint32, float64 } = countsBehind(document);
    ordinals += wordings + passages;
    bytes += 4 * uint32 + 8 * float64;
  }
  if (ordinals !== header.passages) throw new RangeError("The documents of the stored index have other passages.");
  if (bytes !== bytesBehind) throw new RangeError(`The stored index has ${bytesBehind} bytes instead of ${bytes}.`);
  return header;
}

/** How many numbers of each kind stand behind the header for a document. */
export function countsBehind([, , , titles, passages, pieces, parts]: IndexEntry): {
  readonly uint32: number;
  readonly float64: number;
} {
  return { uint32: passages + 1 + pieces * PIECE_NUMBERS + parts * 2, float64: titles + pieces };
}

function isHeader(value: unknown): value is IndexHeader {
  if (typeof value !== "object" || value === null) return false;
  return (
    "analyzer" in value &&
    typeof value.analyzer === "string" &&
    "documents" in value &&
    Array.isArray(value.documents) &&
    value.documents.every(isIndexEntry) &&
    "vocabularyBytes" in value &&
    isCount(value.vocabularyBytes) &&
    "postings" in value &&
    isCount(value.postings) &&
    "passages" in value &&
    isCount(value.passages)
  );
}

function isIndexEntry(value: unknown): value is IndexEntry {
  return Array.isArray(value) && value.length === 7 && typeof value[0] === "string" && value.slice(1).every(isCount);
}
