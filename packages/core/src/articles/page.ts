import { PAGE_ARTICLES_MAX } from "../model/limits.ts";
import type { ArticlePageRequest } from "../model/types.ts";
import { Violations } from "../model/validation.ts";
import { isId } from "./identifier.ts";

/** Where an article stands in the order of lists. It never changes: so whatever is written meanwhile, the next page goes on behind it. */
export interface PageMark {
  readonly createdAtMs: number;
  readonly id: string;
}

/** As clients are given it. */
export function pageMarkText({ createdAtMs, id }: PageMark): string {
  return `${createdAtMs}-${id}`;
}

/** Refuses a page that there cannot be. */
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

/** What the page begins behind; undefined for the first. @throws ValidationError for a page that there cannot be */
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
