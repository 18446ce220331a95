/** A query's terms, each once, with what they are worth in this index as it stands. */
export interface WeightedQuery {
  /** Those that some passage holds, the heaviest first: term number and qtf · idf · (k1 + 1). */
  readonly terms: readonly { readonly term: number; readonly weight: number; readonly frequency: number }[];
  /** The same weights by term. */
  readonly byTerm: ReadonlyMap<string, number>;
  /** What no passage can exceed: the sum over all terms, also those that no passage holds. 0 for a query without terms. */
  readonly upperBound: number;
  /** The sum over the terms that some passage holds, divided by `upperBound`. */
  readonly knownShare: number;
}
