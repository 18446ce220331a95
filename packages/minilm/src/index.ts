export { type Embedder, EmbedderError, type EmbedderErrorCode } from "@loredex/core";
export { type MiniLmOptions, openMiniLm } from "./minilm.ts";
