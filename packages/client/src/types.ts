import type { components } from "./api-types.ts";

/** Names of the API's types, which are generated from its OpenAPI document. */

type Schemas = components["schemas"];

/** An article, as the service returns it. */
export type Article = Schemas["Article"];

/** The fields of a new article. */
export type NewArticle = Schemas["ArticleCreate"];

/** Changes of an article: given fields replace, others stay; `null` removes. */
export type ArticleChanges = Pick<Schemas["ArticleUpdate"], "title" | "body" | "metadata" | "source" | "activeOn">;

/** Flat: strings, numbers and booleans by name. */
export type Metadata = Article["metadata"];

export type MetadataValue = Metadata[string];

/** A document that matches a question, with the matching parts. */
export type SearchResult = Schemas["SearchResult"];

/** The text around a matching part: its lines, and the headings above it. */
export type PartContext = Schemas["PartContext"];

/** Options of a search. */
export type SearchOptions = NonNullable<Schemas["SearchRequest"]["options"]> & {
  /** Which documents may be returned: `{ "metaData.team": "billing", "metaData.year": { gte: 2020 } }`. Default: all. */
  readonly filters?: SearchFilter;
  /** The id by which feedback names this search: 1 to 128 letters, digits and signs of `._:/+=@-`. Sent as `x-request-id`. Default: none. */
  readonly requestId?: string;
};

/** Options of a query: those of a search, and what is counted and grouped. */
export type QueryOptions = SearchOptions & {
  /** Fields whose values are counted, up to 10: `type`, `metaData.team` and others that filters may name. Default: none. */
  readonly facets?: readonly string[];
  /** The field by whose values the best 100 documents are grouped. Default: no groups. */
  readonly groupBy?: string;
  /** Most results of one group, 1 to 100. Default 3. */
  readonly groupSize?: number;
};

/** The answer to a query. A document counts as found if a search without a maximum of results would return it. */
export interface QueryAnswer {
  /** The documents that a search returns. */
  readonly results: readonly SearchResult[];
  /** The exact number of documents found. Absent if a bot has too many passages to count all of them: counts of facets are minima then. */
  readonly total?: number;
  /** By field of `facets`: its 20 most frequent values, with the number of documents found that have them. */
  readonly facets?: Readonly<Record<string, readonly FacetValue[]>>;
  /** With `groupBy`: the best 100 documents, grouped by that field. At most `topK` groups, in the order of their best documents. */
  readonly groups?: readonly ResultGroup[];
}

/** A value of a field, and the number of documents found that have it. */
export type FacetValue = NonNullable<Schemas["QueryAnswered"]["facets"]>[string][number];

/** Results with the same value of a field; `null` for those without one. */
export type ResultGroup = Schemas["ResultGroup"];

/** The value of a filter that compares by equality. */
export type FilterValue = string | number | boolean;

/** Operators of one field, all of which must hold. */
export type FieldFilter = Readonly<Schemas["FieldFilter"]>;

/**
 * Fields with a value or operators, and groups; all entries must hold. `where`, `and`, `or` and `not` make such objects.
 * Written by hand: the generated type rejects literals with `and`, `or` or `not`.
 */
export interface SearchFilter {
  /** 1 to 50 filters, all of which must hold. */
  readonly and?: readonly SearchFilter[];
  /** 1 to 50 filters, one of which must hold. */
  readonly or?: readonly SearchFilter[];
  /** A filter that must not hold. */
  readonly not?: SearchFilter;
  readonly [field: string]: FilterValue | FieldFilter | SearchFilter | readonly SearchFilter[] | undefined;
}

/** A title, a question or a heading that continues a typed prefix. */
export type Suggestion = Schemas["Suggestion"];

/** What a user says about the answer to a search. */
export type Feedback = { readonly [Field in keyof Schemas["Feedback"]]: Exclude<Schemas["Feedback"][Field], null> };

/** The result of a previewed write. */
export type Preview = Schemas["ArticlePreviewed"]["data"];

/** One write of a batch. */
export type BatchOperation =
  | { readonly op: "create"; readonly article: NewArticle }
  | { readonly op: "update"; readonly id: string; readonly article: ArticleChanges }
  | { readonly op: "delete"; readonly id: string }
  | { readonly op: "upsert"; readonly by: string | readonly string[]; readonly article: NewArticle };

/** The result of one write of a batch. */
export type BatchResult = Schemas["BatchAnswered"]["results"][number];

/** What a bot uses of its limits, and what it holds. */
export type Usage = Schemas["UsageAnswered"]["data"];

/** A broken rule of a request. */
export type Violation = Schemas["InvalidInput"]["data"]["result"][number];

/** Selects the listed articles: all given values must match exactly. */
export interface ArticleFilter {
  readonly id?: string;
  readonly title?: string;
  /** Articles whose metadata has all of these. */
  readonly metadata?: Metadata;
}
