/** What brings knowledge into a bot: files, converted where that is needed, and what belongs to which source. */

export { type Conversion, ConversionError, type FileKind, type RawFile } from "./convert/conversion.ts";
export { IMPORT_KINDS, type ImportKind } from "./convert/kinds.ts";
export {
  CONVERSION_MEMORY_BYTES_DEFAULT,
  CONVERSION_MEMORY_BYTES_MAX,
  CONVERSION_MEMORY_BYTES_MIN,
  CONVERSION_SECONDS_DEFAULT,
  CONVERSION_SECONDS_MAX,
} from "./limits.ts";
export { countFiles } from "./sources/count-files.ts";
export {
  type ImportReport,
  type ImportSourcesOptions,
  importSources,
  sourceNameProblem,
} from "./sources/import-sources.ts";
export type { ImportTarget } from "./sources/import-target.ts";
export { isLeft } from "./sources/left-place.ts";
export { moveSource } from "./sources/move-source.ts";
export { sourceNamed } from "./sources/moved-place.ts";
export type { AddressOptions, KeptOptions } from "./sources/settings.ts";
export { type SyncedSource, type SyncSourcesOptions, syncSources } from "./sources/sync-sources.ts";
export type { ImportProblem } from "./sources/tally.ts";
export { type WatchSourcesOptions, watchSources } from "./sources/watch-sources.ts";
