export type { Administration } from "./administration/administration.ts";
export { parseArticleFilter } from "./articles/list-query.ts";
export { type ArticleOperation, parseArticleOperations } from "./articles/operations.ts";
export { articleTag, isKnownArticle } from "./articles/tag.ts";
export { Bot } from "./bot.ts";
export { type Axis, kindAlong } from "./embedding/axis.ts";
export type { Embedder, EmbedderCost, EmbedderOffer, StaticEmbedder } from "./embedding/embedder.ts";
export { EMBEDDER_FAILED } from "./embedding/embedder.ts";
export { closedError, EmbedderError, type EmbedderErrorCode } from "./embedding/embedder-error.ts";
export { openEnglishStatic } from "./embedding/english-static.ts";
export type {
  PassagesWithTokens,
  QuestionTokens,
  QuestionWithTokens,
  TokenCalibration,
  TokenCodes,
  TokenEncoder,
  TokenSpace,
} from "./embedding/token-codes.ts";
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
// The graph port: what a backend implements, and what it is given.
export type { QueryVector } from "./index/vectors/codes.ts";
export { GRAPH_KINDS, type GraphChoice, type GraphKind, missingGraphLibrary } from "./index/vectors/graphs.ts";
export type { GraphBackend, GraphRows, Graphs, NoGraphs, VectorGraph } from "./index/vectors/vector-graph.ts";
export { Insights } from "./insights/insights.ts";
export type * from "./insights/types.ts";
export * from "./model/administration.ts";
export type { Advice, AdviceKind } from "./model/advice.ts";
export type * from "./model/document-page.ts";
export { type ContentChangeOptions, contentTag } from "./model/entity-tags.ts";
export type { DamagePlace, ErrorCode, Violation } from "./model/errors.ts";
export {
  CorruptError,
  ImportBytesExceededError,
  isShortOfMemory,
  LoredexError,
  QuotaBytesExceededError,
  QuotaExceededError,
  RateBytesExceededError,
  RateExceededError,
  ValidationError,
} from "./model/errors.ts";
export type * from "./model/explanation.ts";
export type * from "./model/faults.ts";
export type * from "./model/filter-types.ts";
export * from "./model/keys.ts";
export * as kinds from "./model/known-options.ts";
export { LANGUAGES, languageOf } from "./model/language-tags.ts";
export * from "./model/limits.ts";
export { foundBy, type Instead, type Missing, type Readiness } from "./model/missing.ts";
export { nearest, renamed } from "./model/nearest.ts";
export * from "./model/options.ts";
export type * from "./model/queries.ts";
export { requireArguments } from "./model/require-options.ts";
export type * from "./model/sources.ts";
export type * from "./model/suggestions.ts";
export type * from "./model/types.ts";
export type * from "./model/usage.ts";
export type * from "./model/vector-stats.ts";
export type * from "./model/vocabulary-types.ts";
export type * from "./model/work.ts";
export { type BackupInfo, type BackupOptions, checkBackup } from "./operations/backup.ts";
export { type CopyOptions, type CopyProgress, type CopyReport, copyStores } from "./operations/copy.ts";
export {
  type AdvisedBot,
  inspectDirectory,
  inspectStorage,
  type OpenInspection,
} from "./operations/inspect-directory.ts";
export type { PurgeReport } from "./operations/purge.ts";
export type { RestoreOptions } from "./operations/restore.ts";
export type { Salvage } from "./operations/salvage.ts";
export type { VerifiedStore, VerifyReport } from "./operations/verify.ts";
export { onAbort, unlessAborted } from "./platform/abort.ts";
export { BUNDLED_HINT } from "./platform/bundled.ts";
export { carefulLogger } from "./platform/careful-logger.ts";
export type { Clock, Random } from "./platform/clock.ts";
export { type JsonContents, jsonContents, refuseLosses } from "./platform/json-losses.ts";
export { jsonPieces } from "./platform/json-pieces.ts";
export type { LogEvent, Logger } from "./platform/log-event.ts";
export { openConnectionsMax } from "./platform/machine.ts";
export { readJson } from "./platform/read-json.ts";
export { systemReason } from "./platform/system-reasons.ts";
export { unicodeForm } from "./platform/unicode-form.ts";
export { scheduler } from "./scheduling/scheduler.ts";
export { Semaphore } from "./scheduling/semaphore.ts";
export type { SearchRequest } from "./search/request.ts";
export type { BlockKey, BlockStore, OpenedBlocks, StoredBlock } from "./storage/block-store.ts";
export { checkDirectory, type DirectoryCondition } from "./storage/directory-check.ts";
export { directoryExposure } from "./storage/directory-exposure.ts";
export { openDirectory } from "./storage/open-directory.ts";
export * as storageKit from "./storage/port-kit.ts";
export { findServerSocket, SERVER_SOCKET, SERVER_SOCKET_POINTER } from "./storage/server-socket.ts";
export type * from "./storage/store.ts";
export { parseVocabulary, readVocabulary } from "./vocabulary/shape.ts";
