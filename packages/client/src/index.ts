export { LoredexAdmin } from "./admin.ts";
export type {
  AdminQueryOptions,
  AdminSearchOptions,
  DocumentsRequest,
  HistoryRequest,
  JobWaitOptions,
  Quality,
  VersionedGolden,
  VersionedVocabulary,
} from "./admin-calls.ts";
export type { AdminEvent, LiveBot } from "./admin-events.ts";
export type {
  ArticlePage,
  ArticleSort,
  BatchOptions,
  BatchProgress,
  CallOptions,
  ConditionalOptions,
  ListOptions,
  PageOptions,
  SuggestOptions,
  Upserted,
  UpsertOptions,
  Versioned,
  Written,
} from "./calls.ts";
export { LoredexClient } from "./client.ts";
export { LoredexError } from "./error.ts";
export { and, type FilterBound, not, or, where } from "./filters.ts";
export * as kinds from "./known-options.ts";
export { requireArguments } from "./option-tables.ts";
export type { Pace } from "./pace.ts";
export type { SyncOptions, SyncOutcome, SyncProblem, SyncStep } from "./sync.ts";
export type { TransportOptions as LoredexClientOptions } from "./transport.ts";
export type {
  Article,
  ArticleChanges,
  ArticleFilter,
  BatchOperation,
  BatchResult,
  FacetValue,
  Feedback,
  FieldFilter,
  FilterValue,
  Metadata,
  MetadataValue,
  NewArticle,
  PartContext,
  Preview,
  QueryAnswer,
  QueryOptions,
  ResultGroup,
  SearchFilter,
  SearchOptions,
  SearchResult,
  Suggestion,
  Usage,
  Violation,
} from "./types.ts";
