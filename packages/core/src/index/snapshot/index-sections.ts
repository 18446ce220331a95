import { INDEX_SECTION } from "../../model/derived-sections.ts";
import { inSlices, SLICING, type Slicing } from "../../scheduling/in-slices.ts";
import type { SnapshotSection } from "../../storage/store.ts";
import { fragmentCountOf, type IndexedDocument, windowCountOf } from "../indexed-document.ts";
import type { LexicalCapture } from "../postings/lexical-capture.ts";
import type { SearchIndex } from "../search-index.ts";
import { INDEX_VERSION, type IndexEntry } from "./stored-index.ts";

/** Bytes of the largest number that is written. */
const NUMBER_BYTES = 8;

/** Terms that are encoded together. */
const TERMS_A_CHUNK = 500;

/** Entries of documents that are encoded together. */
const DOCUMENTS_A_CHUNK = 200;

/** The sections of the index as it is now, encoded slice by slice. Later changes of the index do not show in them. */
export function sectionsOf(index: SearchIndex, slicing: Slicing = SLICING): SnapshotSection[] {
  // A document's numbers are replaced, never changed, so they can be read later. Its first ordinal may change: the order is fixed now.
  const documents = [...index.documents].sort((a, b) => a.firstOrdinal - b.firstOrdinal);
  const chunks = encoded(index.analyzer.id, documents, index.lexical.capture(), slicing);
  return [{ name: INDEX_SECTION, version: INDEX_VERSION, chunks, isDerived: true }];
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
  yield* inSlices(numberFragments(lexical, documents, most), slicing);
}

/** The header's JSON, {@link DOCUMENTS_A_CHUNK} documents at a time: there may be a hundred thousand of them. */
function* headerPieces(
  analyzer: string,
  documents: readonly IndexedDocument[],
  counts: string,
): Generator<Uint8Array, void> {
  yield encoder.encode(`{"analyzer":${JSON.stringify(analyzer)},${counts},"documents":[\n`);
  for (let first = 0; first < documents.length; first += DOCUMENTS_A_CHUNK) {
    const entries = documents
      .slice(first, first + DOCUMENTS_A_CHUNK)
      .map(
        (document): IndexEntry => [
          document.document.id,
          document.version,
          document.variantCount,
          document.titleCount,
          document.passageCount,
          fragmentCountOf(document),
          windowCountOf(document),
          ...(document.language === undefined ? ([] as const) : ([document.language] as const)),
        ],
      );
    yield encoder.encode(`${first === 0 ? "" : ",\n"}${JSON.stringify(entries).slice(1, -1)}`);
  }
  yield encoder.encode("]}");
}

/** Yields of {@link LexicalCapture.prepare} that take as long as a slice. */
const SLICES_A_SLICE = 16;

/** An empty chunk, in place of a slice: the work took as long. */
const WORKED = new Uint8Array(0);

/** Encodes the terms, with a line break between each two. */
function* vocabularyPieces(lexical: LexicalCapture): Generator<Uint8Array, void> {
  let steps = 0;
  for (const _ of lexical.prepare()) if (++steps % SLICES_A_SLICE === 0) yield WORKED;
  let terms: string[] = [];
  let isFirst = true;
  const fragment = (): Uint8Array => encoder.encode(`${isFirst ? "" : "\n"}${terms.join("\n")}`);
  for (const term of lexical.vocabulary()) {
    terms.push(term);
    if (terms.length < TERMS_A_CHUNK) continue;
    yield fragment();
    terms = [];
    isFirst = false;
  }
  if (terms.length > 0) yield fragment();
}

/** Yields all numbers, at most `most` at a time. */
function* numberFragments(
  lexical: LexicalCapture,
  documents: readonly IndexedDocument[],
  most: number,
): Generator<Uint8Array, void> {
  for (const values of lexical.lengths(most)) yield bytesOf(values);
  for (const values of lexical.starts(most)) yield bytesOf(values);
  for (const values of lexical.termsOfPassages(most)) yield bytesOf(values);
  for (const values of lexical.wordsOfPassages(most)) yield bytesOf(values);
  for (const { numbers } of documents) yield* chunksOf(numbers, most);
  for (const { hashes } of documents) yield* chunksOf(hashes, most);
}

function* chunksOf(values: Uint32Array | Float64Array, most: number): Generator<Uint8Array, void> {
  for (let at = 0; at < values.length; at += most) yield bytesOf(values.subarray(at, at + most));
}

const encoder = new TextEncoder();

function lengthOf(fragments: readonly Uint8Array[]): number {
  return fragments.reduce((sum, fragment) => sum + fragment.length, 0);
}

function bytesOf(values: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
