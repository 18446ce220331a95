export { type ArticleListQuery, parseArticleListQuery } from "./article/list-query.ts";
export { Bot } from "./bot.ts";
export type { Clock, Random } from "./clock.ts";
export type { Embedder, EmbedderCost, EmbedderOffer } from "./embedding/embedder.ts";
export { EMBEDDER_FAILED } from "./embedding/embedder.ts";
export { NO_EMBEDDER } from "./embedding/embedders.ts";
export { Engine, type EngineOptions, type NewBot } from "./engine.ts";
export type { ErrorCode, Violation } from "./errors.ts";
export { LoredexError, QuotaExceededError, RateExceededError, ValidationError } from "./errors.ts";
export * from "./limits.ts";
export type { LogEvent, Logger } from "./log-event.ts";
export * from "./options.ts";
export type { SearchRequest } from "./query/request.ts";
export type {
  LoadedSection,
  LoadedSnapshot,
  RecoveryReport,
  RecoveryVisitor,
  SnapshotSection,
  Storage,
  Store,
} from "./storage/store.ts";
export { LANGUAGES } from "./text/languages.ts";
export type * from "./types.ts";
