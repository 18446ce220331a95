import {
  type IndexedDocument,
  isHeaderOfRows,
  pieceAt,
  pieceCountOf,
  piecesOfPassage,
  pieceText,
} from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Piece } from "../markdown/passages.ts";
import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../model/limits.ts";
import type { TextPart } from "../model/types.ts";
import { type ScoredPiece, scoredPieces } from "./fragment-worths.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { type DocumentHits, type Hit, PASSAGES_QUOTED_MAX } from "./retrieval.ts";

/**
 * What is quoted of a document: at most three pieces of its best passages, best first, no two sharing a line.
 * A match of the title is carried by the best piece, or by the document's first if none matches. What is worth less than `least` is not looked at: by default what cannot be quoted.
 */
export function textParts(
  found: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least = leastQuoted(found),
): TextPart[] {
  const { document } = found;
  const titled = titleSimilarity(found);
  const parts: TextPart[] = [];
  for (const { piece, similarity } of withoutHeaders(document, bestPieces(found, query, index, least))) {
    if (parts.length === TEXT_PARTS_MAX) break;
    const { startLine, stopLine } = pieceAt(document, piece);
    if (parts.some((part) => startLine <= part.stop && part.start <= stopLine)) continue;
    const carried = parts.length === 0 ? Math.max(similarity, titled) : similarity;
    parts.push({ text: pieceText(document, piece), similarity: carried, start: startLine, stop: stopLine });
  }
  return parts;
}

/**
 * The names of columns say nothing by themselves: their row is quoted where none of its table is, or where it is what was asked for. Else the best
 * row of the table has its similarity, by which documents are ordered: a row is found by the names of its columns as well.
 */
function withoutHeaders(document: IndexedDocument, scored: readonly ScoredPiece[]): readonly ScoredPiece[] {
  let shown = scored;
  for (const header of scored) {
    if (header.similarity > SIMILARITY_INEXACT_MAX || !isHeaderOfRows(document, header.piece)) continue;
    const row = shown.find(({ piece }) => isInTableOf(document, header.piece, piece));
    if (row === undefined) continue;
    const raised = { ...row, similarity: Math.max(row.similarity, header.similarity) };
    shown = shown.flatMap((each) => (each === header ? [] : [each === row ? raised : each]));
  }
  return shown === scored ? scored : [...shown].sort((a, b) => b.similarity - a.similarity);
}

/** Whether all lines from a header on to a piece are rows, a piece each, but for the dashes. */
function isInTableOf(document: IndexedDocument, header: number, piece: number): boolean {
  return (
    piece > header && pieceAt(document, piece).startLine - pieceAt(document, header).startLine === piece - header + 1
  );
}

/** Pieces that may be shown, best first: those that equal the query, those of the best passages, and if there are none the first. */
function bestPieces(
  { document, passages, equal }: DocumentHits,
  query: ParsedQuery,
  index: SearchIndex,
  least: number,
): readonly ScoredPiece[] {
  // Nothing is quoted before what equals the query.
  if (equal.pieces.length === TEXT_PARTS_MAX) return equal.pieces.map((piece) => ({ piece, similarity: 1 }));
  const scored: ScoredPiece[] = [];
  for (const hit of passages) {
    if (hit.similarity < least) break;
    const better = scored.filter(({ similarity }) => similarity >= hit.similarity);
    // No piece of a passage is better than the passage: what is better already leaves no room for it.
    if (better.length >= PASSAGES_QUOTED_MAX || (equal.pieces.length === 0 && areQuoted(document, better, hit))) break;
    scored.push(...scoredPieces(document, hit, query, index, least));
  }
  scored.sort(byWorth);
  if (equal.pieces.length === 0) return scored.length > 0 ? scored : [{ piece: 0, similarity: 0 }];
  const exact = new Set(equal.pieces);
  const found = equal.pieces.map((piece) => ({ piece, similarity: 1 }));
  for (const each of scored) if (!exact.has(each.piece)) found.push(each);
  return found;
}

function byWorth(a: ScoredPiece, b: ScoredPiece): number {
  return b.similarity - a.similarity || a.piece - b.piece;
}

/**
 * Whether as many of these pieces are quoted before any of a passage as there may be. Not known where names of columns are among them: a row of their table, which may
 * still come, is quoted for them.
 */
function areQuoted(document: IndexedDocument, pieces: ScoredPiece[], { similarity }: Hit): boolean {
  if (pieces.length < TEXT_PARTS_MAX) return false;
  const quoted: Lines[] = [];
  for (const each of pieces.sort(byWorth)) {
    if (each.similarity === similarity) break;
    if (isHeaderOfRows(document, each.piece)) return false;
    const lines = pieceAt(document, each.piece);
    if (!quoted.some((other) => shareLine(lines, other))) quoted.push(lines);
  }
  return quoted.length >= TEXT_PARTS_MAX;
}

/**
 * No piece with less than this is quoted: as many passages as there may be quotes bring a piece that is as good, each in lines of its own. 0 where that is not known: names
 * of columns are not quoted themselves, and a line that goes over from one passage to the next is quoted once.
 */
function leastQuoted({ document, passages }: DocumentHits): number {
  const last = passages[TEXT_PARTS_MAX - 1];
  if (last === undefined) return 0;
  return passages.every(({ ordinal }) => hasItsOwnLines(document, ordinal)) ? last.similarity : 0;
}

/** Whether no piece of a passage shares a line with another passage, or is the names of columns. */
function hasItsOwnLines(document: IndexedDocument, ordinal: number): boolean {
  const [first, last] = piecesOfPassage(document, ordinal - document.firstOrdinal - document.wordingCount);
  if (first > 0 && pieceAt(document, first - 1).stopLine >= pieceAt(document, first).startLine) return false;
  if (last < pieceCountOf(document) && pieceAt(document, last).startLine <= pieceAt(document, last - 1).stopLine)
    return false;
  for (let piece = first; piece < last; piece++) if (isHeaderOfRows(document, piece)) return false;
  return true;
}

type Lines = Pick<Piece, "startLine" | "stopLine">;

function shareLine(a: Lines, b: Lines): boolean {
  return a.startLine <= b.stopLine && b.startLine <= a.stopLine;
}

/** How well the title, or the best of a QNA's wordings, matches; a title that is no wording counts only when it equals the query. */
function titleSimilarity({ wording, equal }: DocumentHits): number {
  return equal.title ? 1 : wording;
}
