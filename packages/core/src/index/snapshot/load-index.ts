import type { Analyzer } from "../../analysis/analyzer.ts";
import { joinContent } from "../../markdown/passages.ts";
import { INDEX_SECTION } from "../../model/derived-sections.ts";
import type { SearchableDocument } from "../../model/types.ts";
import { mapGrowthBytes } from "../../platform/heap-bytes.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { LoadedSection } from "../../storage/store.ts";
import {
  FRAGMENT_NUMBERS,
  fragmentCountOf,
  type IndexedDocument,
  NO_FRAGMENT,
  numberCount,
  ordinalCountOf,
  READINGS,
  windowCountOf,
  windowFragmentOf,
  windowOrdinalOf,
} from "../indexed-document.ts";
import { LexicalIndex } from "../postings/lexical-index.ts";
import { SearchIndex } from "../search-index.ts";
import { INDEX_VERSION, readIndexHeader } from "./stored-index.ts";

/**
 * Reads an index from a snapshot's sections, as sliced work. Returns an empty index if this version and analyzer can use none of them.
 * @param documentOf returns the document if this version of it is still current; others are left out, and the caller indexes them again
 * @param requireHeap is told the bytes that are about to be taken at once; what it throws ends the reading
 * @throws an error of any kind if the section makes no sense, whatever its checksum says: before more is reserved than it has bytes
 */
export function* indexFromSections(
  analyzer: Analyzer,
  sections: ReadonlyMap<string, LoadedSection>,
  documentOf: (id: string, version: number) => SearchableDocument | undefined,
  requireHeap: (bytes: number) => void = () => undefined,
): Sliced<SearchIndex> {
  const index = new SearchIndex(analyzer);
  const section = sections.get(INDEX_SECTION);
  if (section === undefined || section.version !== INDEX_VERSION) return index;
  const reader = new NumberReader(section.bytes);
  const headerBytes = (yield* reader.uint32(1))[0] as number;
  const header = yield* readIndexHeader(reader.bytes(headerBytes), section.bytes.length - 4 - headerBytes);
  if (header.analyzer !== analyzer.id) return index;
  const vocabulary = yield* termsIn(reader.bytes(header.vocabularyBytes));
  requireHeap(mapGrowthBytes(0, vocabulary.length));
  index.lexical = yield* LexicalIndex.restore({
    vocabulary,
    lengths: yield* reader.uint32(header.passages),
    starts: yield* reader.uint32(header.passages + 1),
    terms: yield* reader.uint32(header.postings),
    words: yield* reader.uint32(header.postings),
  });
  const numbers = new Numbers(yield* reader.uint32(header.uint32));
  const hashes = new Numbers(yield* reader.float64(header.float64));
  let firstOrdinal = 0;
  for (const [
    slot,
    [id, version, variantCount, titleCount, passages, fragments, windows, language],
  ] of header.documents.entries()) {
    const document = documentOf(id, version);
    const own = numbers.next(numberCount(passages, fragments, windows));
    const ownHashes = hashes.next(titleCount + fragments);
    if (index.versionOf(id) !== undefined) throw new RangeError(`The stored index has document ${id} twice.`);
    if (document !== undefined) {
      const indexed: IndexedDocument = {
        slot,
        document,
        version,
        language,
        markdown: joinContent(document.content),
        firstOrdinal,
        firstWindow: index.windows.next,
        ownVectors: 0,
        variantCount,
        titleCount,
        passageCount: passages,
        numbers: own,
        hashes: ownHashes,
      };
      yield* checkNumbers(indexed, fragments);
      yield* index.insert(indexed);
    } else {
      index.documents.freeSlot(slot);
      index.lexical.removeAll(firstOrdinal, firstOrdinal + variantCount + passages);
      yield* index.lexical.settle();
    }
    firstOrdinal += variantCount + passages;
    yield;
  }
  return index;
}

