import {
  and,
  type FilterValue,
  type LoredexClient,
  type SearchFilter,
  type SearchResult,
  where,
} from "@loredex/client";

/** What the page asks a bot. */
export interface Knowledge {
  find(question: string, chosen: Chosen, signal: AbortSignal): Promise<Found>;
  /** Texts that continue what was typed. */
  suggest(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** By field, the values of which a document must have one. A field without values allows all. */
export type Chosen = Readonly<Record<string, readonly FilterValue[]>>;

export interface Found {
  /** The best documents. */
  readonly results: readonly SearchResult[];
  /** The number of documents found, if it is known. */
  readonly total?: number;
  /** By field, its values among the documents found, and how many documents have each. */
  readonly facets: Readonly<Record<string, readonly Facet[]>>;
}

export interface Facet {
  readonly value: FilterValue;
  readonly count: number;
}

/** Fields by which users narrow the results, with their names on the page. */
export const FIELDS: Readonly<Record<string, string>> = { type: "Kind", "metaData.team": "Team" };

const RESULTS_MAX = 10;
const SUGGESTIONS_MAX = 8;

export function knowledgeOf(client: LoredexClient): Knowledge {
  return {
    async find(question, chosen, signal) {
      const results = await client.search(question, { topK: RESULTS_MAX, filters: filterOf(chosen), signal });
      return {
        results,
        facets: Object.fromEntries(Object.keys(FIELDS).map((field) => [field, counted(results, field)])),
      };
    },
    async suggest(prefix, signal) {
      const suggestions = await client.suggest(prefix, { limit: SUGGESTIONS_MAX, signal });
      return suggestions.map(({ text }) => text);
    },
  };
}

/** The filter of what the user has chosen. */
export function filterOf(chosen: Chosen): SearchFilter {
  const conditions = Object.entries(chosen).filter(([, values]) => values.length > 0);
  return conditions.length === 0 ? {} : and(...conditions.map(([field, values]) => where.in(field, values)));
}

/** The values of a field in the results, most frequent first. */
function counted(results: readonly SearchResult[], field: string): Facet[] {
  const counts = new Map<FilterValue, number>();
  for (const result of results) {
    const value = field === "type" ? result.type : result.metaData[field.slice("metaData.".length)];
    if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((one, other) => other.count - one.count);
}
