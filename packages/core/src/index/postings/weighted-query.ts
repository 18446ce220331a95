import type { CloseTerm } from "./close-terms.ts";

/** A term of a query with what it is worth. */
export interface QueryTerm {
  /** As the query has it. */
  readonly text: string;
  /** Its number in the index. */
  readonly term: number;
  /** share · qtf · idf · (k1 + 1): what no passage can gain more than by it. */
  readonly weight: number;
  /** Passages that hold it; where several terms stand for it, at most the sum over them. */
  readonly frequency: number;
  /** Where several terms stand for a word, `term` the first of them. Their occurrences are counted as those of one term. */
  readonly close?: readonly CloseTerm[];
}

/** A distinct term of a query, whether or not any passage holds it. */
export interface AskedTerm {
  readonly text: string;
  /** How often it stands in the query. */
  readonly count: number;
  /** Passages that hold it, or the terms that stand for it. */
  readonly frequency: number;
  readonly idf: number;
  /** What it adds to the upper bound: share · count · idf · (k1 + 1). */
  readonly weight: number;
  /** The terms of the index that stand for it: where no passage holds it, those close to its word, the closest first; else those that it is a part of. */
  readonly meant: readonly string[];
}

/** A query's terms, each once, with what they are worth in this index as it stands. */
export interface WeightedQuery {
  /** All of its terms, in the order of the query; those that no passage holds last. */
  readonly asked: readonly AskedTerm[];
  /**
   * Those that some passage holds, or terms close to them, and those of codes in other spellings, the heaviest first. A term of the index stands in two of them only as a
   * compound of both.
   */
  readonly terms: readonly QueryTerm[];
  /** The weights by term of the index: what it counts in all. */
  readonly byTerm: ReadonlyMap<string, number>;
  /**
   * The sum over all terms that were asked for, also those that no passage holds; 0 for a query without terms. No passage can exceed it but one that holds a code in
   * several spellings.
   */
  readonly upperBound: number;
}
