import type { Option, Options } from "./option.ts";

const text = (value: string, help: string): Option => ({ kind: "text", value, help, setting: true });
const count = (help: string): Option => ({ kind: "count", value: "N", min: 1, help, setting: true });

/**
 * The settings of the model server of the embedder `openai`. They are no options: a bot has one embedder for all commands.
 * Besides, a key on a command line would be visible in the list of processes.
 */
export const MODEL_SERVER: Options = {
  "openai-base-url": text("URL", "address of the model server, up to what comes before /embeddings"),
  "openai-model": text("MODEL", "name of the model"),
  "openai-api-key": { ...text("KEY", "its key, where it wants one"), secret: true },
  "openai-languages": text("LANGUAGES", "languages whose new bots get this embedder, as in en, multi"),
  "openai-dimensions": count("length of its vectors"),
  "openai-query-prefix": text("TEXT", "what stands before every question"),
  "openai-passage-prefix": text("TEXT", "what stands before every passage"),
  "openai-query-input-type": text("TYPE", "input_type of questions"),
  "openai-passage-input-type": text("TYPE", "input_type of passages"),
  "openai-weight": { kind: "number", value: "X", min: 0, max: 1, help: "weight of meaning in a score", setting: true },
  "openai-timeout-ms": count("most milliseconds that a request may take"),
  "openai-question-ms-max": count("most milliseconds that a search waits for its question's vector"),
  "openai-texts-per-request": count("most texts of a request"),
  "openai-concurrency": count("most requests at once"),
};
