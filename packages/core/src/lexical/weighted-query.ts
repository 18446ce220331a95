import type { CloseTerm } from "./close-terms.ts";

/** A term of a query with what it is worth. */
export interface QueryTerm {
  /** Its number in the index. */
  readonly term: number;
  /** share · qtf · idf · (k1 + 1): what no passage can gain more than by it. */
  readonly weight: number;
  /** Passages that hold it; where several terms stand for it, the sum over them. */
  readonly frequency: number;
  /** The terms that stand for a word that no passage holds, `term` the first of them. Their occurrences are counted as those of one term. */
  readonly close?: readonly CloseTerm[];
}

/** A query's terms, each once, with what they are worth in this index as it stands. */
export interface WeightedQuery {
  /** Those that some passage holds, or terms close to them, the heaviest first. No term of the index stands in two of them. */
  readonly terms: readonly QueryTerm[];
  /** The weights by term of the index. */
  readonly byTerm: ReadonlyMap<string, number>;
  /** What no passage can exceed: the sum over all terms, also those that no passage holds. 0 for a query without terms. */
  readonly upperBound: number;
  /** The sum over the terms that some passage holds, or terms close to them, divided by `upperBound`. */
  readonly knownShare: number;
}
