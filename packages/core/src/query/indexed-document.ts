import type { SearchableDocument } from "../domain/types.ts";
import { isRule } from "../markdown/line-marks.ts";
import type { Piece, PieceReading } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";

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
  /** First piece of each passage, and after the last the number of pieces. */
  readonly passageStarts: Uint32Array;
  /** {@link PIECE_NUMBERS} a piece: first line, last line, start and end offset, and which of {@link READINGS} it has. */
  readonly spans: Uint32Array;
  /** Hash of the normal form of each title, then of each piece. */
  readonly hashes: Float64Array;
  /** Of what has a vector, in order: the ordinal that it belongs to, counted from the document's first. */
  readonly partOrdinals: Uint32Array;
  /** The first piece that it holds any of, counted over the document; {@link NO_PIECE} for a wording and the title. */
  readonly partPieces: Uint32Array;
}

/** How many numbers a piece has. */
export const PIECE_NUMBERS = 5;

/** How a piece may be read. Their order is stored. */
export const READINGS: readonly PieceReading[] = ["text", "code", "html"];

/** Of a part that is no text of the document. */
export const NO_PIECE = 0xffff_ffff;

/** Number of text passages. */
export function passageCountOf(document: IndexedDocument): number {
  return document.passageStarts.length - 1;
}

/** Number of ordinals. */
export function ordinalCountOf(document: IndexedDocument): number {
  return document.wordingCount + passageCountOf(document);
}

/** Number of texts that have a vector each. */
export function partCountOf(document: IndexedDocument): number {
  return document.partOrdinals.length;
}

/** Whether its first part is its title. It belongs to the first passage. */
export function hasTitlePart({ wordingCount, partPieces }: IndexedDocument): boolean {
  return wordingCount === 0 && partPieces[0] === NO_PIECE;
}

export function pieceCountOf(document: IndexedDocument): number {
  return document.spans.length / PIECE_NUMBERS;
}

export function pieceAt(document: IndexedDocument, piece: number): Piece {
  const at = piece * PIECE_NUMBERS;
  const { spans } = document;
  return {
    startLine: spans[at] ?? 0,
    stopLine: spans[at + 1] ?? 0,
    startOffset: spans[at + 2] ?? 0,
    endOffset: spans[at + 3] ?? 0,
    reading: READINGS[spans[at + 4] ?? 0] ?? "text",
  };
}

/** Whether a piece is the row above a table's dashes, and a row stands below them. */
export function isHeaderOfRows(document: IndexedDocument, piece: number): boolean {
  const { stopLine, endOffset } = pieceAt(document, piece);
  if (piece + 1 >= pieceCountOf(document) || pieceAt(document, piece + 1).startLine !== stopLine + 2) return false;
  const between = document.markdown.slice(endOffset, pieceAt(document, piece + 1).startOffset).trim();
  return between.includes("|") && isRule(between, 0);
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

/** The pieces `[first, last)` of a passage. */
export function piecesOfPassage(document: IndexedDocument, passage: number): readonly [first: number, last: number] {
  return [document.passageStarts[passage] ?? 0, document.passageStarts[passage + 1] ?? 0];
}
