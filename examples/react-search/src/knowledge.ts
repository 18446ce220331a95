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
  /** Texts that continue the typed one. */
  suggest(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** By field, the values of which a document must have one. A field without values allows all. */
export type Chosen = Readonly<Record<string, readonly FilterValue[]>>;

export interface Found {
  /** The best documents. */
  readonly results: readonly SearchResult[];
  /** The number of documents found, if it is known. */
  readonly total?: number;
  /** By field, its most frequent values, and the number of documents found that have each. A field's own chosen values do not narrow its facet. */
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
      const fields = Object.keys(FIELDS);
      const all = { topK: RESULTS_MAX, filters: filterOf(chosen), facets: fields, signal };
      // A facet counts what the filters of its request allow. So a chosen field is counted once more, without its own filter.
      const narrowing = fields.filter((field) => (chosen[field] ?? []).length > 0);
      const further = narrowing.map((field) => {
        const filters = filterOf({ ...chosen, [field]: [] });
        return client.query(question, { topK: 1, filters, facets: [field], signal });
      });
      const [found, ...others] = await Promise.all([client.query(question, all), ...further]);
      const facets = [found, ...others].flatMap((answer) => Object.entries(answer.facets ?? {}));
      const { results, total } = found;
      return { results, facets: Object.fromEntries(facets), ...(total !== undefined && { total }) };
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
