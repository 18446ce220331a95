import { describe, expect, it } from "vitest";
import { ValidationError } from "../../src/model/errors.ts";
import { isFilterField } from "../../src/search/filters/fields.ts";
import { parseSearchRequest } from "../../src/search/request.ts";

function violationsOf(body: unknown): string[] {
  try {
    parseSearchRequest(body);
  } catch (error) {
    if (error instanceof ValidationError) return error.violations.map(({ field, type }) => `${field} ${type}`);
    throw error;
  }
  return [];
}

const y = (operators: unknown): object => ({ "metaData.y": operators });
/** An object in `levels - 1` others. */
const nested = (levels: number, inner: object): object => (levels <= 1 ? inner : { not: nested(levels - 1, inner) });
const conditions = (count: number): object => ({
  and: Array.from({ length: Math.ceil(count / 10) }, (_, group) =>
    Object.fromEntries(
      Array.from({ length: Math.min(10, count - group * 10) }, (_, n) => [
        `metaData.k${n}`,
        n % 2 === 0 ? n : { gt: n },
      ]),
    ),
  ),
});

const badFilters: readonly (readonly [object, string])[] = [
  [y({}), "filters.metaData.y minItems"],
  [y(null), "filters.metaData.y filterValue"],
  [y([1]), "filters.metaData.y filterValue"],
  [y({ near: 1 }), "filters.metaData.y.near unknownField"],
  [y({ eq: null }), "filters.metaData.y.eq filterValue"],
  [y({ ne: [1] }), "filters.metaData.y.ne filterValue"],
  [y({ ne: "\ud800" }), "filters.metaData.y.ne string"],
  [y({ eq: "x".repeat(10_001) }), "filters.metaData.y.eq maxLength"],
  [y({ in: "x" }), "filters.metaData.y.in array"],
  [y({ in: [] }), "filters.metaData.y.in minItems"],
  [y({ nin: Array.from({ length: 1_001 }, () => 1) }), "filters.metaData.y.nin maxItems"],
  [y({ in: [1, null] }), "filters.metaData.y.in.1 filterValue"],
  [y({ gt: true }), "filters.metaData.y.gt filterValue"],
  [y({ gte: "2020" }), "filters.metaData.y.gte date"],
  [y({ lt: "2023-02-29" }), "filters.metaData.y.lt date"],
  [y({ lte: Number.POSITIVE_INFINITY }), "filters.metaData.y.lte filterValue"],
  [y({ exists: 1 }), "filters.metaData.y.exists boolean"],
  [y({ contains: "" }), "filters.metaData.y.contains minLength"],
  [y({ contains: 1 }), "filters.metaData.y.contains string"],
  [y({ startsWith: "x".repeat(10_001) }), "filters.metaData.y.startsWith maxLength"],
  [{ and: {} }, "filters.and array"],
  [{ or: [] }, "filters.or minItems"],
  [{ or: Array.from({ length: 51 }, () => ({})) }, "filters.or maxItems"],
  [{ or: [{}, 1] }, "filters.or.1 object"],
  [{ not: [{}] }, "filters.not object"],
  [{ or: [{}, y({ gte: "x" })] }, "filters.or.1.metaData.y.gte date"],
  [{ not: { and: [{ nonsense: 1 }] } }, "filters.not.and.0.nonsense unknownField"],
  [{ not: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`metaData.${i}`, 1])) }, "filters.not maxItems"],
  [nested(9, {}), `filters${".not".repeat(8)} maxDepth`],
  [conditions(201), "filters maxItems"],
];

