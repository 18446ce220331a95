export { parseArticleFilter } from "./article/list-query.ts";
export { type ArticleOperation, parseArticleOperations } from "./article/operations.ts";
export { articleTag, isKnownArticle } from "./article/tag.ts";
export { Bot } from "./bot.ts";
export type { Advice, AdviceKind } from "./domain/advice.ts";
export type { DamagePlace, ErrorCode, Violation } from "./domain/errors.ts";
export {
  CorruptError,
  ImportBytesExceededError,
  LoredexError,
  QuotaBytesExceededError,
  QuotaExceededError,
  RateBytesExceededError,
  RateExceededError,
  ValidationError,
} from "./domain/errors.ts";
export type * from "./domain/explanation.ts";
export type * from "./domain/faults.ts";
export * from "./domain/keys.ts";
export * as kinds from "./domain/known-options.ts";
export { LANGUAGES, languageOf } from "./domain/language-tags.ts";
export * from "./domain/limits.ts";
export { foundBy, type Instead, type Missing, type Readiness } from "./domain/missing.ts";
export { nearest } from "./domain/nearest.ts";
export * from "./domain/options.ts";
export { requireArguments } from "./domain/require-options.ts";
export type * from "./domain/sources.ts";
export type * from "./domain/types.ts";
export type * from "./domain/vector-stats.ts";
export type * from "./domain/work.ts";
export type { Embedder, EmbedderCost, EmbedderOffer, StudentEncoder } from "./embedding/embedder.ts";
export { EMBEDDER_FAILED } from "./embedding/embedder.ts";
export { closedError, EmbedderError, type EmbedderErrorCode } from "./embedding/embedder-error.ts";
export { openEnglishStudent } from "./embedding/student-model.ts";
export type {
  PassagesWithTokens,
  QuestionTokens,
  QuestionWithTokens,
  TokenCalibration,
  TokenEncoder,
  TokenSigns,
  TokenSpace,
} from "./embedding/token-signs.ts";
export { tryEmbedder } from "./embedding/try-embedder.ts";
export { Engine, type EngineOptions, type NewBot } from "./engine.ts";
export { ENGINE_OPTIONS } from "./engine-options.ts";
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
export { type BackupInfo, type BackupOptions, checkBackup } from "./operator/backup.ts";
export { type AdvisedBot, inspectDirectory, type OpenInspection } from "./operator/inspect-directory.ts";
export type { PurgeReport } from "./operator/purge.ts";
export type { RestoreOptions } from "./operator/restore.ts";
export type { Salvage } from "./operator/salvage.ts";
export type { VerifiedStore, VerifyReport } from "./operator/verify.ts";
export type { SearchRequest } from "./query/request.ts";
export { onAbort, unlessAborted } from "./runtime/abort.ts";
export { BUNDLED_HINT } from "./runtime/bundled.ts";
export { carefulLogger } from "./runtime/careful-logger.ts";
export type { Clock, Random } from "./runtime/clock.ts";
export { refuseDuplicateKeys } from "./runtime/json-keys.ts";
export { refuseLosses } from "./runtime/json-losses.ts";
export { refuseInexactIntegers } from "./runtime/json-numbers.ts";
export { jsonPieces } from "./runtime/json-pieces.ts";
export type { LogEvent, Logger } from "./runtime/log-event.ts";
export { openConnectionsMax } from "./runtime/machine.ts";
export { readJson } from "./runtime/read-json.ts";
export { answersTurn, noteArrival } from "./runtime/slices.ts";
export { systemReason } from "./runtime/system-reasons.ts";
export { unicodeForm } from "./runtime/unicode-form.ts";
export { checkDirectory, type DirectoryCondition } from "./storage/directory-check.ts";
export { directoryExposure } from "./storage/directory-exposure.ts";
export { findServerSocket, SERVER_SOCKET, SERVER_SOCKET_POINTER } from "./storage/server-socket.ts";
export type * from "./storage/store.ts";
export { missingGraphLibrary } from "./vector/hnsw-library.ts";
