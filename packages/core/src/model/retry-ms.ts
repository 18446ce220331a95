import { EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "./options.ts";

/** The wait before a failed call or opening of an embedder is repeated, in milliseconds, after this number of earlier failures in a row. */
export function embeddingRetryMs(failures: number): number {
  return Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** failures);
}
