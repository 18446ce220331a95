import type { BotState } from "./state.ts";

/** What the state tells of its last write, wall clock: not of what was deleted, nor of what a program imported. 0 if there was none. */
export function lastKnownWriteMs({ articles, lastChargeMs, sources }: BotState): number {
  let last = lastChargeMs;
  for (const { fields } of articles.values()) last = Math.max(last, fields.updatedAtMs);
  for (const source of sources.all()) {
    for (const { importedAtMs = 0 } of source.arguments) last = Math.max(last, importedAtMs);
  }
  return last;
}
