import { isRule } from "../markdown/line-marks.ts";
import type { Fragment, FragmentReading } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";
import { type PointsTo, pointsTo } from "../markdown/pointers.ts";
import { searchedText } from "../markdown/searched-text.ts";
import { must } from "../model/must.ts";
import type { SearchableDocument } from "../model/types.ts";

/**
 * One version of a document in the index.
 *
 * - Its ordinals are consecutive: its question variants first, then its passages.
 * - Its embedding windows are consecutive: those of its question variants or of its title first, then those of its passages.
 */
export interface IndexedDocument {
  readonly slot: number;
  /** Replaced when only metadata, url or status change. */
  document: SearchableDocument;
  /** Sequence number of the record that brought this version. */
  readonly version: number;
  /** The language that it is read in. Undefined where all documents are read in one language. */
  language?: string | undefined;
  /** Its content blocks, joined. Offsets of fragments count in this text, in UTF-16 units. */
  readonly markdown: string;
  firstOrdinal: number;
  firstWindow: number;
  /** Number of its first windows that have a vector of the bot's embedder. Later windows have one of the static embedder, or none. */
  ownVectors: number;
  /** Number of question variants that are retrieved on their own: a QNA's question and alternatives. 0 for other types. */
  readonly variantCount: number;
  readonly titleCount: number;
  readonly passageCount: number;
  /**
   * All numbers of the document in one array, as they are stored. Separate arrays would cost some 100 bytes each.
   *
   *     | passages + 1 | fragments × 5 | windows | windows |
   *
   * - of each passage: its first fragment; after the last: the number of fragments
   * - of each fragment, {@link FRAGMENT_NUMBERS} numbers: first line, last line, start offset, end offset, index into {@link READINGS}
   * - of each window: the ordinal that it belongs to, counted from the document's first
   * - of each window: the first fragment that it holds any of, counted over the document; {@link NO_FRAGMENT} for a question variant and the title
   */
  readonly numbers: Uint32Array;
  /** Hash of the normal form of each title, then of each fragment. */
  readonly hashes: Float64Array;
}

/** The fields that describe passages, fragments and embedding windows. */
export type PlacedNumbers = Pick<IndexedDocument, "passageCount" | "numbers">;

/** Numbers of one fragment. */
export const FRAGMENT_NUMBERS = 5;

/** The ways to read a fragment. Snapshots store the index into this list, so its order must stay. */
export const READINGS: readonly FragmentReading[] = ["text", "code", "html"];

/** First fragment of a window that holds none: of a question variant or the title. */
export const NO_FRAGMENT = 0xffff_ffff;

/** Length of {@link IndexedDocument.numbers}. */
export function numberCount(passages: number, fragments: number, windows: number): number {
  return passages + 1 + fragments * FRAGMENT_NUMBERS + 2 * windows;
}

/** Number of ordinals: of question variants and passages. */
export function ordinalCountOf(document: IndexedDocument): number {
  return document.variantCount + document.passageCount;
}

/** Number of embedding windows. */
export function windowCountOf(document: PlacedNumbers): number {
  return (document.numbers.length - windowsStart(document)) / 2;
}

/** The ordinal of the document's window `window`, counted from the document's first. */
export function windowOrdinalOf(document: PlacedNumbers, window: number): number {
  return numberAt(document, windowsStart(document), window, windowCountOf(document));
}

/** The first fragment that the document's window `window` holds any of. {@link NO_FRAGMENT} for a question variant and the title. */
export function windowFragmentOf(document: PlacedNumbers, window: number): number {
  const count = windowCountOf(document);
  return numberAt(document, windowsStart(document) + count, window, count);
}

/** Whether the first window is the title. It belongs to the first passage. */
export function hasTitleWindow(document: IndexedDocument): boolean {
  return document.variantCount === 0 && windowCountOf(document) > 0 && windowFragmentOf(document, 0) === NO_FRAGMENT;
}

