import { languageOf } from "../../model/language-tags.ts";
import { isCount } from "../../model/validation.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { FRAGMENT_NUMBERS } from "../indexed-document.ts";

/**
 * The search index in a snapshot: which passages every document has, and the terms of each. All of it can be made
 * again from the documents, so an index of another version, analyzer or make is simply not taken.
 *
 *     | n: u32 | header: n bytes of JSON | vocabulary, a line break between each two terms |
 *     | lengths of passages | starts of passages, and the end | terms | words | u32 each
 *     | for each document: passage starts, spans, ordinals and pieces of parts: u32 each | hashes of each document: f64 each |
 *
 * The header is one JSON object. A line break comes before its first document and then after some hundreds of them each, so that it can be
 * read in pieces; JSON has none in its strings. One without line breaks, as they were written before, is read at once.
 */

/** Raised whenever the same document would be cut, analysed or encoded in another way. */
export const INDEX_VERSION = 9;

/** What the header says of a document, in the order of its ordinals. */
export type IndexEntry = readonly [
  id: string,
  version: number,
  variants: number,
  titles: number,
  passages: number,
  fragments: number,
  windows: number,
  /** Where each document has its own. */
  language?: string,
];

export interface IndexHeader extends IndexCounts {
  readonly documents: readonly IndexEntry[];
  /** Numbers of all documents. */
  readonly uint32: number;
  readonly float64: number;
}

interface IndexCounts {
  readonly analyzer: string;
  readonly vocabularyBytes: number;
  readonly postings: number;
  readonly passages: number;
}

const LINE_BREAK = 10;
/** What the header's first line lacks of being JSON, and its last has too much for being a list of documents. */
const END = "]}";

/**
 * Reads a header, and compares what it says with what follows it: so nothing is reserved that is not there.
 * @throws SyntaxError, RangeError or TypeError if no index can follow it
 */
export function* readIndexHeader(header: Uint8Array, bytesBehind: number): Sliced<IndexHeader> {
  const lines = linesOf(header);
  const first = lines.next().value ?? "";
  const head: unknown = JSON.parse(first.endsWith(END) ? first : `${first}${END}`);
  if (!isHead(head)) throw refusal();
  const documents: IndexEntry[] = [];
  let [uint32, float64, ordinals] = [0, 0, 0];
  const take = (entries: readonly unknown[]): void => {
    for (const entry of entries) {
      if (!isIndexEntry(entry)) throw refusal();
      const [, , variants, , passages] = entry;
      const counts = countsBehind(entry);
      uint32 += counts.uint32;
      float64 += counts.float64;
      ordinals += variants + passages;
      documents.push(entry);
    }
  };
  take(head.documents);
  for (const line of lines) {
    yield;
    const entries: unknown = JSON.parse(`[${line.endsWith(END) ? line.slice(0, -END.length) : line.slice(0, -1)}]`);
    if (!Array.isArray(entries)) throw refusal();
    take(entries);
  }
  const { analyzer, vocabularyBytes, postings, passages } = head;
  const bytes = vocabularyBytes + 4 * (2 * passages + 1 + uint32) + 8 * (postings + float64);
  if (ordinals !== passages) throw new RangeError("The documents of the stored index have other passages.");
  if (bytes !== bytesBehind) throw new RangeError(`The stored index has ${bytesBehind} bytes instead of ${bytes}.`);
  return { analyzer, vocabularyBytes, postings, passages, documents, uint32, float64 };
}

function* linesOf(bytes: Uint8Array): Generator<string, void> {
  for (let at = 0; at <= bytes.length; ) {
    const found = bytes.indexOf(LINE_BREAK, at);
    const end = found === -1 ? bytes.length : found;
    yield decoder.decode(bytes.subarray(at, end));
    at = end + 1;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

function refusal(): RangeError {
  return new RangeError("The header of the stored index is none.");
}

/** How many numbers of each kind stand behind the header for a document. */
function countsBehind([, , , titles, passages, fragments, windows]: IndexEntry): {
  readonly uint32: number;
  readonly float64: number;
} {
  return { uint32: passages + 1 + fragments * FRAGMENT_NUMBERS + windows * 2, float64: titles + fragments };
}

function isHead(value: unknown): value is IndexCounts & { readonly documents: readonly unknown[] } {
  if (typeof value !== "object" || value === null) return false;
  return (
    "analyzer" in value &&
    typeof value.analyzer === "string" &&
    "documents" in value &&
    Array.isArray(value.documents) &&
    "vocabularyBytes" in value &&
    isCount(value.vocabularyBytes) &&
    "postings" in value &&
    isCount(value.postings) &&
    "passages" in value &&
    isCount(value.passages)
  );
}

function isIndexEntry(value: unknown): value is IndexEntry {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !value.slice(1, 7).every(isCount)) return false;
  return (
    value.length === 7 || (value.length === 8 && typeof value[7] === "string" && languageOf(value[7]) !== undefined)
  );
}
