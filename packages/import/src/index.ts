/** Imports knowledge into a bot: converts files where needed, and keeps track of which document belongs to which source. */

export { type Conversion, ConversionError, type RawFile } from "./convert/conversion.ts";
export { type FileKind, IMPORT_KINDS, type ImportKind } from "./convert/kinds.ts";
export {
  CONVERSION_MEMORY_BYTES_DEFAULT,
  CONVERSION_MEMORY_BYTES_MAX,
  CONVERSION_MEMORY_BYTES_MIN,
  CONVERSION_SECONDS_DEFAULT,
  CONVERSION_SECONDS_MAX,
} from "./limits.ts";
export { isLeft } from "./sources/belonging/left-place.ts";
export { moveSource } from "./sources/belonging/move-source.ts";
export { sourceNamed } from "./sources/belonging/moved-place.ts";
export { uploadedPath } from "./sources/belonging/target.ts";
export { type ImportReport, type ImportSourcesOptions, sourceNameProblem } from "./sources/importing/import-options.ts";
export { importSources } from "./sources/importing/import-sources.ts";
export type { ImportTarget } from "./sources/importing/import-target.ts";
export type { ImportProblem } from "./sources/importing/tally.ts";
export { type PatienceOptions, whileShort } from "./sources/importing/while-short.ts";
export { type SyncedSource, type SyncSourcesOptions, syncSources } from "./sources/keeping/sync-sources.ts";
export { type WatchSourcesOptions, watchSources } from "./sources/keeping/watch-sources.ts";
export { countFiles, countFilesOf } from "./sources/reading/count-files.ts";
export { type AddressOptions, FILE_TYPES, type KeptOptions } from "./sources/reading/settings.ts";
export { readVocabularyFile, VocabularyFileError, vocabularyText } from "./vocabulary/vocabulary-file.ts";
export type { PassedOverReason } from "./web/passed-over.ts";
