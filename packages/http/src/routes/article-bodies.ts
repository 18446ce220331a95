import type { ArticleWrite } from "@loredex/core";

/** The answers to writes of articles, alone or in a batch. */

export const CREATED = "Content addition was initiated.";
export const UPDATED = "Content update was initiated.";

export function writtenBody(message: string, { article, characterUsed }: ArticleWrite) {
  return { success: true, message, data: article, characterUsed };
}

export function deletedBody(id: string) {
  return { success: true, message: `Article ${id} was deleted.` };
}
