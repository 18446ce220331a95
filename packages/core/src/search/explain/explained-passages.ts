import { fragmentAt, fragmentsOfPassage, type IndexedDocument, ordinalCountOf } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { ExplainedPassage, ExplainedRerank, ExplainedScores } from "../../model/explanation.ts";
import { sortedInSlices } from "../../scheduling/sorted.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { meaningCounted } from "../fusion.ts";
import type { ParsedQuery } from "../parsed-query.ts";
import { scoresOf } from "../retrieval.ts";

/** The rerank scores of a document, by ordinal. */
export interface ExplainedReranking {
  /** The matches of a passage; undefined if it was not compared. */
  readonly of: (ordinal: number) => ExplainedRerank | undefined;
  /** The similarity of a passage after reranking, also if it was not compared, from its hybrid score. */
  readonly similarityOf: (ordinal: number, hybrid: number) => number;
}

interface RankedPassage {
  readonly explained: ExplainedPassage;
  readonly reranked: number;
}

/** Operations to explain a passage, and those for each term of the question. */
const EXPLAINING_OPERATIONS = 256;
const EXPLAINED_TERM_OPERATIONS = 16;

/** Explains every passage and question variant of a document by its scores, best first after reranking. */
export function* explainPassages(
  index: SearchIndex,
  query: ParsedQuery,
  document: IndexedDocument,
  looks: ExplainedReranking,
): Sliced<ExplainedPassage[]> {
  const operations = EXPLAINING_OPERATIONS + query.lexical.terms.length * EXPLAINED_TERM_OPERATIONS;
  const passages: RankedPassage[] = [];
  for (let i = 0; i < ordinalCountOf(document); i++) {
    const ordinal = document.firstOrdinal + i;
    const rerank = looks.of(ordinal);
    const hybrid = explainScores(index, query, ordinal);
    const reranked = looks.similarityOf(ordinal, hybrid.similarity);
    const scores = rerank === undefined ? hybrid : { ...hybrid, rerank };
    const text = i < document.variantCount ? document.document.titles[i] : undefined;
    const explained: ExplainedPassage =
      text === undefined
        ? { kind: "passage", ...linesOf(document, i - document.variantCount), ...scores }
        : { kind: "variant", text, ...scores };
    passages.push({ explained, reranked });
    if (index.effort.shouldYield(operations)) yield;
  }
  const sorted = yield* sortedInSlices(passages, byRank);
  return sorted.map(({ explained }) => explained);
}

function byRank(
  { explained: a, reranked: aByAll }: RankedPassage,
  { explained: b, reranked: bByAll }: RankedPassage,
): number {
  return bByAll - aByAll || b.similarity - a.similarity || b.bm25 - a.bm25;
}

function explainScores(index: SearchIndex, query: ParsedQuery, ordinal: number): ExplainedScores {
  const { bm25, lexical, cosine, similarity } = scoresOf(index, query, ordinal);
  const terms = index.lexical.termScores(query.lexical, ordinal);
  const { dense } = query;
  const isComparable = cosine !== undefined && dense !== undefined;
  const meaningCounts = dense === undefined ? 1 : meaningCounted(ordinal, dense);
  return {
    bm25,
    lexical,
    ...(isComparable ? { cosine, calibrated: dense.calibrate(cosine) } : {}),
    ...(meaningCounts === 1 ? {} : { meaningCounts }),
    similarity,
    terms,
  };
}

function linesOf(document: IndexedDocument, passage: number): { start: number; stop: number } {
  const [first, last] = fragmentsOfPassage(document, passage);
  let [start, stop] = [Number.POSITIVE_INFINITY, 0];
  for (let fragment = first; fragment < last; fragment++) {
    const { startLine, stopLine } = fragmentAt(document, fragment);
    start = Math.min(start, startLine);
    stop = Math.max(stop, stopLine);
  }
  return { start, stop };
}
