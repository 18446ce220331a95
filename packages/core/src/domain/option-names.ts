/** The names of the options of a bot's and an engine's calls: others are refused. */

import type { OptionNames } from "./known-options.ts";
import type { ArgumentOptions, OwnedDocument } from "./sources.ts";
import type {
  ArticleChangeOptions,
  ArticleCreateOptions,
  ArticleFilter,
  ArticlePageRequest,
  ArticlePreviewOptions,
  DocumentFilter,
  ImportOptions,
  RemoveOptions,
  SearchOptions,
} from "./types.ts";

export const ARTICLE_CREATE_OPTIONS: OptionNames<ArticleCreateOptions> = { idempotencyKey: true };
export const ARTICLE_CHANGE_OPTIONS: OptionNames<ArticleChangeOptions> = { ifMatch: true };
export const ARTICLE_PREVIEW_OPTIONS: OptionNames<ArticlePreviewOptions> = { signal: true };
export const ARTICLE_FILTER: OptionNames<ArticleFilter> = { id: true, title: true, metadata: true };
export const ARTICLE_PAGE_REQUEST: OptionNames<ArticlePageRequest> = { ...ARTICLE_FILTER, limit: true, after: true };

export const IMPORT_OPTIONS: OptionNames<ImportOptions> = { source: true };
export const REMOVE_OPTIONS: OptionNames<RemoveOptions> = { source: true };
/** So that what `ownedDocuments` returns is accepted, `id` is one of the names. */
export const DOCUMENT_ORIGIN: OptionNames<OwnedDocument> = {
  source: true,
  argument: true,
  path: true,
  digest: true,
  id: true,
};
export const DOCUMENT_FILTER: OptionNames<DocumentFilter> = { type: true, status: true };

export const ARGUMENT_OPTIONS: OptionNames<ArgumentOptions> = {
  imported: true,
  report: true,
  takesOver: true,
  unlessEmpty: true,
};

export const SEARCH_OPTIONS: OptionNames<SearchOptions> = {
  filters: true,
  topK: true,
  includeFaqs: true,
  includeContent: true,
  onlyActiveIntents: true,
  quality: true,
  signal: true,
};
