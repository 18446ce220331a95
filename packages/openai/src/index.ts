export { type Embedder, EmbedderError, type EmbedderErrorCode } from "@loredex/core";
export { checkModelServer } from "./check.ts";
export { openOpenAiEmbedder } from "./openai-embedder.ts";
export type { OpenAiOptions } from "./settings.ts";
