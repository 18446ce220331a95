import type { CloseTerm } from "./close-terms.ts";

/** A term of a query with its weight. */
export interface QueryTerm {
  /** As the query has it. */
  readonly text: string;
  /** Its number in the index. */
  readonly term: number;
  /** share · qtf · idf · (k1 + 1): the upper bound of what it adds to the score of any passage. */
  readonly weight: number;
  /** Number of passages that hold it. Where several terms stand for it, at most their sum. */
  readonly frequency: number;
  /** The terms that stand for a word, `term` the first of them. Their occurrences count as those of one term. */
  readonly close?: readonly CloseTerm[];
}

/** A distinct term of a query, whether or not any passage holds it. */
export interface AskedTerm {
  readonly text: string;
  /** How often it stands in the query. */
  readonly count: number;
  /** Number of passages that hold it, or the terms that stand for it. */
  readonly frequency: number;
  readonly idf: number;
  /** What it adds to the upper bound: share · count · idf · (k1 + 1). */
  readonly weight: number;
  /**
   * The terms of the index that stand for it. For a word that no passage holds: terms close to it, the closest first, another spelling, or compounds
   * that it is a component of. For others: its terms in other languages and its synonyms, if there are any.
   */
  readonly meant: readonly string[];
}

/** The distinct terms of a query, with their weights in the index as it is now. */
export interface WeightedQuery {
  /** All of its terms, in the order of the query; terms that no passage holds are last. */
  readonly asked: readonly AskedTerm[];
  /**
   * The terms that score, the heaviest first: those that some passage holds, terms that stand for the others, and codes in other spellings. A term of
   * the index stands in two of them only as a compound of both.
   */
  readonly terms: readonly QueryTerm[];
  /** By term of the index: its weight in all. */
  readonly byTerm: ReadonlyMap<string, number>;
  /**
   * The sum of the weights of all asked terms, also those that no passage holds; 0 for a query without terms. Only a passage that holds a code in
   * several spellings, or several synonyms, can exceed it.
   */
  readonly upperBound: number;
}
