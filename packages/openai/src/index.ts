export { type Embedder, EmbedderError, type EmbedderErrorCode } from "@loredex/core";
export { openOpenAiEmbedder } from "./openai-embedder.ts";
export type { OpenAiOptions } from "./settings.ts";
