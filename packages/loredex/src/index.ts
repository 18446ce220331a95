/** All of Loredex for programs: the engine with its embedders, the server, and the functions behind the command line. */

export * from "@loredex/core";
export {
  type ApiHandler,
  type ApiHandlerOptions,
  type ApiServer,
  type ApiServerOptions,
  createApiHandler,
  createApiServer,
} from "@loredex/http";
export {
  type ImportProblem,
  type ImportReport,
  type ImportSourcesOptions,
  importSources,
  readVocabularyFile,
  type SyncedSource,
  type SyncSourcesOptions,
  syncSources,
  VocabularyFileError,
  vocabularyText,
  type WatchSourcesOptions,
  watchSources,
} from "@loredex/import";
export { EMBEDDERS } from "./embedders.ts";
// Replaces the engine of core.
export { Engine } from "./engine.ts";
export { type GoldenFile, readGoldenFile } from "./evaluation/golden-file.ts";
export type { Metrics, MetricsOptions } from "./metrics/metrics.ts";
export { openMetrics } from "./metrics/open-metrics.ts";
export { engineOperator } from "./operator/engine-operator.ts";
export { importTarget } from "./operator/import-target.ts";
export type { BotDetails, BotFigures, DocumentSummary, Operator, RegistrationKind } from "./operator/operator.ts";
export { type RunningServer, type ServeOptions, serve } from "./serve.ts";
