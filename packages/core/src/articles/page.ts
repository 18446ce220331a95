import { articleOrder, type SortedFields, type SortPlace } from "../log/article-order.ts";
import { PAGE_ARTICLES_MAX, PAGE_MARK_CHARACTERS_MAX } from "../model/limits.ts";
import { ARTICLE_SORT_DEFAULT, ARTICLE_SORTS, type ArticleSort } from "../model/options.ts";
import type { ArticlePageRequest } from "../model/types.ts";
import { Violations } from "../model/validation.ts";
import { isId } from "./identifier.ts";

/** The position behind an article, as clients get it in `next`. With the default order it never changes. */
export function pageMarkText(fields: SortedFields, sort: ArticleSort): string {
  const { id } = fields;
  const key = articleOrder(sort).keyOf(fields);
  if (sort === ARTICLE_SORT_DEFAULT) return `${key}-${id}`;
  return Buffer.from(JSON.stringify([sort, key, id])).toString("base64url");
}

/** Checks a page request: `limit` is 1 to {@link PAGE_ARTICLES_MAX}, and `after` is the `next` of a page in the same order. */
export function checkPage(
  { limit, after, sort = ARTICLE_SORT_DEFAULT }: ArticlePageRequest,
  violations: Violations,
): void {
  if (limit !== undefined && !Number.isInteger(limit)) {
    violations.add("limit", "integer", "limit must be a whole number");
  } else if (limit !== undefined && (limit < 1 || limit > PAGE_ARTICLES_MAX)) {
    violations.add("limit", "range", `limit must be from 1 to ${PAGE_ARTICLES_MAX}`);
  }
  if (violations.oneOf("sort", sort, ARTICLE_SORTS) !== undefined && after !== undefined) {
    if (pageMark(after, sort) === undefined)
      violations.add("after", "page", "after must be `next` of the page before, with the same sort");
  }
}

/** The place that a page begins behind; undefined for the first page. @throws ValidationError for an invalid request */
export function pageStart(request: ArticlePageRequest): SortPlace | undefined {
  const violations = new Violations();
  checkPage(request, violations);
  violations.throwIfAny();
  return pageMark(request.after ?? "", request.sort ?? ARTICLE_SORT_DEFAULT);
}

function pageMark(text: string, sort: ArticleSort): SortPlace | undefined {
  if (sort === ARTICLE_SORT_DEFAULT) {
    const [, time, id] = /^(\d{1,16})-(.*)$/s.exec(text) ?? [];
    return time === undefined || id === undefined || !isId(id) ? undefined : { key: Number(time), id };
  }
  const read = text.length > PAGE_MARK_CHARACTERS_MAX ? undefined : jsonOf(text);
  if (!Array.isArray(read)) return undefined;
  const [ofSort, key, id]: unknown[] = read;
  const isKey = sort.startsWith("title:") ? typeof key === "string" : Number.isSafeInteger(key);
  return ofSort === sort && isKey && typeof id === "string" && isId(id)
    ? { key: key as SortPlace["key"], id }
    : undefined;
}

/** The value that a text is the base64url of; undefined if there is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