/** Throws unless all passages, fragments and windows of a document lie within it. */
function* checkNumbers(document: IndexedDocument, fragments: number): Sliced<void> {
  const { numbers, passageCount, markdown, variantCount, titleCount } = document;
  // All other numbers are found by this count. They are there: the array was cut to its length by the counts of the header.
  if (numbers[0] !== 0 || fragmentCountOf(document) !== fragments) throw unsound(document);
  let isSound = true;
  isSound &&= variantCount <= titleCount && titleCount <= document.document.titles.length;
  for (let i = 1; i <= passageCount; i++) isSound &&= (numbers[i] as number) >= (numbers[i - 1] as number);
  for (let fragment = 0, at = passageCount + 1; fragment < fragments; fragment++, at += FRAGMENT_NUMBERS) {
    if (fragment % SLICE_FRAGMENTS === SLICE_FRAGMENTS - 1) yield;
    const [startLine, startOffset] = [numbers[at] as number, numbers[at + 2] as number];
    isSound &&= startLine >= 1 && startLine <= (numbers[at + 1] as number);
    isSound &&= startOffset <= (numbers[at + 3] as number) && (numbers[at + 3] as number) <= markdown.length;
    isSound &&= (numbers[at + 4] as number) < READINGS.length;
  }
  const [ordinals, windows] = [ordinalCountOf(document), windowCountOf(document)];
  for (let window = 0; window < windows; window++) {
    const fragment = windowFragmentOf(document, window);
    isSound &&= windowOrdinalOf(document, window) < ordinals && (fragment < fragments || fragment === NO_FRAGMENT);
  }
  if (!isSound) throw unsound(document);
}

function unsound({ document }: IndexedDocument): RangeError {
  return new RangeError(`The stored index does not fit document ${document.id}.`);
}

/** Fragments of a document that are checked in a slice. */
const SLICE_FRAGMENTS = 1_000;

/** Decodes the vocabulary's terms, with a line break between each two. */
function* termsIn(bytes: Uint8Array): Sliced<string[]> {
  const terms: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(LINE_BREAK, at + SLICE_TEXT_BYTES);
    const end = found === -1 ? bytes.length : found;
    for (const term of decoder.decode(bytes.subarray(at, end)).split("\n")) terms.push(term);
    at = end + 1;
    yield;
  }
  return terms;
}

const LINE_BREAK = 10;
const SLICE_TEXT_BYTES = 8_192;
const SLICE_BYTES = 262_144;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/**
 * Hands out the numbers of many documents in order, as views of one array. An array for each document would take longer to make than all else. The
 * array stays in memory until all of these documents have been replaced or removed.
 */
class Numbers<Values extends Uint32Array | Float64Array> {
  readonly #values: Values;
  #at = 0;

  constructor(values: Values) {
    this.#values = values;
  }

  next(count: number): Values {
    const first = this.#at;
    this.#at += count;
    // Boundary: a subarray has the type of its array.
    return this.#values.subarray(first, this.#at) as Values;
  }
}

/** Reads values in order. Typed arrays are copied, since their bytes need not be aligned. */
class NumberReader {
  readonly #section: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#section = bytes;
  }

  *uint32(count: number): Sliced<Uint32Array> {
    return new Uint32Array(yield* this.#copy(count * 4));
  }

  *float64(count: number): Sliced<Float64Array> {
    return new Float64Array(yield* this.#copy(count * 8));
  }

  *#copy(length: number): Sliced<ArrayBuffer> {
    const taken = this.bytes(length);
    const copy = new Uint8Array(length);
    for (let at = 0; at < length; at += SLICE_BYTES) {
      copy.set(taken.subarray(at, at + SLICE_BYTES), at);
      yield;
    }
    return copy.buffer;
  }

  /** The next bytes, as a view of the section. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#section.length) throw new RangeError("The search index section ends too early.");
    const taken = this.#section.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
