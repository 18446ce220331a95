import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import type { SearchFilter } from "../../src/model/filter-types.ts";
import { SLICE_OPERATIONS_MAX } from "../../src/model/limits.ts";
import type { JsonObject, SearchableDocument } from "../../src/model/types.ts";
import { finished, UNCOUNTED } from "../../src/scheduling/time-slices.ts";
import { droppedBy } from "../../src/search/filters/allowed-documents.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { filter, fits, metaData } from "../support/filter-arbitraries.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

function indexOf(all: readonly Partial<SearchableDocument>[]): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, given] of all.entries()) {
    const known = { id: `d${i}`, type: "DOCUMENT", status: "active", metaData: {}, titles: [] } as const;
    index.replace({ ...known, content: [{ md: "pear" }], ...given }, 1);
  }
  return index;
}

/** The ids of the documents that a filter allows. */
function allowed(index: SearchIndex, filters: SearchFilter, options: object = {}): string[] {
  const set = finished(index.filters.allowedBy(parseSearchRequest({ query: "pear", filters, options })));
  return [...index.documents].filter(({ slot }) => set?.has(slot) ?? true).map(({ document }) => document.id);
}

/** Whether one document with this metadata is allowed. */
function holds(metaData: JsonObject, filters: SearchFilter): boolean {
  return allowed(indexOf([{ metaData }]), filters).length === 1;
}

const a = (operators: SearchFilter[string]): SearchFilter => ({ "metaData.a": operators });

