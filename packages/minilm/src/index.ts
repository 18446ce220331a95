export { type Embedder, EmbedderError, type EmbedderErrorCode } from "@loredex/core";
export { checkMiniLm, type MiniLmOptions, openMiniLm } from "./minilm.ts";
