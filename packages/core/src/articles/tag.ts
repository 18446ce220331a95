import { digestOf, readTags, type Tags } from "../model/entity-tags.ts";
import type { Article, ArticleStatus } from "../model/types.ts";
import { Violations } from "../model/validation.ts";

const STATUSES: readonly ArticleStatus[] = ["uploading", "active"];

/**
 * The entity tag of an article, with its quotes. It changes with any field of the article, its status included.
 * It depends on the fields alone, so it is the same after a restart, and wherever a backup is restored.
 */
export function articleTag(article: Article): string {
  return tagOf(digestOfArticle(article), article.status);
}

/**
 * Whether one of the tags in an `If-None-Match` is the article's.
 * @throws ValidationError if the text is no list of tags
 */
export function isKnownArticle(article: Article, ifNoneMatch: string): boolean {
  const violations = new Violations();
  const tags = readTags("if-none-match", ifNoneMatch, violations);
  violations.throwIfAny();
  const own = articleTag(article);
  return tags === "any" || tags?.some(({ tag }) => tag === own) === true;
}

/** The tags of an `If-Match`. Without one, any version matches. */
export function tagsOf(ifMatch: string | undefined, violations: Violations): Tags | undefined {
  return ifMatch === undefined ? "any" : readTags("if-match", ifMatch, violations);
}

/** Whether one of the tags belongs to the article as it is now, in any status. Weak tags never match. */
export function holds(tags: Tags, article: Article): boolean {
  if (tags === "any") return true;
  const digest = digestOfArticle(article);
  const own = new Set(STATUSES.map((status) => tagOf(digest, status)));
  return tags.some(({ tag, isWeak }) => !isWeak && own.has(tag));
}

function tagOf(digest: string, status: ArticleStatus): string {
  return `"${digest}.${status}"`;
}

/** Digest of all fields of an article but its status. */
function digestOfArticle({ status: _, ...said }: Article): string {
  return digestOf(said);
}
