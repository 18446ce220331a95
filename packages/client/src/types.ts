import type { components } from "./api-types.ts";

/** Names for the shapes of the API, which are written from its OpenAPI document. */

type Schemas = components["schemas"];

/** An article as the service has it. */
export type Article = Schemas["Article"];

/** What an article is made of. */
export type NewArticle = Schemas["ArticleCreate"];

/** What changes of an article: fields that are given replace, others stay; `null` removes. */
export type ArticleChanges = Pick<Schemas["ArticleUpdate"], "title" | "body" | "metadata" | "source" | "activeOn">;

/** Flat: strings, numbers and booleans by name. */
export type Metadata = Article["metadata"];

export type MetadataValue = Metadata[string];

/** A document that matches a question, with the parts that do. */
export type SearchResult = Schemas["SearchResult"];

/** What a search may be told besides the question. */
export type SearchOptions = NonNullable<Schemas["SearchRequest"]["options"]> & {
  /** Fields of the result that must be equal to a value, such as `type` or `metaData.team`. */
  readonly filters?: NonNullable<Schemas["SearchRequest"]["filters"]>;
};

/** What a write would come to. */
export type Preview = Schemas["ArticlePreviewed"]["data"];

/** One write of a batch. */
export type BatchOperation =
  | { readonly op: "create"; readonly article: NewArticle }
  | { readonly op: "update"; readonly id: string; readonly article: ArticleChanges }
  | { readonly op: "delete"; readonly id: string }
  | { readonly op: "upsert"; readonly by: string | readonly string[]; readonly article: NewArticle };

/** What one write of a batch was answered. */
export type BatchResult = Schemas["BatchAnswered"]["results"][number];

/** A broken rule of a request. */
export type Violation = Schemas["InvalidInput"]["data"]["result"][number];

/** Which articles are listed: all that is given must match exactly. */
export interface ArticleFilter {
  readonly id?: string;
  readonly title?: string;
  /** Articles whose metadata has all of these. */
  readonly metadata?: Metadata;
}
