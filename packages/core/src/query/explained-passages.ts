import type { ExplainedLook, ExplainedPassage, ExplainedScores } from "../domain/explanation.ts";
import { type IndexedDocument, ordinalCountOf, pieceAt, piecesOfPassage } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { scoresOf } from "./retrieval.ts";
import type { SearchIndex } from "./search-index.ts";

/** Every passage and wording of a document with the scores that the retrieval gives it, best first. `lookOf` tells by ordinal what the third look has found. */
export function explainPassages(
  index: SearchIndex,
  query: ParsedQuery,
  document: IndexedDocument,
  lookOf: (ordinal: number) => ExplainedLook | undefined,
): ExplainedPassage[] {
  const passages: ExplainedPassage[] = [];
  for (let i = 0; i < ordinalCountOf(document); i++) {
    const thirdLook = lookOf(document.firstOrdinal + i);
    const byTwo = explainScores(index, query, document.firstOrdinal + i);
    const scores = thirdLook === undefined ? byTwo : { ...byTwo, thirdLook };
    const text = i < document.wordingCount ? document.document.titles[i] : undefined;
    if (text !== undefined) passages.push({ kind: "wording", text, ...scores });
    else passages.push({ kind: "passage", ...linesOf(document, i - document.wordingCount), ...scores });
  }
  return passages.sort((a, b) => similarityOf(b) - similarityOf(a) || b.similarity - a.similarity || b.bm25 - a.bm25);
}

function similarityOf({ thirdLook, similarity }: ExplainedPassage): number {
  return thirdLook?.similarity ?? similarity;
}

function explainScores(index: SearchIndex, query: ParsedQuery, ordinal: number): ExplainedScores {
  const { bm25, lexical, cosine, similarity } = scoresOf(index, query, ordinal);
  const terms = index.lexical.termScores(query.lexical, ordinal);
  const { dense } = query;
  const isComparable = cosine !== undefined && dense !== undefined;
  return {
    bm25,
    lexical,
    ...(isComparable ? { cosine, calibrated: dense.calibrate(cosine) } : {}),
    similarity,
    terms,
  };
}

function linesOf(document: IndexedDocument, passage: number): { start: number; stop: number } {
  const [first, last] = piecesOfPassage(document, passage);
  let [start, stop] = [Number.POSITIVE_INFINITY, 0];
  for (let piece = first; piece < last; piece++) {
    const { startLine, stopLine } = pieceAt(document, piece);
    start = Math.min(start, startLine);
    stop = Math.max(stop, stopLine);
  }
  return { start, stop };
}