describe("filters", () => {
  it("allow what a plain reading of them allows, and tell which of their entries drop the rest", () => {
    let [dropped, kept, groups] = [0, 0, 0];
    fc.assert(
      fc.property(fc.array(metaData, { minLength: 1, maxLength: 6 }), filter, (all, wanted) => {
        const index = indexOf(
          all.map((each, i) => ({
            metaData: each,
            type: i % 2 === 0 ? "PDF" : "DOCUMENT",
            ...(i % 3 === 0 ? { url: "xy" } : {}),
          })),
        );
        const request = parseSearchRequest({ query: "pear", filters: wanted });
        const set = finished(index.filters.allowedBy(request));
        for (const { document, slot } of index.documents) {
          const isWanted = fits(wanted, document);
          expect(set?.has(slot) ?? true).toBe(isWanted);
          const drops = finished(droppedBy(request, document, UNCOUNTED));
          expect(drops.length === 0).toBe(isWanted);
          for (const { field } of drops) expect(field).toMatch(/^filters\./);
          if (isWanted) kept++;
          else dropped++;
        }
        if (wanted.or !== undefined || wanted.not !== undefined) groups++;
      }),
      { numRuns: lawRuns(2_000) },
    );
    expect(Math.min(dropped, kept, groups)).toBeGreaterThan(20);
  });

  it.each<[JsonObject, SearchFilter, boolean]>([
    [{ a: ["x", "y"] }, a("x"), true],
    [{ a: ["x", "y"] }, a({ eq: "z" }), false],
    [{ a: ["x", "y"] }, a({ ne: "x" }), false],
    [{ a: ["x", "y"] }, a({ in: ["y", "z"] }), true],
    [{ a: ["x", "y"] }, a({ nin: ["y", "z"] }), false],
    [{ a: [1, 5] }, a({ gt: 4 }), true],
    // One element may fit one operator, and another element the other.
    [{ a: [1, 9] }, a({ gt: 4, lt: 6 }), true],
    [{ a: [1, 3] }, a({ gt: 4 }), false],
    [{ a: ["pear"] }, a({ startsWith: "pe" }), true],
    [{ a: ["pear"] }, a({ contains: "pe" }), false],
    [{ a: ["pear"] }, a({ contains: "pear" }), true],
    [{ a: "a pear" }, a({ contains: "pe" }), true],
    [{ a: "a Pear" }, a({ contains: "pe" }), false],
    [{ a: "a pear" }, a({ startsWith: "pe" }), false],
    [{ a: 12 }, a({ startsWith: "1" }), false],
    [{ a: [] }, a({ exists: true }), true],
    [{ a: [] }, a({ ne: "x" }), true],
    [{ a: {} }, a({ exists: true }), true],
    [{ a: { x: 1 } }, a({ contains: "x" }), false],
  ])("%j: %j is %j", (metaData, filters, expected) => {
    expect(holds(metaData, filters)).toBe(expected);
  });

  it.each([{}, { a: null }])("take %j for a missing field, which only ne, nin and exists: false allow", (metaData) => {
    const x = ["x"];
    for (const operators of [{ ne: "x" }, { nin: x }, { exists: false }])
      expect(holds(metaData, a(operators))).toBe(true);
    const others = [{ eq: "x" }, { in: x }, { gt: 0 }, { gte: 0 }, { lt: 9 }, { lte: 9 }];
    for (const operators of [...others, { exists: true }, { contains: "x" }, { startsWith: "x" }]) {
      expect(holds(metaData, a(operators))).toBe(false);
    }
    expect(holds(metaData, { not: a("x") })).toBe(true);
  });

  it.each<[string | number, SearchFilter[string], boolean]>([
    [2020, { gte: 2020 }, true],
    [2020, { gt: 2020 }, false],
    ["2020", { gte: 2020 }, false],
    ["2020", { gte: "2020-01-01" }, false],
    [1_577_836_800, { gte: "2020-01-01" }, false],
    ["2020-01-01", { gte: "2020-01-01T00:00:00Z", lte: "2020-01-01T00:00:00" }, true],
    ["2020-01-01T01:30:00+01:30", { gte: "2020-01-01", lte: "2020-01-01" }, true],
    ["2020-01-01T00:00:00.000000001Z", { gt: "2020-01-01T00:00:00Z", lt: "2020-01-01T00:00:00.0000000011z" }, true],
    ["2020-01-01t00:00:00.10Z", { gte: "2020-01-01T00:00:00.1Z", lte: "2020-01-01T00:00:00.100Z" }, true],
    ["0000-02-29", { lt: "0001-01-01" }, true],
    ["2019-02-29", { lt: "2030-01-01" }, false],
    ["1 January 2020", { lt: "2030-01-01" }, false],
  ])("compare %j by %j: %j", (value, operators, expected) => {
    expect(holds({ a: value }, a(operators))).toBe(expected);
  });

  it("prefer a literal key with dots, also where it is null", () => {
    const deep = { "metaData.a.b": { gte: 2 } };
    expect(holds({ "a.b": 2, a: { b: 1 } }, deep)).toBe(true);
    expect(holds({ "a.b": 1, a: { b: 2 } }, deep)).toBe(false);
    expect(holds({ a: { b: 2 } }, deep)).toBe(true);
    expect(holds({ "a.b": null, a: { b: 2 } }, deep)).toBe(false);
    expect(holds({ "a.b": null, a: { b: 2 } }, { "metaData.a.b": { exists: false } })).toBe(true);
  });

  it("say of a dropped document which entry drops it, by its dotted name", () => {
    const filters = { type: "PDF", "metaData.a": { gte: 3, exists: true }, or: [a("x"), a("y")], not: a(1) };
    const request = parseSearchRequest({ query: "pear", filters, options: { includeFaqs: false } });
    const [known] = [...indexOf([{ metaData: { a: 1 }, type: "QNA" }]).documents];
    expect(finished(droppedBy(request, known?.document ?? expect.fail(), UNCOUNTED))).toEqual([
      { field: "options.includeFaqs", wanted: false, found: "QNA" },
      { field: "filters.type", wanted: "PDF", found: "QNA" },
      { field: "filters.metaData.a.gte", wanted: 3, found: 1 },
      { field: "filters.or", wanted: [a("x"), a("y")] },
      { field: "filters.not", wanted: a(1) },
    ]);
  });

  it("remember the sets of several filters until a document changes", () => {
    const index = indexOf([{ metaData: { a: 1 } }, { metaData: { a: 2 } }]);
    const operations = (filters: SearchFilter): number => {
      const before = index.effort.operations;
      allowed(index, filters);
      return index.effort.operations - before;
    };
    const all = [a(1), a({ gte: 2 }), a({ gte: 1 })];
    for (const each of all) expect(operations(each)).toBeGreaterThan(0);
    for (const each of all) expect(operations(each)).toBe(0);
    const [first] = [...index.documents];
    index.amend({ ...(first?.document ?? expect.fail()), metaData: { a: 2 } });
    for (const each of all) expect(operations(each)).toBeGreaterThan(0);
    expect(allowed(index, a({ gte: 2 }))).toEqual(["d0", "d1"]);
    // The oldest of too many is decided again.
    for (let n = 0; n < 8; n++) allowed(index, a({ gte: n + 10 }));
    expect(operations(a({ gte: 17 }))).toBe(0);
    expect(operations(a(1))).toBeGreaterThan(0);
  });

  it("yield inside a document, where 200 conditions search long texts that nearly hold what is wanted", () => {
    const nearly = `${"a".repeat(9_999)}b`;
    const contains = (n: number): SearchFilter => ({
      [`metaData.k${n % 4}`]: { contains: `${"a".repeat(2_000 + n)}c` },
    });
    const or = Array.from({ length: 4 }, (_, group) => ({
      or: Array.from({ length: 50 }, (_, n) => contains(group * 50 + n)),
    }));
    const long = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`k${n}`, nearly.repeat(n === 0 ? 100 : 1)]));
    const index = indexOf([{ metaData: long }, { metaData: long }]);
    const work = index.filters.allowedBy(parseSearchRequest({ query: "pear", filters: { or } }));
    let [yields, most, before] = [0, 0, index.effort.operations];
    for (let step = work.next(); ; step = work.next()) {
      most = Math.max(most, index.effort.operations - before);
      before = index.effort.operations;
      if (step.done === true) break;
      yields++;
    }
    // 50 conditions read the million characters of the first key, in each of two documents.
    expect(yields).toBeGreaterThanOrEqual(100);
    expect(most).toBeLessThan(SLICE_OPERATIONS_MAX);
    expect(index.effort.operations).toBeGreaterThan((2 * 50 * 1_000_000) / 8);
  });
});
