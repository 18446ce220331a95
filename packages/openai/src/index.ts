export type { Embedder } from "@loredex/core";
export { EmbedderError, type EmbedderErrorCode } from "./errors.ts";
export { openOpenAiEmbedder } from "./openai-embedder.ts";
export type { OpenAiOptions } from "./settings.ts";
