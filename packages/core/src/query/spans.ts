import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../limits.ts";
import { normalForm } from "../markdown/normal-form.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { TextPart } from "../types.ts";
import { type IndexedDocument, pieceAt, pieceCountOf, piecesOfPassage, pieceText } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { DocumentHits } from "./retrieval.ts";

/** A piece that will be shown, with its similarity. */
interface ShownPiece {
  readonly piece: number;
  readonly similarity: number;
}

/**
 * What is quoted of a document: at most three pieces of its best passages, best first, no two sharing a line.
 * A match of the title is carried by the best piece, or by the document's first if none matches.
 */
export function textParts({ document, hits }: DocumentHits, query: ParsedQuery, analyzer: Analyzer): TextPart[] {
  let titleSimilarity = isExactTitle(document, query) ? 1 : 0;
  const shown: ShownPiece[] = exactPieces(document, query).map((piece) => ({ piece, similarity: 1 }));
  const inOrder = [...hits].sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal);
  for (const { ordinal, similarity } of inOrder) {
    const passage = ordinal - document.firstOrdinal - document.wordingCount;
    if (passage < 0) titleSimilarity = Math.max(titleSimilarity, similarity);
    else if (shown.length < CONSIDERED_MAX) {
      shown.push({ piece: bestPiece(document, passage, query, analyzer), similarity });
    }
  }
  if (shown.length === 0) shown.push({ piece: 0, similarity: 0 });

  const parts: TextPart[] = [];
  for (const { piece, similarity } of shown) {
    if (parts.length === TEXT_PARTS_MAX) break;
    const { startLine, stopLine } = pieceAt(document, piece);
    if (parts.some((part) => startLine <= part.stop && part.start <= stopLine)) continue;
    const text = pieceText(document, piece);
    const own = normalForm(text) === query.normalForm ? 1 : Math.min(similarity, SIMILARITY_INEXACT_MAX);
    const carried = parts.length === 0 ? Math.max(own, titleSimilarity) : own;
    parts.push({ text, similarity: carried, start: startLine, stop: stopLine });
  }
  return parts;
}

/** Pieces of one long line share it: more than three passages are looked at, so that three parts can be found. */
const CONSIDERED_MAX = 12;

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
    if (document.hashes[document.titleCount + piece] !== query.normalFormHash) continue;
    if (normalForm(pieceText(document, piece)) === query.normalForm) pieces.push(piece);
  }
  return pieces;
}
