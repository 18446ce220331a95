import { createHash } from "node:crypto";
import { LoredexError } from "./errors.ts";
import { Violations } from "./validation.ts";

/** Entity tags (RFC 9110, 8.8.3): the names of versions, by which a write says what it replaces. */

/** The entity tags of a write's condition; `any` for `*`. */
export type Tags = "any" | readonly EntityTag[];

interface EntityTag {
  /** With its quotes. */
  readonly tag: string;
  /** A weak tag does not say that the bytes are the same, so no write relies on it. */
  readonly isWeak: boolean;
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

/** Digest of plain data: the first 132 bits of the SHA-256 of its JSON, as 22 characters of base64url. */
export function digestOf(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("base64url").slice(0, 22);
}

/**
 * The entity tag of a bot's vocabulary or golden questions, with its quotes. It changes with any of their fields, and depends on them alone. So it is the same
 * after a restart, and wherever a backup is restored.
 */
export function contentTag(content: object): string {
  return `"${digestOf(content)}"`;
}

/** Options of a write that replaces a bot's vocabulary or golden questions. */
export interface ContentChangeOptions {
  /**
   * A tag of `contentTag`, or several with commas between them. The write is refused unless one of them is the tag of what it would replace.
   * Default: whatever is there is replaced.
   */
  readonly ifMatch?: string;
}

/** Reads the condition of such a write. @throws ValidationError */
export function contentCondition({ ifMatch }: ContentChangeOptions): Tags {
  if (ifMatch === undefined) return "any";
  const violations = new Violations();
  const tags = readTags("if-match", ifMatch, violations);
  violations.throwIfAny();
  return tags ?? [];
}

/** Requires that a condition holds. @throws LoredexError `CONTENT_CHANGED` */
export function requireContent(tags: Tags, content: object): void {
  if (tags === "any") return;
  const own = contentTag(content);
  if (tags.some(({ tag, isWeak }) => !isWeak && tag === own)) return;
  throw new LoredexError("CONTENT_CHANGED", "What the write would replace is not as it was when its tag was given.");
}