describe("a search request", () => {
  it("has its defaults", () => {
    expect(parseSearchRequest({ query: "q" })).toEqual({
      query: "q",
      filters: {},
      topK: 10,
      includeFaqs: true,
      includeContent: false,
      onlyActiveIntents: false,
      context: "none",
      contextCharacters: 2_000,
      offset: undefined,
      minScore: 0,
    });
    expect(parseSearchRequest({ query: "q", options: { topK: 101 } }).topK).toBe(100);
  });

  it("names every broken rule at once", () => {
    const body = {
      query: 3,
      extra: 1,
      filters: { nonsense: 1, "metaData.": 1, url: null, type: ["x"], "metaData.a": "ok" },
      options: { topK: 0, includeFaqs: "yes", more: 1 },
    };
    expect(violationsOf(body).sort()).toEqual(
      [
        "extra unknownField",
        "filters.metaData. unknownField",
        "filters.nonsense unknownField",
        "filters.type filterValue",
        "filters.url filterValue",
        "options.includeFaqs boolean",
        "options.more unknownField",
        "options.topK range",
        "query string",
      ].sort(),
    );
  });

  it.each<readonly [unknown, string]>([
    [{}, "query required"],
    [{ query: "" }, "query minLength"],
    [{ query: "😀".repeat(4_097) }, "query maxLength"],
    [{ query: "\ud800" }, "query string"],
    [{ query: "q", options: { topK: 1.5 } }, "options.topK integer"],
    [{ query: "q", options: { context: "chapter" } }, "options.context enum"],
    [{ query: "q", options: { context: true } }, "options.context enum"],
    [{ query: "q", options: { contextCharacters: 0 } }, "options.contextCharacters range"],
    [{ query: "q", options: { contextCharacters: 20_001 } }, "options.contextCharacters range"],
    [{ query: "q", options: { contextCharacters: "9" } }, "options.contextCharacters integer"],
    [{ query: "q", options: { offset: -1 } }, "options.offset range"],
    [{ query: "q", options: { offset: 100 } }, "options.offset range"],
    [{ query: "q", options: { offset: 0.5 } }, "options.offset integer"],
    [{ query: "q", options: { minScore: 1.01 } }, "options.minScore range"],
    [{ query: "q", options: { minScore: -0.01 } }, "options.minScore range"],
    [{ query: "q", options: { minScore: Number.NaN } }, "options.minScore number"],
    [{ query: "q", options: { minScore: "0.5" } }, "options.minScore number"],
    [{ query: "q", options: [] }, "options object"],
    [{ query: "q", filters: "x" }, "filters object"],
    [
      { query: "q", filters: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`metaData.${i}`, 1])) },
      "filters maxItems",
    ],
    [{ query: "q", filters: { [`metaData.${"x".repeat(504)}`]: 1 } }, "filters maxLength"],
    [{ query: "q", filters: { ["x".repeat(16_384)]: 1 } }, "filters maxLength"],
    [{ query: "q", filters: { [`metaData${".x".repeat(33)}`]: 1 } }, `filters.metaData${".x".repeat(33)} maxItems`],
    [{ query: "q", filters: { "metaData.a": "x".repeat(10_001) } }, "filters.metaData.a maxLength"],
    [[], "body object"],
    [null, "body object"],
    ...badFilters.map(([filters, violation]): [object, string] => [{ query: "q", filters }, violation]),
  ])("%j is refused with %s", (body, violation) => {
    expect(violationsOf(body)).toEqual([violation]);
  });

  it("may have 4,096 characters of any plane in its query", () => {
    expect(violationsOf({ query: "😀".repeat(4_096) })).toEqual([]);
  });

  it("may have filters with names of 512 characters of any plane, 32 dots and texts of 10,000 characters", () => {
    const filters = {
      [`metaData.${"😀".repeat(503)}`]: 1,
      [`metaData${".x".repeat(32)}`]: 1,
      "metaData.text": "😀".repeat(10_000),
    };
    expect(violationsOf({ query: "q", filters })).toEqual([]);
  });

  it("may have filters of 8 levels, 200 conditions, 1,000 values and texts of 1 to 10,000 characters", () => {
    for (const filters of [
      nested(8, y(1)),
      conditions(200),
      { and: Array.from({ length: 50 }, () => ({})) },
      y({ in: Array.from({ length: 1_000 }, (_, n) => n) }),
      y({ contains: "x", startsWith: "😀".repeat(10_000), eq: "" }),
      y({ gte: "2020-02-29", lt: "2021-01-01T00:00:00.5+02:00" }),
    ]) {
      expect(violationsOf({ query: "q", filters })).toEqual([]);
      expect(parseSearchRequest({ query: "q", filters }).filters).toEqual(filters);
    }
  });

  it("is refused soon, where one object stands in it more often than it has room for", () => {
    let filters: object = {};
    for (let level = 1; level < 8; level++) filters = { and: Array.from({ length: 50 }, () => filters) };
    expect(violationsOf({ query: "q", filters })).toEqual(["filters maxItems"]);
  });

  it("shows of a name that is too long only its beginning", () => {
    const filters = { [`metaData.${"x".repeat(100_000)}`]: 1, [`metaData${".y".repeat(5_000)}`]: 1 };
    try {
      parseSearchRequest({ query: "q", filters });
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify((error as ValidationError).violations).length).toBeLessThan(600);
      expect((error as ValidationError).message).toContain("at most 512 characters");
    }
  });
});

describe("a filter", () => {
  it("names known fields only", () => {
    expect(["type", "metaData.title", "metaData", "metadata.title", "content", ""].map(isFilterField)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
