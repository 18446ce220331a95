import { signal } from "@preact/signals";
import type { Draft } from "../api/types.ts";

/** Unsaved texts, by bot and article. In memory alone: a browser that several people use keeps no knowledge. */
const drafts = new Map<string, Draft>();
export const unsavedCount = signal(0);

export function draftOf(key: string): Draft | undefined {
  return drafts.get(key);
}

export function keepDraft(key: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(key);
  else drafts.set(key, draft);
  unsavedCount.value = drafts.size;
}

export function forgetDrafts(): void {
  drafts.clear();
  unsavedCount.value = 0;
}

addEventListener("beforeunload", (event) => {
  if (unsavedCount.value > 0) event.preventDefault();
});
