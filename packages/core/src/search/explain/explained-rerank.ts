import {
  fragmentAt,
  fragmentsOfPassage,
  type IndexedDocument,
  NO_FRAGMENT,
  windowFragmentOf,
} from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { ExplainedQuestion, ExplainedRerank, TokenMatch } from "../../model/explanation.ts";
import { must } from "../../model/must.ts";
import { meaningCounted } from "../fusion.ts";
import { compareWindows, type Reranking, windowsOfOrdinal } from "../rerank/compared-passages.ts";
import { closenessOf } from "../rerank/reranked-score.ts";
import { bestWindow, type ComparedWindow } from "../rerank/windows.ts";

/** Explains the rerank depth, the rerank weight, and the weight of each token of the question. */
export function explainRerank(
  { question, calibration }: Reranking,
  depth: number,
): NonNullable<ExplainedQuestion["rerank"]> {
  const wordPieces = question.wordPieces.map((wordPiece, i) => ({
    wordPiece,
    weight: must(question.weights[i], "the weight of a token"),
  }));
  return { documents: depth, weight: calibration.weight, wordPieces };
}

/**
 * Compares a passage or question variant with each token of the question. The similarity after reranking is left to the caller.
 * Undefined if its token codes are not stored, or must be read first.
 */
export function explainPassageRerank(
  index: SearchIndex,
  document: IndexedDocument,
  ordinal: number,
  reranking: Reranking,
): Omit<ExplainedRerank, "similarity"> | undefined {
  const tokenCodes = windowsOfOrdinal(index, document, ordinal, reranking);
  if (tokenCodes === undefined) return undefined;
  const { question, bytes, calibration } = reranking;
  const bits = bytes * 8;
  const windows = compareWindows(tokenCodes, reranking);
  const lines = linesOfWindows(index, document, ordinal, windows.length);
  const matches = question.wordPieces.map((fragment, token): TokenMatch => {
    const best = nearestWindow(windows, token);
    const closeness = 1 - (2 * distanceIn(windows[best], token)) / bits;
    return { wordPiece: fragment, closeness, ...lines[best] };
  });
  const closeness = closenessOf(bestWindow(windows, question.weights, bits), calibration);
  return { closeness: closeness * meaningCounted(ordinal, reranking), matches };
}

/** The first embedding window that a token of the question comes closest to. */
function nearestWindow(windows: readonly ComparedWindow[], token: number): number {
  let best = 0;
  for (const [i, window] of windows.entries()) {
    if (distanceIn(window, token) < distanceIn(windows[best], token)) best = i;
  }
  return best;
}

function distanceIn(window: ComparedWindow | undefined, token: number): number {
  return must(window?.least[token], "the distance of a token in a compared window");
}

interface Lines {
  readonly start: number;
  readonly stop: number;
}

/** The lines of each embedding window of a passage; empty for a question variant. */
function linesOfWindows(index: SearchIndex, document: IndexedDocument, ordinal: number, windows: number): Lines[] {
  const passage = ordinal - document.firstOrdinal - document.variantCount;
  if (passage < 0) return [];
  const [, last] = fragmentsOfPassage(document, passage);
  const end = index.windows.endOf(ordinal) - document.firstWindow;
  return Array.from({ length: windows }, (_, i) => {
    const window = end - windows + i;
    const from = windowFragmentOf(document, window);
    const next = window + 1 < end ? windowFragmentOf(document, window + 1) : last;
    const to = Math.max(from, (next === NO_FRAGMENT ? last : next) - 1);
    return { start: fragmentAt(document, from).startLine, stop: fragmentAt(document, to).stopLine };
  });
}
