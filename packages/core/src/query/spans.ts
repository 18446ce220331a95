import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../limits.ts";
import { normalForm } from "../markdown/normal-form.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { TextPart } from "../types.ts";
import { type IndexedDocument, pieceAt, pieceCountOf, piecesOfPassage, pieceText } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { DocumentHits, Hit } from "./retrieval.ts";

/**
 * What is quoted of a document: at most three pieces of its best passages, best first, no two sharing a line.
 * A match of the title is carried by the best piece, or by the document's first if none matches.
 */
export function textParts({ document, hits }: DocumentHits, query: ParsedQuery, analyzer: Analyzer): TextPart[] {
  const inOrder = [...hits].sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal);
  const firstPassage = document.firstOrdinal + document.wordingCount;
  const parts: TextPart[] = [];
  const show = (piece: number, similarity: number): void => {
    const { startLine, stopLine } = pieceAt(document, piece);
    if (parts.some((part) => startLine <= part.stop && part.start <= stopLine)) return;
    const text = pieceText(document, piece);
    const own = equalsQuery(document, piece, query) ? 1 : Math.min(similarity, SIMILARITY_INEXACT_MAX);
    const carried = parts.length === 0 ? Math.max(own, titleSimilarity(document, inOrder, query)) : own;
    parts.push({ text, similarity: carried, start: startLine, stop: stopLine });
  };
  for (const piece of exactPieces(document, query)) if (parts.length < TEXT_PARTS_MAX) show(piece, 1);
  for (const { ordinal, similarity } of inOrder) {
    if (parts.length === TEXT_PARTS_MAX) break;
    if (ordinal >= firstPassage) show(bestPiece(document, ordinal - firstPassage, query, analyzer), similarity);
  }
  if (parts.length === 0) show(0, 0);
  return parts;
}

/** How well the title, or the best of a QNA's wordings, matches; a title that is no wording counts only when it equals the query. */
function titleSimilarity(document: IndexedDocument, inOrder: readonly Hit[], query: ParsedQuery): number {
  if (isExactTitle(document, query)) return 1;
  const end = document.firstOrdinal + document.wordingCount;
  return inOrder.find(({ ordinal }) => ordinal < end)?.similarity ?? 0;
}

/** The piece of a passage that holds most of the query's weight; the first of equals. */
function bestPiece(document: IndexedDocument, passage: number, query: ParsedQuery, analyzer: Analyzer): number {
  const [first, last] = piecesOfPassage(document, passage);
  if (last - first === 1) return first;
  let best = first;
  let bestWeight = -1;
  for (let piece = first; piece < last; piece++) {
    let weight = 0;
    for (const term of new Set(analyzer.terms(plainText(pieceText(document, piece))))) {
      weight += query.termWeights.get(term) ?? 0;
    }
    if (weight > bestWeight) {
      best = piece;
      bestWeight = weight;
    }
  }
  return best;
}

function isExactTitle(document: IndexedDocument, query: ParsedQuery): boolean {
  return document.document.titles.some(
    (title, i) => document.hashes[i] === query.normalFormHash && normalForm(title) === query.normalForm,
  );
}

function exactPieces(document: IndexedDocument, query: ParsedQuery): number[] {
  const pieces: number[] = [];
  for (let piece = 0; piece < pieceCountOf(document); piece++) {
    if (equalsQuery(document, piece, query)) pieces.push(piece);
  }
  return pieces;
}

function equalsQuery(document: IndexedDocument, piece: number, query: ParsedQuery): boolean {
  const hash = document.hashes[document.titleCount + piece];
  return hash === query.normalFormHash && normalForm(pieceText(document, piece)) === query.normalForm;
}
