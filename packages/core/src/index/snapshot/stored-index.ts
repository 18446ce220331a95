import { languageOf } from "../../model/language-tags.ts";
import { isCount } from "../../model/validation.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { FRAGMENT_NUMBERS } from "../indexed-document.ts";

/**
 * The format of the search index in a snapshot: the passages of every document, and the terms of each passage. All of it can be made again from the
 * documents. An index of another version or analyzer is not read.
 *
 *     | n: u32 | header: n bytes of JSON | vocabulary, a line break between each two terms |
 *     | lengths of passages | starts of passages, and the end | terms | words | u32 each
 *     | of each document: first fragments of passages, fragments, ordinals and first fragments of windows: u32 each |
 *     | of each document: hashes: f64 each |
 *
 * The header is one JSON object. A line break stands before its first document and after every few hundred, so that it can be read in slices. JSON
 * strings hold no line breaks. A header of an older version without line breaks is read at once.
 */

/** Version of the stored index. Raised when the same document would be cut, analyzed or encoded in another way. */
export const INDEX_VERSION = 9;

/** The header's entry of a document. Entries stand in the order of the documents' ordinals. */
export type IndexEntry = readonly [
  id: string,
  version: number,
  variants: number,
  titles: number,
  passages: number,
  fragments: number,
  windows: number,
  /** Only where each document has its own. */
  language?: string,
];

export interface IndexHeader extends IndexCounts {
  readonly documents: readonly IndexEntry[];
  /** Number of 32-bit numbers of all documents; `float64` is that of their hashes. */
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
/** The end of the header's JSON. The first line lacks it; the last line has it behind its documents. */
const END = "]}";

/** Reads a header, and compares its counts with the number of bytes behind it: so nothing is reserved that is not there. */
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

/** Number of values of each type that stand behind the header for a document. */
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
