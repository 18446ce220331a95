import { createHash } from "node:crypto";
import type { Article, ArticleStatus } from "../model/types.ts";
import { Violations } from "../model/validation.ts";

const STATUSES: readonly ArticleStatus[] = ["uploading", "active"];

/**
 * The entity tag of an article, with its quotes. It changes with any field of the article, its status included.
 * It depends on the fields alone, so it is the same after a restart, and wherever a backup is restored.
 */
export function articleTag(article: Article): string {
  return tagOf(digestOf(article), article.status);
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

/** The entity tags of a write's condition; `any` for `*`. */
export type Tags = "any" | readonly EntityTag[];

interface EntityTag {
  /** With its quotes. */
  readonly tag: string;
  /** A weak tag does not say that the bytes are the same, so no write relies on it. */
  readonly isWeak: boolean;
}

/** Whether one of the tags belongs to the article as it is now, in any status. Weak tags never match. */
export function holds(tags: Tags, article: Article): boolean {
  if (tags === "any") return true;
  const digest = digestOf(article);
  const own = new Set(STATUSES.map((status) => tagOf(digest, status)));
  return tags.some(({ tag, isWeak }) => !isWeak && own.has(tag));
}

/**
 * Reads a list of tags from a header (RFC 9110, 5.6.1 and 8.8.3): `*`, or tags in quotes with commas between them.
 * Elements may be empty, but there must be a tag. Undefined, with a violation, for any other text. Takes linear time.
 */
export function readTags(field: string, text: string, violations: Violations): Tags | undefined {
  if (ANY.test(text)) return "any";
  const tags: EntityTag[] = [];
  for (let at = 0; at < text.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const [all, weak, tag] = ELEMENT.exec(text) ?? [];
    // An empty match: nothing more can be read.
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

/** Digest of all fields of an article but its status: the first 132 bits of the SHA-256, as 22 characters of base64url. */
function digestOf({ status: _, ...said }: Article): string {
  return createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 22);
}
