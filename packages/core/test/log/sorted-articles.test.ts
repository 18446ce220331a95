import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageMarkText, pageStart } from "../../src/articles/page.ts";
import { versioned } from "../../src/log/article-table.ts";
import { sortedArticlesIn } from "../../src/log/listings.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import { ValidationError } from "../../src/model/errors.ts";
import { PAGE_MARK_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from "../../src/model/limits.ts";
import { ARTICLE_SORTS, type ArticleSort } from "../../src/model/options.ts";
import type { ArticleFields } from "../../src/model/records.ts";
import type { ArticleFilter } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";

const idOf = (n: number): string => n.toString(16).padStart(24, "0");
const titles = fc.constantFrom(
  "abc",
  "ABC",
  "Äbc",
  "äbd",
  `${"x".repeat(99)}a`,
  `${"x".repeat(100)}b`,
  `${"x".repeat(100)}a`,
);
const article = fc.record({
  n: fc.nat(3_000),
  title: titles,
  createdAtMs: fc.nat(9),
  updatedAtMs: fc.nat(9),
  tag: fc.nat(2),
});
const filters = fc.constantFrom<ArticleFilter>(
  {},
  {},
  { title: "abc" },
  { metadata: new Map([["tag", "1"]]) },
  { id: idOf(7) },
);

function stateOf(articles: readonly ArticleFields[]): BotState {
  const state = emptyState();
  for (const fields of articles) state.articles.set(fields.id, versioned(fields, 1));
  return state;
}

/** The order as its description says it. */
function compared(a: ArticleFields, b: ArticleFields, sort: ArticleSort): number {
  const [by, direction] = sort.split(":");
  const keyOf = ({ createdAtMs, updatedAtMs, title }: ArticleFields): number | string =>
    by === "createdAt" ? createdAtMs : by === "updatedAt" ? updatedAtMs : title.slice(0, 100).toLowerCase();
  const [one, other] = [keyOf(a), keyOf(b)];
  const ascending = one === other ? (a.id < b.id ? -1 : 1) : one < other ? -1 : 1;
  return direction === "asc" ? ascending : -ascending;
}

describe("a sorted list", () => {
  it("is the articles that match, in its order, page by page", () => {
    let [pages, listed] = [0, 0];
    fc.assert(
      fc.property(
        fc.uniqueArray(article, { selector: ({ n }) => n, maxLength: 60 }),
        fc.constantFrom(1, 40),
        fc.constantFrom(...ARTICLE_SORTS),
        filters,
        fc.integer({ min: 1, max: 12 }),
        (drawn, copies, sort, filter, limit) => {
          const articles = Array.from({ length: copies }, (_, copy) =>
            drawn.map(({ n, tag, ...fields }) => ({
              ...{ id: idOf(n + copy * 4_096), body: "x", metadata: { tag }, activeOn: [], characterCount: 4 },
              ...fields,
            })),
          ).flat();
          const state = stateOf(articles);
          const { id, title, metadata } = filter;
          const wanted = articles
            .filter((each) => (id ?? each.id) === each.id && (title ?? each.title) === each.title)
            .filter((each) => metadata === undefined || each.metadata.tag === 1)
            .sort((a, b) => compared(a, b, sort))
            .map((each) => each.id);
          expect(finished(sortedArticlesIn(state, filter, { sort })).map(({ fields }) => fields.id)).toEqual(wanted);
          const seen: string[] = [];
          for (let after: string | undefined; ; pages++) {
            const start = pageStart({ sort, ...(after === undefined ? {} : { after }) });
            const page = finished(sortedArticlesIn(state, filter, { sort, start, max: limit * copies }));
            seen.push(...page.map(({ fields }) => fields.id));
            expect(seen.length).toBeLessThanOrEqual(wanted.length);
            const last = page.at(-1);
            if (page.length < limit * copies || last === undefined) break;
            after = pageMarkText(last.fields, sort);
          }
          expect(seen).toEqual(wanted);
          listed += seen.length;
        },
      ),
      { numRuns: 60 },
    );
    expect(Math.min(pages, listed)).toBeGreaterThan(2);
  });

  it("has marks of a bounded length, which nobody can make up", () => {
    for (const each of ["\u0001", "İ", "漢", "😀", '"']) {
      const fields = { id: idOf(1), title: each.repeat(TITLE_CHARACTERS_MAX), createdAtMs: 1, updatedAtMs: 1 };
      const mark = pageMarkText(fields, "title:asc");
      expect(mark.length).toBeLessThanOrEqual(PAGE_MARK_CHARACTERS_MAX);
      expect(mark).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(pageStart({ sort: "title:asc", after: mark })?.id).toBe(fields.id);
    }
    const made = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const value of [
      1,
      null,
      {},
      [],
      ["title:asc", 1, idOf(1)],
      ["title:asc", "x", "y"],
      ["title:desc", "x", idOf(1)],
    ])
      expect(() => pageStart({ sort: "title:asc", after: made(value) })).toThrow(ValidationError);
    expect(() => pageStart({ sort: "updatedAt:asc", after: made(["updatedAt:asc", "x", idOf(1)]) })).toThrow(
      ValidationError,
    );
  });
});
