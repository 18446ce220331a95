import { PAGE_ARTICLES_MAX } from "../model/limits.ts";
import type { ArticlePageRequest } from "../model/types.ts";
import { Violations } from "../model/validation.ts";
import { isId } from "./identifier.ts";

/** Position of an article in the order of lists. It never changes, so the next page continues behind it, whatever is written meanwhile. */
export interface PageMark {
  readonly createdAtMs: number;
  readonly id: string;
}

/** The mark as clients get it in `next`. */
export function pageMarkText({ createdAtMs, id }: PageMark): string {
  return `${createdAtMs}-${id}`;
}

/** Checks a page request: `limit` is 1 to {@link PAGE_ARTICLES_MAX}, and `after` is the `next` of a page. */
export function checkPage({ limit, after }: ArticlePageRequest, violations: Violations): void {
  if (limit !== undefined && !Number.isInteger(limit)) {
    violations.add("limit", "integer", "limit must be a whole number");
  } else if (limit !== undefined && (limit < 1 || limit > PAGE_ARTICLES_MAX)) {
    violations.add("limit", "range", `limit must be from 1 to ${PAGE_ARTICLES_MAX}`);
  }
  if (after !== undefined && pageMark(after) === undefined) {
    violations.add("after", "page", "after must be what `next` was of the page before");
  }
}

/** The mark that a page begins behind; undefined for the first page. @throws ValidationError for an invalid request */
export function pageStart(request: ArticlePageRequest): PageMark | undefined {
  const violations = new Violations();
  checkPage(request, violations);
  violations.throwIfAny();
  return pageMark(request.after ?? "");
}

function pageMark(text: string): PageMark | undefined {
  const [, time, id] = /^(\d{1,16})-(.*)$/s.exec(text) ?? [];
  return time === undefined || id === undefined || !isId(id) ? undefined : { createdAtMs: Number(time), id };
}
