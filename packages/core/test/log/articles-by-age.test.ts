import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VersionedArticle } from "../../src/log/article-table.ts";
import { articlesIn } from "../../src/log/listings.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import type { ArticleFields } from "../../src/model/records.ts";
import type { ArticleFilter } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";

/** Looks at articles by all that reads them. */
let looks = 0;

function article(id: string, createdAtMs: number, tag = "a", version = 1): VersionedArticle {
  const text = { title: `Title ${tag}`, body: "Body", metadata: { tag, all: "yes" }, activeOn: [] };
  const fields: ArticleFields = { id, ...text, createdAtMs, updatedAtMs: createdAtMs, characterCount: 9 };
  return {
    version,
    bytes: 0,
    get fields() {
      looks++;
      return fields;
    },
  };
}

function idsOf(listed: Iterable<VersionedArticle>): string[] {
  return [...listed].map(({ fields }) => fields.id);
}

/** All that a look at each and a sort finds. */
function wanted(state: BotState, { title, metadata = new Map() }: ArticleFilter): VersionedArticle[] {
  const isWanted = ({ fields }: VersionedArticle): boolean =>
    (title === undefined || fields.title === title) &&
    [...metadata].every(([key, text]) => String(fields.metadata[key]) === text);
  const all = [...state.articles.values()].filter(isWanted);
  return all.sort(({ fields: a }, { fields: b }) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
}

/** Its pages, one after the other; `between` is called after each. */
function pagesOf(
  state: BotState,
  filter: ArticleFilter,
  max: number,
  between: () => void = () => undefined,
): VersionedArticle[] {
  const listed: VersionedArticle[] = [];
  for (;;) {
    const page = finished(articlesIn(state, filter, { start: listed.at(-1)?.fields, max }));
    listed.push(...page);
    if (page.length < max) return listed;
    between();
  }
}

const tags = fc.constantFrom("a", "a", "a", "b");
const puts = fc.record({ id: fc.nat(2_500), at: fc.nat(40), tag: tags });
const removes = fc.record({ removed: fc.nat(2_500) });
const changes = fc.array(fc.oneof(puts, removes), { maxLength: 40 });
const filters = fc.constantFrom<ArticleFilter>(
  {},
  { title: "Title b" },
  { metadata: new Map([["tag", "b"]]) },
  {
    metadata: new Map([
      ["all", "yes"],
      ["tag", "a"],
    ]),
  },
);

type Change = typeof changes extends fc.Arbitrary<(infer Drawn)[]> ? Drawn : never;

function change(state: BotState, step: Change): void {
  if ("removed" in step) state.articles.delete(`${step.removed}`);
  else state.articles.set(`${step.id}`, article(`${step.id}`, step.at, step.tag, 2));
}

/** So many, in an order of their own: long enough that they stand in several runs. */
function stateOf(count: number, order: number): BotState {
  const state = emptyState();
  for (let i = 0; i < count; i++) {
    const n = (i * order) % count;
    state.articles.set(`${n}`, article(`${n}`, n % 40, n % 50 === 0 ? "b" : "a"));
  }
  return state;
}

describe("a list in pages", () => {
  it("is the whole list in its order, whatever was written before", () => {
    const orders = fc.constantFrom(1, 7, 1_999);
    fc.assert(
      fc.property(orders, changes, filters, fc.integer({ min: 1, max: 700 }), (order, before, filter, max) => {
        const state = stateOf(2_000, order);
        for (const step of before) change(state, step);
        const whole = wanted(state, filter);
        expect(finished(articlesIn(state, filter))).toEqual(whole);
        expect(pagesOf(state, filter, max)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it("has nothing twice, and all that was there all the time, while others write", () => {
    fc.assert(
      fc.property(changes, filters, fc.integer({ min: 20, max: 300 }), (meanwhile, filter, max) => {
        const state = stateOf(1_500, 7);
        const touched = new Set(meanwhile.map((step) => `${"removed" in step ? step.removed : step.id}`));
        const stayed = idsOf(wanted(state, filter)).filter((id) => !touched.has(id));
        const staged = [...meanwhile];
        const listed = idsOf(
          pagesOf(state, filter, max, () => {
            for (const step of staged.splice(0, 5)) change(state, step);
          }),
        );
        const untouched = listed.filter((id) => !touched.has(id));
        expect(untouched).toEqual(stayed);
      }),
      { numRuns: 30 },
    );
  });

  it("looks at a page's articles for a page, and at each a few times for all pages, whatever they are asked by", () => {
    const state = stateOf(10_000, 1);
    // What finds by metadata is read bit by bit, at the first lookups.
    for (let i = 0; i < 20; i++) for (const key of ["all", "tag"]) state.articles.withMetadata(key, "-");
    const all = new Map([["all", "yes"]]);
    for (const filter of [
      {},
      { title: "Title a" },
      { title: "Title b" },
      { metadata: all },
    ] satisfies ArticleFilter[]) {
      looks = 0;
      pagesOf(state, filter, 100);
      expect(looks).toBeLessThan(100_000);
    }
    looks = 0;
    const start = { createdAtMs: 20, id: "" };
    expect(finished(articlesIn(state, {}, { start, max: 100 }))).toHaveLength(100);
    expect(looks).toBeLessThan(2_000);
    looks = 0;
    // A few of many are not looked for among all.
    const few = finished(articlesIn(state, { metadata: new Map([["tag", "b"]]) }, { max: 1_000 }));
    expect(few).toHaveLength(200);
    expect(looks).toBeLessThan(5_000);
  });

  it("is of the moment of its first step, whatever is written while it is read", () => {
    const state = stateOf(3_000, 7);
    const before = wanted(state, {});
    const steps = articlesIn(state, {});
    steps.next();
    for (let i = 0; i < 3_000; i += 3) change(state, { removed: i });
    for (let i = 0; i < 3_000; i += 7) change(state, { id: i, at: i % 40, tag: "b" });
    expect(finished(steps)).toEqual(before);
    expect(finished(articlesIn(state, {}))).toEqual(wanted(state, {}));
  });
});
