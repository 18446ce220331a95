import type { FilterValue } from "./filter-types.ts";
import type { SearchOptions, SearchResult } from "./types.ts";

/** Options of a query: those of a search, and what else is told about all documents found. */
export interface QueryOptions extends SearchOptions {
  /** Fields whose values are counted, up to 10: `type`, `metaData.team` and others that filters may name. Default: none. */
  readonly facets?: readonly string[];
  /** The field by whose values the best 100 documents are grouped. Default: no groups. */
  readonly groupBy?: string;
  /** Most results of one group, 1 to 100. Default 3. */
  readonly groupSize?: number;
}

/** The options of a search that concern the question log. */
export type NotingOptions = Pick<SearchOptions, "noted" | "requestId">;

/** The answer to a query. A document counts as found if a search without a maximum of results would return it. */
export interface QueryAnswer {
  /** The documents that a search returns. */
  readonly results: SearchResult[];
  /** The exact number of documents found. Absent if a bot has too many passages to count all of them: counts of facets are minima then. */
  readonly total?: number;
  /** By field: its 20 most frequent values among all documents found, ties by value. Absent if no field was named. */
  readonly facets?: Readonly<Record<string, readonly FacetValue[]>>;
  /** The best 100 documents, grouped by a field: at most `topK` groups, in the order of their best documents. Absent if no field was named. */
  readonly groups?: readonly ResultGroup[];
  /** As in {@link SearchAnswer}. */
  readonly staleSeconds?: number;
}

/** A value of a field, and the number of documents found that have it. */
export interface FacetValue {
  readonly value: FilterValue;
  readonly count: number;
}

/** Results with the same value of a field. */
export interface ResultGroup {
  /** `null` for the documents without a value. */
  readonly value: FilterValue | null;
  /** Best first. */
  readonly results: readonly SearchResult[];
}
