import { type IndexedDocument, NO_PIECE, partPieceOf, pieceAt, piecesOfPassage } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { ExplainedLook, ExplainedQuestion, TokenMatch } from "../../model/explanation.ts";
import { meaningCounted } from "../fusion.ts";
import { compareParts, partsOfOrdinal, type ThirdLook } from "../rerank/compared-passages.ts";
import { DOCUMENTS_LOOKED_AT } from "../rerank/rerank.ts";
import { closenessOf } from "../rerank/reranked-score.ts";
import { bestWindow, type ComparedPart } from "../rerank/windows.ts";

/** How the tokens of a question count. */
export function explainThirdLook({ question, calibration }: ThirdLook): NonNullable<ExplainedQuestion["thirdLook"]> {
  const pieces = question.wordPieces.map((piece, i) => ({ piece, weight: question.weights[i] ?? 0 }));
  return { documents: DOCUMENTS_LOOKED_AT, weight: calibration.weight, wordPieces: pieces };
}

/** What the third look has found in a passage or wording, without what all looks make of it; undefined where its signs are not at hand. */
export function explainLook(
  index: SearchIndex,
  document: IndexedDocument,
  ordinal: number,
  look: ThirdLook,
): Omit<ExplainedLook, "similarity"> | undefined {
  const signs = partsOfOrdinal(index, document, ordinal, look);
  if (signs === undefined) return undefined;
  const { question, bytes, calibration } = look;
  const bits = bytes * 8;
  const parts = compareParts(signs, look);
  const lines = linesOfParts(index, document, ordinal, parts.length);
  const matches = question.wordPieces.map((piece, token): TokenMatch => {
    const best = nearestPart(parts, token);
    const closeness = 1 - (2 * (parts[best]?.least[token] ?? bits)) / bits;
    return { piece, closeness, ...lines[best] };
  });
  const closeness = closenessOf(bestWindow(parts, question.weights, bits), calibration);
  return { closeness: closeness * meaningCounted(ordinal, look), matches };
}

/** The first part that a token of the question comes closest to. */
function nearestPart(parts: readonly ComparedPart[], token: number): number {
  let best = 0;
  for (const [i, { least }] of parts.entries()) {
    if ((least[token] ?? 0) < (parts[best]?.least[token] ?? 0)) best = i;
  }
  return best;
}

interface Lines {
  readonly start: number;
  readonly stop: number;
}

/** The lines of each part of a passage; none for a wording. */
function linesOfParts(index: SearchIndex, document: IndexedDocument, ordinal: number, parts: number): Lines[] {
  const passage = ordinal - document.firstOrdinal - document.wordingCount;
  if (passage < 0) return [];
  const [, last] = piecesOfPassage(document, passage);
  const end = index.parts.endOf(ordinal) - document.firstPart;
  return Array.from({ length: parts }, (_, i) => {
    const part = end - parts + i;
    const from = partPieceOf(document, part);
    const next = part + 1 < end ? partPieceOf(document, part + 1) : last;
    const to = Math.max(from, (next === NO_PIECE ? last : next) - 1);
    return { start: pieceAt(document, from).startLine, stop: pieceAt(document, to).stopLine };
  });
}
