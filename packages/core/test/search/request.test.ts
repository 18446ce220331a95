import { describe, expect, it } from "vitest";
import { ValidationError } from "../../src/model/errors.ts";
import { isFilterField } from "../../src/search/filter.ts";
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

describe("a search request", () => {
  it("has its defaults", () => {
    expect(parseSearchRequest({ query: "q" })).toEqual({
      query: "q",
      filters: {},
      topK: 10,
      includeFaqs: true,
      includeContent: false,
      onlyActiveIntents: false,
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

  it.each([
    [{}, "query required"],
    [{ query: "" }, "query minLength"],
    [{ query: "😀".repeat(4_097) }, "query maxLength"],
    [{ query: "\ud800" }, "query string"],
    [{ query: "q", options: { topK: 1.5 } }, "options.topK integer"],
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
