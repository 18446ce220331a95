import type { ArticleFields } from "../model/records.ts";
import type { Article, ArticleStatus } from "../model/types.ts";

/** An article as its owner sees it. */
export function articleView(fields: ArticleFields, status: ArticleStatus): Article {
  const { id, title, body, metadata, source, activeOn, createdAtMs, updatedAtMs, characterCount } = fields;
  return {
    id,
    status,
    title,
    body,
    metadata,
    ...(source === undefined ? {} : { source }),
    activeOn,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
    characterCount,
  };
}
