import { isRule } from "../markdown/line-marks.ts";
import type { Fragment, FragmentReading } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";
import { searchedText } from "../markdown/searched-text.ts";
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
export function windowCountOf(document: IndexedDocument): number {
  return (document.numbers.length - windowsStart(document)) / 2;
}

/** The ordinal of the document's window `window`, counted from the document's first. */
export function windowOrdinalOf(document: PlacedNumbers, window: number): number {
  return document.numbers[windowsStart(document) + window] ?? 0;
}

/**
 * The first fragment that the document's window `window` holds any of. {@link NO_FRAGMENT} for a question variant, the title, and a number behind
 * the last window.
 */
export function windowFragmentOf(document: PlacedNumbers, window: number): number {
  const { numbers } = document;
  return numbers[(windowsStart(document) + numbers.length) / 2 + window] ?? NO_FRAGMENT;
}

/** Whether the first window is the title. It belongs to the first passage. */
export function hasTitleWindow(document: IndexedDocument): boolean {
  return document.variantCount === 0 && windowCountOf(document) > 0 && windowFragmentOf(document, 0) === NO_FRAGMENT;
}

/** Number of fragments. */
export function fragmentCountOf({ numbers, passageCount }: PlacedNumbers): number {
  return numbers[passageCount] ?? 0;
}

/** Place in `numbers` where the windows begin. */
function windowsStart(document: PlacedNumbers): number {
  return document.passageCount + 1 + fragmentCountOf(document) * FRAGMENT_NUMBERS;
}

/** A fragment by its number in the document. */
export function fragmentAt({ numbers, passageCount }: PlacedNumbers, fragment: number): Fragment {
  const at = passageCount + 1 + fragment * FRAGMENT_NUMBERS;
  return {
    startLine: numbers[at] ?? 0,
    stopLine: numbers[at + 1] ?? 0,
    startOffset: numbers[at + 2] ?? 0,
    endOffset: numbers[at + 3] ?? 0,
    reading: READINGS[numbers[at + 4] ?? 0] ?? "text",
  };
}

/** Whether a fragment is the header of a table: a line of dashes stands below it, and a row below that. */
export function isHeaderOfRows(document: IndexedDocument, fragment: number): boolean {
  if (fragment + 1 >= fragmentCountOf(document)) return false;
  const { numbers } = document;
  const next = document.passageCount + 1 + (fragment + 1) * FRAGMENT_NUMBERS;
  // Asked of every fragment that may be quoted. Hardly any has exactly one line between it and the next.
  if (numbers[next] !== (numbers[next - FRAGMENT_NUMBERS + 1] ?? 0) + 2) return false;
  const { endOffset } = fragmentAt(document, fragment);
  const between = document.markdown.slice(endOffset, fragmentAt(document, fragment + 1).startOffset).trim();
  return between.includes("|") && isRule(between, 0);
}

/** The number of the passage that holds a fragment. O(log passages). */
export function passageOfFragment({ numbers, passageCount }: PlacedNumbers, fragment: number): number {
  let [low, high] = [0, passageCount - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= fragment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A fragment as it stands in the document. */
export function fragmentText(document: IndexedDocument, fragment: number): string {
  const { startOffset, endOffset } = fragmentAt(document, fragment);
  return document.markdown.slice(startOffset, endOffset);
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
export function fragmentsOfPassage(
  { numbers }: PlacedNumbers,
  passage: number,
): readonly [first: number, last: number] {
  return [numbers[passage] ?? 0, numbers[passage + 1] ?? 0];
}
