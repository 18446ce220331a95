export type { Embedder } from "@loredex/core";
export { EmbedderError, type EmbedderErrorCode } from "./errors.ts";
export { type MiniLmOptions, openMiniLm } from "./minilm.ts";
