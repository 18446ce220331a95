import { isRule } from "../markdown/line-marks.ts";
import type { Fragment, FragmentReading } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";
import { searchedText } from "../markdown/searched-text.ts";
import type { SearchableDocument } from "../model/types.ts";

/**
 * One version of a document as the index holds it. Its ordinals follow each other: first its wordings, then its passages.
 * Its parts, which have a vector each, follow each other as well: those of its wordings or of its title, then those of its passages.
 */
export interface IndexedDocument {
  readonly slot: number;
  /** Replaced when only metadata, url or status change. */
  document: SearchableDocument;
  /** Sequence number of the record that brought this version. */
  readonly version: number;
  /** That it is read in, where each document has its own. */
  language?: string | undefined;
  /** Its content blocks joined: spans are offsets in this. */
  readonly markdown: string;
  firstOrdinal: number;
  firstWindow: number;
  /** The first so many of its parts have their vectors from the bot's embedder; those of the others, if any, are the static embedder's. */
  ownVectors: number;
  /** Ways to ask for it that are retrieved on their own: a QNA's question and alternatives; none for other types. */
  readonly variantCount: number;
  readonly titleCount: number;
  readonly passageCount: number;
  /**
   * All in one, since each array has some 100 bytes of its own, and as they are stored:
   * - the first piece of each passage, and after the last the number of pieces;
   * - {@link FRAGMENT_NUMBERS} a piece: first line, last line, start and end offset, and which of {@link READINGS} it has;
   * - of each part, in order: the ordinal that it belongs to, counted from the document's first;
   * - of each part: the first piece that it holds any of, counted over the document; {@link NO_FRAGMENT} for a wording and the title.
   */
  readonly numbers: Uint32Array;
  /** Hash of the normal form of each title, then of each piece. */
  readonly hashes: Float64Array;
}

/** What tells of its passages, pieces and parts. */
export type PlacedNumbers = Pick<IndexedDocument, "passageCount" | "numbers">;

/** How many numbers a piece has. */
export const FRAGMENT_NUMBERS = 5;

/** How a piece may be read. Their order is stored. */
export const READINGS: readonly FragmentReading[] = ["text", "code", "html"];

/** Of a part that is no text of the document. */
export const NO_FRAGMENT = 0xffff_ffff;

/** How many {@link IndexedDocument.numbers} a document has. */
export function numberCount(passages: number, fragments: number, windows: number): number {
  return passages + 1 + fragments * FRAGMENT_NUMBERS + 2 * windows;
}

/** Number of ordinals. */
export function ordinalCountOf(document: IndexedDocument): number {
  return document.variantCount + document.passageCount;
}

/** Number of texts that have a vector each. */
export function windowCountOf(document: IndexedDocument): number {
  return (document.numbers.length - windowsStart(document)) / 2;
}

/** The ordinal of its part `window`, counted from the document's first. */
export function windowOrdinalOf(document: PlacedNumbers, window: number): number {
  return document.numbers[windowsStart(document) + window] ?? 0;
}

/** The first piece that its part `window` holds any of; {@link NO_FRAGMENT} for a wording, the title and what is no part of it. */
export function windowFragmentOf(document: PlacedNumbers, window: number): number {
  const { numbers } = document;
  return numbers[(windowsStart(document) + numbers.length) / 2 + window] ?? NO_FRAGMENT;
}

/** Whether its first part is its title. It belongs to the first passage. */
export function hasTitleWindow(document: IndexedDocument): boolean {
  return document.variantCount === 0 && windowCountOf(document) > 0 && windowFragmentOf(document, 0) === NO_FRAGMENT;
}

export function fragmentCountOf({ numbers, passageCount }: PlacedNumbers): number {
  return numbers[passageCount] ?? 0;
}

/** Where its numbers of parts begin. */
function windowsStart(document: PlacedNumbers): number {
  return document.passageCount + 1 + fragmentCountOf(document) * FRAGMENT_NUMBERS;
}

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

/** Whether a piece is the row above a table's dashes, and a row stands below them. */
export function isHeaderOfRows(document: IndexedDocument, fragment: number): boolean {
  if (fragment + 1 >= fragmentCountOf(document)) return false;
  const { numbers } = document;
  const next = document.passageCount + 1 + (fragment + 1) * FRAGMENT_NUMBERS;
  // Asked of every piece that may be quoted: hardly any has just one line below it.
  if (numbers[next] !== (numbers[next - FRAGMENT_NUMBERS + 1] ?? 0) + 2) return false;
  const { endOffset } = fragmentAt(document, fragment);
  const between = document.markdown.slice(endOffset, fragmentAt(document, fragment + 1).startOffset).trim();
  return between.includes("|") && isRule(between, 0);
}

/** The number of the passage that holds a piece. O(log passages). */
export function passageOfFragment({ numbers, passageCount }: PlacedNumbers, fragment: number): number {
  let [low, high] = [0, passageCount - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= fragment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The piece as it stands in the document. */
export function fragmentText(document: IndexedDocument, fragment: number): string {
  const { startOffset, endOffset } = fragmentAt(document, fragment);
  return document.markdown.slice(startOffset, endOffset);
}

/** The piece as its reader sees it, without marks. */
export function plainFragment(document: IndexedDocument, fragment: number): string {
  const { startOffset, endOffset, reading } = fragmentAt(document, fragment);
  return plainText(document.markdown.slice(startOffset, endOffset), reading);
}

/** The piece as its words are searched. */
export function searchedFragment(document: IndexedDocument, fragment: number): string {
  return searchedText(fragmentText(document, fragment), fragmentAt(document, fragment).reading);
}

/** The pieces `[first, last)` of a passage. */
export function fragmentsOfPassage(
  { numbers }: PlacedNumbers,
  passage: number,
): readonly [first: number, last: number] {
  return [numbers[passage] ?? 0, numbers[passage + 1] ?? 0];
}
