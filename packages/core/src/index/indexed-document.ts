import { isRule } from "../markdown/line-marks.ts";
import type { Piece, PieceReading } from "../markdown/passages.ts";
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
  firstPart: number;
  /** The first so many of its parts have their vectors from the bot's embedder; those of the others, if any, are the student's. */
  ownVectors: number;
  /** Ways to ask for it that are retrieved on their own: a QNA's question and alternatives; none for other types. */
  readonly wordingCount: number;
  readonly titleCount: number;
  readonly passageCount: number;
  /**
   * All in one, since each array has some 100 bytes of its own, and as they are stored:
   * - the first piece of each passage, and after the last the number of pieces;
   * - {@link PIECE_NUMBERS} a piece: first line, last line, start and end offset, and which of {@link READINGS} it has;
   * - of each part, in order: the ordinal that it belongs to, counted from the document's first;
   * - of each part: the first piece that it holds any of, counted over the document; {@link NO_PIECE} for a wording and the title.
   */
  readonly numbers: Uint32Array;
  /** Hash of the normal form of each title, then of each piece. */
  readonly hashes: Float64Array;
}

/** What tells of its passages, pieces and parts. */
export type PlacedNumbers = Pick<IndexedDocument, "passageCount" | "numbers">;

/** How many numbers a piece has. */
export const PIECE_NUMBERS = 5;

/** How a piece may be read. Their order is stored. */
export const READINGS: readonly PieceReading[] = ["text", "code", "html"];

/** Of a part that is no text of the document. */
export const NO_PIECE = 0xffff_ffff;

/** How many {@link IndexedDocument.numbers} a document has. */
export function numberCount(passages: number, pieces: number, parts: number): number {
  return passages + 1 + pieces * PIECE_NUMBERS + 2 * parts;
}

/** Number of ordinals. */
export function ordinalCountOf(document: IndexedDocument): number {
  return document.wordingCount + document.passageCount;
}

/** Number of texts that have a vector each. */
export function partCountOf(document: IndexedDocument): number {
  return (document.numbers.length - partsStart(document)) / 2;
}

/** The ordinal of its part `part`, counted from the document's first. */
export function partOrdinalOf(document: PlacedNumbers, part: number): number {
  return document.numbers[partsStart(document) + part] ?? 0;
}

/** The first piece that its part `part` holds any of; {@link NO_PIECE} for a wording, the title and what is no part of it. */
export function partPieceOf(document: PlacedNumbers, part: number): number {
  const { numbers } = document;
  return numbers[(partsStart(document) + numbers.length) / 2 + part] ?? NO_PIECE;
}

/** Whether its first part is its title. It belongs to the first passage. */
export function hasTitlePart(document: IndexedDocument): boolean {
  return document.wordingCount === 0 && partCountOf(document) > 0 && partPieceOf(document, 0) === NO_PIECE;
}

export function pieceCountOf({ numbers, passageCount }: PlacedNumbers): number {
  return numbers[passageCount] ?? 0;
}

/** Where its numbers of parts begin. */
function partsStart(document: PlacedNumbers): number {
  return document.passageCount + 1 + pieceCountOf(document) * PIECE_NUMBERS;
}

export function pieceAt({ numbers, passageCount }: PlacedNumbers, piece: number): Piece {
  const at = passageCount + 1 + piece * PIECE_NUMBERS;
  return {
    startLine: numbers[at] ?? 0,
    stopLine: numbers[at + 1] ?? 0,
    startOffset: numbers[at + 2] ?? 0,
    endOffset: numbers[at + 3] ?? 0,
    reading: READINGS[numbers[at + 4] ?? 0] ?? "text",
  };
}

/** Whether a piece is the row above a table's dashes, and a row stands below them. */
export function isHeaderOfRows(document: IndexedDocument, piece: number): boolean {
  if (piece + 1 >= pieceCountOf(document)) return false;
  const { numbers } = document;
  const next = document.passageCount + 1 + (piece + 1) * PIECE_NUMBERS;
  // Asked of every piece that may be quoted: hardly any has just one line below it.
  if (numbers[next] !== (numbers[next - PIECE_NUMBERS + 1] ?? 0) + 2) return false;
  const { endOffset } = pieceAt(document, piece);
  const between = document.markdown.slice(endOffset, pieceAt(document, piece + 1).startOffset).trim();
  return between.includes("|") && isRule(between, 0);
}

/** The number of the passage that holds a piece. O(log passages). */
export function passageOfPiece({ numbers, passageCount }: PlacedNumbers, piece: number): number {
  let [low, high] = [0, passageCount - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= piece) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The piece as it stands in the document. */
export function pieceText(document: IndexedDocument, piece: number): string {
  const { startOffset, endOffset } = pieceAt(document, piece);
  return document.markdown.slice(startOffset, endOffset);
}

/** The piece as its reader sees it, without marks. */
export function plainPiece(document: IndexedDocument, piece: number): string {
  const { startOffset, endOffset, reading } = pieceAt(document, piece);
  return plainText(document.markdown.slice(startOffset, endOffset), reading);
}

/** The piece as its words are searched. */
export function searchedPiece(document: IndexedDocument, piece: number): string {
  return searchedText(pieceText(document, piece), pieceAt(document, piece).reading);
}

/** The pieces `[first, last)` of a passage. */
export function piecesOfPassage({ numbers }: PlacedNumbers, passage: number): readonly [first: number, last: number] {
  return [numbers[passage] ?? 0, numbers[passage + 1] ?? 0];
}
