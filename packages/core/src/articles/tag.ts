import { createHash } from "node:crypto";
import type { Article, ArticleStatus } from "../model/types.ts";
import { Violations } from "../model/validation.ts";

const STATUSES: readonly ArticleStatus[] = ["uploading", "active"];

/**
 * The entity tag of an article, with its quotes: another one as soon as any of its fields is another, its status included. It is made of
 * what the article says, so it is the same after a restart, and wherever a backup is restored.
 */
export function articleTag(article: Article): string {
  return tagOf(digestOf(article), article.status);
}

/**
 * Whether one of the tags in an `If-None-Match` is the article's.
 * @throws ValidationError for what is no list of tags
 */
export function isKnownArticle(article: Article, ifNoneMatch: string): boolean {
  const violations = new Violations();
  const tags = readTags("if-none-match", ifNoneMatch, violations);
  violations.throwIfAny();
  const own = articleTag(article);
  return tags === "any" || tags?.some(({ tag }) => tag === own) === true;
}

/** The tags that a write is made under the condition of. */
export type Tags = "any" | readonly EntityTag[];

interface EntityTag {
  /** With its quotes. */
  readonly tag: string;
  /** Says less than that the bytes are the same: no write can rely on it. */
  readonly isWeak: boolean;
}

/** Whether one of the tags was given of the article as it is now, whatever its status was then. */
export function holds(tags: Tags, article: Article): boolean {
  if (tags === "any") return true;
  const digest = digestOf(article);
  const own = new Set(STATUSES.map((status) => tagOf(digest, status)));
  return tags.some(({ tag, isWeak }) => !isWeak && own.has(tag));
}

/**
 * Reads a list of tags as it stands in a header (RFC 9110, 5.6.1 and 8.8.3): `*`, or tags in quotes with commas between them. Elements may be empty, but
 * there must be a tag. Undefined if it is none. Takes linear time.
 */
export function readTags(field: string, text: string, violations: Violations): Tags | undefined {
  if (ANY.test(text)) return "any";
  const tags: EntityTag[] = [];
  for (let at = 0; at < text.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const [all, weak, tag] = ELEMENT.exec(text) ?? [];
    // An empty match is the end of what can be read.
    if (all === undefined || all === "") break;
    if (tag !== undefined) tags.push({ tag, isWeak: weak !== undefined });
    if (ELEMENT.lastIndex === text.length && tags.length > 0) return tags;
  }
  violations.add(field, "header", `${field} must be * or a list of entity tags in double quotes, as ETag has them`);
  return undefined;
}

const ANY = /^[ \t]*\*[ \t]*$/;
/** White space, maybe a tag, and the comma behind it or the end. */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

function tagOf(digest: string, status: ArticleStatus): string {
  return `"${digest}.${status}"`;
}

/** Of all that an article says but its status: 128 bits. */
function digestOf({ status: _, ...said }: Article): string {
  return createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 22);
}
