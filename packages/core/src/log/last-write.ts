import type { BotState } from "./state.ts";

/** Time of the last write that the state knows, in milliseconds of the wall clock; 0 if none. Deletions leave no time. */
export function lastKnownWriteMs({ articles, documents, lastChargeMs, sources }: BotState): number {
  let last = lastChargeMs;
  for (const { fields } of articles.values()) last = Math.max(last, fields.updatedAtMs);
  for (const { updatedAtMs = 0 } of documents.values()) last = Math.max(last, updatedAtMs);
  for (const source of sources.all()) {
    for (const { importedAtMs = 0 } of source.arguments) last = Math.max(last, importedAtMs);
  }
  return last;
}