/** Number of fragments. */
export function fragmentCountOf({ numbers, passageCount }: PlacedNumbers): number {
  return must(numbers[passageCount], "the number of fragments of a document");
}

/**
 * Number `at` of the `count` numbers of one kind, which stand from `start` on.
 * @throws an error for any other number: those before and behind are of another kind, and would be taken for lines
 */
function numberAt({ numbers }: PlacedNumbers, start: number, at: number, count: number): number {
  return must(at >= 0 && at < count ? numbers[start + at] : undefined, "a passage, fragment or window of a document");
}

/** Place in `numbers` where the windows begin. */
function windowsStart(document: PlacedNumbers): number {
  return document.passageCount + 1 + fragmentCountOf(document) * FRAGMENT_NUMBERS;
}

/** A fragment by its number in the document. */
export function fragmentAt(document: PlacedNumbers, fragment: number): Fragment {
  const { numbers, passageCount } = document;
  const [first, at] = [passageCount + 1, fragment * FRAGMENT_NUMBERS];
  // The other numbers of a fragment that is there stand behind the first.
  return {
    startLine: numberAt(document, first, at, fragmentCountOf(document) * FRAGMENT_NUMBERS),
    stopLine: numbers[first + at + 1] as number,
    startOffset: numbers[first + at + 2] as number,
    endOffset: numbers[first + at + 3] as number,
    reading: must(READINGS[numbers[first + at + 4] as number], "the reading of a fragment"),
  };
}

/** Whether a fragment is the header of a table: a line of dashes stands below it, and a row below that. */
export function isHeaderOfRows(document: IndexedDocument, fragment: number): boolean {
  if (fragment + 1 >= fragmentCountOf(document)) return false;
  const { numbers } = document;
  const next = document.passageCount + 1 + (fragment + 1) * FRAGMENT_NUMBERS;
  // Asked of every fragment that may be quoted. Hardly any has exactly one line between it and the next.
  if (numbers[next] !== (numbers[next - FRAGMENT_NUMBERS + 1] as number) + 2) return false;
  const { endOffset } = fragmentAt(document, fragment);
  const between = document.markdown.slice(endOffset, fragmentAt(document, fragment + 1).startOffset).trim();
  return between.includes("|") && isRule(between, 0);
}

/** The number of the passage that holds a fragment. O(log passages). */
export function passageOfFragment({ numbers, passageCount }: PlacedNumbers, fragment: number): number {
  // In bounds: the middle is above `low` and at most `high`.
  let [low, high] = [0, passageCount - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= fragment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A fragment as it stands in the document. */
export function fragmentText(document: IndexedDocument, fragment: number): string {
  const { startOffset, endOffset } = fragmentAt(document, fragment);
  return document.markdown.slice(startOffset, endOffset);
}

/** Where the text stands that a fragment only points to; undefined if the fragment says something itself. */
export function pointedTo(document: IndexedDocument, fragment: number): PointsTo | undefined {
  return fragmentAt(document, fragment).reading === "text" ? pointsTo(fragmentText(document, fragment)) : undefined;
}

/** A fragment as its reader sees it, without marks. */
export function plainFragment(document: IndexedDocument, fragment: number): string {
  const { startOffset, endOffset, reading } = fragmentAt(document, fragment);
  return plainText(document.markdown.slice(startOffset, endOffset), reading);
}

/** A fragment as the analyzer reads it. */
export function searchedFragment(document: IndexedDocument, fragment: number): string {
  return searchedText(fragmentText(document, fragment), fragmentAt(document, fragment).reading);
}

/** The fragments `[first, last)` of a passage. */
export function fragmentsOfPassage(document: PlacedNumbers, passage: number): readonly [first: number, last: number] {
  const { numbers, passageCount } = document;
  return [numberAt(document, 0, passage, passageCount), numbers[passage + 1] as number];
}
