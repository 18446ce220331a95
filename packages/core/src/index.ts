export { type ArticleListQuery, parseArticleListQuery } from "./article/list-query.ts";
export { type BackupInfo, checkBackup } from "./backup.ts";
export { Bot } from "./bot.ts";
export type { Clock, Random } from "./clock.ts";
export { onAbort, unlessAborted } from "./embedding/abort.ts";
export type { Embedder, EmbedderCost, EmbedderOffer, StudentEncoder } from "./embedding/embedder.ts";
export { EMBEDDER_FAILED } from "./embedding/embedder.ts";
export { closedError, EmbedderError, type EmbedderErrorCode } from "./embedding/embedder-error.ts";
export { NO_EMBEDDER } from "./embedding/embedders.ts";
export { Engine, type EngineOptions, type NewBot } from "./engine.ts";
export type { DamagePlace, ErrorCode, Violation } from "./errors.ts";
export { CorruptError, LoredexError, QuotaExceededError, RateExceededError, ValidationError } from "./errors.ts";
export { type Answering, type EvaluateOptions, evaluate } from "./evaluation/evaluate.ts";
export type * from "./evaluation/evaluation.ts";
export {
  type ExpectedDocument,
  type GoldenAnswerInput,
  type GoldenInput,
  type GoldenQuestion,
  parseGolden,
} from "./evaluation/golden.ts";
export type { AnswerLines, LineRange } from "./evaluation/measures.ts";
export * as measures from "./evaluation/measures.ts";
export type * from "./explanation.ts";
export { inspectDirectory, type OpenInspection } from "./inspect-directory.ts";
export * from "./limits.ts";
export type { LogEvent, Logger } from "./log-event.ts";
export * from "./options.ts";
export type { SearchRequest } from "./query/request.ts";
export type { RestoreOptions } from "./restore.ts";
export type { Salvage } from "./salvage.ts";
export type * from "./storage/store.ts";
export { openEnglishStudent } from "./student-model.ts";
export { LANGUAGES } from "./text/languages.ts";
export type * from "./types.ts";
export type { VerifiedStore, VerifyReport } from "./verify.ts";
