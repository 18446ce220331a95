/** Tables of the options that the calls of a bot and an engine accept. Other options are refused. */

import type { DocumentPageRequest } from "./document-page.ts";
import type { ContentChangeOptions } from "./entity-tags.ts";
import { A_BOOLEAN, A_SIGNAL, A_STRING, CHECKED_WITHIN, kind, type OptionKinds, oneOf } from "./known-options.ts";
import { REQUEST_ID_CHARACTERS_MAX } from "./limits.ts";
import { ARTICLE_SORTS, DOCUMENT_STATUSES, IMPORTED_TYPES, SEARCH_QUALITIES } from "./options.ts";
import type { NotingOptions, QueryOptions } from "./queries.ts";
import type { ArgumentOptions } from "./sources.ts";
import type { SuggestOptions } from "./suggestions.ts";
import type {
  ArticleChangeOptions,
  ArticleCreateOptions,
  ArticleFilter,
  ArticleListRequest,
  ArticlePageRequest,
  ArticlePreviewOptions,
  DocumentFilter,
  ImportOptions,
  RemoveOptions,
  SearchOptions,
  WriteOptions,
} from "./types.ts";

export const WRITE_OPTIONS: OptionKinds<WriteOptions> = { signal: A_SIGNAL };
export const ARTICLE_CREATE_OPTIONS: OptionKinds<ArticleCreateOptions> = {
  ...WRITE_OPTIONS,
  idempotencyKey: A_STRING,
  withoutRate: A_BOOLEAN,
};
export const CONTENT_CHANGE_OPTIONS: OptionKinds<ContentChangeOptions> = { ifMatch: A_STRING };
export const ARTICLE_CHANGE_OPTIONS: OptionKinds<ArticleChangeOptions> = { ...WRITE_OPTIONS, ifMatch: A_STRING };
export const ARTICLE_PREVIEW_OPTIONS: OptionKinds<ArticlePreviewOptions> = { signal: A_SIGNAL };
const ARTICLE_FILTER: OptionKinds<ArticleFilter> = {
  id: A_STRING,
  title: A_STRING,
  metadata: kind("map", "a Map of strings", isMapOfStrings),
};
export const ARTICLE_LIST_REQUEST: OptionKinds<ArticleListRequest> = {
  ...ARTICLE_FILTER,
  sort: oneOf(ARTICLE_SORTS),
};
export const ARTICLE_PAGE_REQUEST: OptionKinds<ArticlePageRequest> = {
  ...ARTICLE_LIST_REQUEST,
  limit: CHECKED_WITHIN,
  after: A_STRING,
};

export const IMPORT_OPTIONS: OptionKinds<ImportOptions> = { source: CHECKED_WITHIN };
export const REMOVE_OPTIONS: OptionKinds<RemoveOptions> = { source: CHECKED_WITHIN };
export const DOCUMENT_FILTER: OptionKinds<DocumentFilter> = {
  type: oneOf(IMPORTED_TYPES),
  status: oneOf(DOCUMENT_STATUSES),
};

export const DOCUMENT_PAGE_REQUEST: OptionKinds<DocumentPageRequest> = {
  offset: CHECKED_WITHIN,
  limit: CHECKED_WITHIN,
  sort: CHECKED_WITHIN,
  search: CHECKED_WITHIN,
  type: CHECKED_WITHIN,
  status: CHECKED_WITHIN,
};

export const ARGUMENT_OPTIONS: OptionKinds<ArgumentOptions> = {
  imported: A_BOOLEAN,
  report: CHECKED_WITHIN,
  takesOver: A_STRING,
  unlessEmpty: A_BOOLEAN,
};

/** Options of a search that concern the question log. */
export const NOTING_OPTIONS: OptionKinds<NotingOptions> = {
  noted: A_BOOLEAN,
  requestId: kind<string>(
    "requestId",
    `a string of 1 to ${REQUEST_ID_CHARACTERS_MAX} characters`,
    (given) => typeof given === "string" && given.length >= 1 && given.length <= REQUEST_ID_CHARACTERS_MAX,
  ),
};

/** Options of a search. Those that go into the request are checked with it. */
export const SEARCH_OPTIONS: OptionKinds<SearchOptions> = {
  filters: CHECKED_WITHIN,
  topK: CHECKED_WITHIN,
  includeFaqs: CHECKED_WITHIN,
  includeContent: CHECKED_WITHIN,
  onlyActiveIntents: CHECKED_WITHIN,
  context: CHECKED_WITHIN,
  contextCharacters: CHECKED_WITHIN,
  offset: CHECKED_WITHIN,
  minScore: CHECKED_WITHIN,
  quality: oneOf(SEARCH_QUALITIES),
  signal: A_SIGNAL,
  vocabulary: CHECKED_WITHIN,
  ...NOTING_OPTIONS,
};

/** Options of a query. */
export const QUERY_OPTIONS: OptionKinds<QueryOptions> = {
  ...SEARCH_OPTIONS,
  facets: CHECKED_WITHIN,
  groupBy: CHECKED_WITHIN,
  groupSize: CHECKED_WITHIN,
};
export const SUGGEST_OPTIONS: OptionKinds<SuggestOptions> = { limit: CHECKED_WITHIN, signal: A_SIGNAL };

function isMapOfStrings(given: unknown): boolean {
  return given instanceof Map && [...given].every((entry) => entry.every((text: unknown) => typeof text === "string"));
}
