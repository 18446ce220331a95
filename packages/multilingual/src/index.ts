export { type Embedder, EmbedderError, type EmbedderErrorCode } from "@loredex/core";
export { checkMultilingual, type MultilingualOptions, openMultilingual } from "./multilingual.ts";
