import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { FilterValue } from "../../src/model/filter-types.ts";
import { FACET_TEXT_CHARACTERS_MAX, FACET_VALUES_COUNTED_MAX, FACET_VALUES_MAX } from "../../src/model/limits.ts";
import type { FacetValue, JsonValue, QueryAnswer, SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { SEARCH_BUDGET } from "../../src/search/budget.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { queryAnswer } from "../../src/search/query.ts";
import { parseQueryRequest } from "../../src/search/query-request.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answerBy, findHybrid } from "../../src/search/search.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { fieldOf, filter, metaData } from "../support/filter-arbitraries.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });

const WORDS = ["pear", "plum", "fig", "car", "buy", "hound", "penguin", "harbour"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const question = fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: fc.constant("?!") });
const document = fc.record({
  md: fc.array(text, { minLength: 1, maxLength: 3 }),
  title: text,
  metaData,
  isFaq: fc.boolean(),
});
const field = fc.constantFrom("metaData.a", "metaData.b", "metaData.a.b", "type", "status", "url", "resourceDocId");
const facets = fc.uniqueArray(field, { minLength: 1, maxLength: 3 });

function searchable(id: string, md: string, given: Partial<SearchableDocument> = {}): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [], ...given };
}

function indexOf(documents: readonly SearchableDocument[], hasVectors: boolean, counts = SEARCH_BUDGET.counts) {
  const index = new SearchIndex(analyzer, undefined, { ...SEARCH_BUDGET, counts });
  if (hasVectors) index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  const encode = hasVectors ? (each: string) => encodeVector(embedder.vectorOf(each)) : undefined;
  for (const document of documents) {
    const replacement = { version: 1, cut: cutDocument(document), current: () => document, encode };
    finished(index.replaceInSlices(document, replacement));
  }
  return index;
}

function questionFor(index: SearchIndex, query: string) {
  const embedded = index.windowVectors.rows === undefined ? undefined : { embedder, vector: embedder.vectorOf(query) };
  return { analyzed: analyzeQuery(query, index.reader), embedded };
}

function search(index: SearchIndex, query: string, body: object): SearchResult[] {
  const { analyzed, embedded } = questionFor(index, query);
  return answer(index, parseSearchRequest({ query, ...body }), analyzed, embedded);
}

function ask(
  index: SearchIndex,
  query: string,
  { options = {}, ...body }: { options?: object; filters?: object } = {},
): QueryAnswer {
  const { analyzed, embedded } = questionFor(index, query);
  const request = parseQueryRequest({ query, options, ...body });
  const searched = request.groupBy === undefined ? request : { ...request, topK: 100, offset: undefined };
  const hits = finished(findHybrid(index, searched, analyzed, embedded, undefined));
  const { results } = finished(answerBy(index, searched, hits, undefined));
  return finished(queryAnswer(index, request, hits, results));
}

/** The values of a field, each once. */
function valuesOf(name: string, document: SearchableDocument): FilterValue[] {
  const value = fieldOf(name, document);
  const each: readonly (JsonValue | undefined)[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const plain = each.filter((one) => ["string", "number", "boolean"].includes(typeof one)) as FilterValue[];
  // 0 and -0 are one value.
  return [...new Set(plain)];
}

function countsOf(name: string, documents: readonly SearchableDocument[]): Map<FilterValue, number> {
  const counts = new Map<FilterValue, number>();
  for (const value of documents.flatMap((document) => valuesOf(name, document)))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function documentsOf(
  drawn: readonly { md: string[]; title: string; metaData: SearchableDocument["metaData"]; isFaq: boolean }[],
) {
  return drawn.map(({ md, title, metaData, isFaq }, i) =>
    searchable(`d${i}`, md.join("\n\n"), { metaData, titles: [title], type: isFaq ? "QNA" : "DOCUMENT" }),
  );
}

describe("a query", () => {
  it("counts what a search without a maximum finds", () => {
    let counted = 0;
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 30 }),
        fc.array(
          fc.tuple(question, fc.oneof(fc.constant({}), filter), facets, fc.boolean(), fc.integer({ min: 1, max: 8 })),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        fc.boolean(),
        fc.nat(30),
        (drawn, asked, hasVectors, gone) => {
          const documents = documentsOf(drawn);
          const index = indexOf(documents, hasVectors);
          index.remove(`d${gone}`);
          for (const [query, filters, names, includeFaqs, topK] of asked) {
            const all = search(index, query, { filters, options: { topK: 100, includeFaqs } });
            const found = documents.filter(({ id }) => all.some(({ resourceDocId }) => resourceDocId === id));
            const {
              total,
              facets: told = {},
              results,
            } = ask(index, query, {
              ...{ filters, options: { facets: names, topK, includeFaqs } },
            });
            expect(results).toEqual(all.slice(0, topK));
            expect(total).toBe(all.length);
            expect(Object.keys(told)).toEqual(names);
            for (const name of names) {
              const expected = countsOf(name, found);
              const values = told[name] ?? [];
              expect(values.length).toBe(Math.min(expected.size, FACET_VALUES_MAX));
              for (const { value, count } of values) expect([value, expected.get(value)]).toEqual([value, count]);
              counted += values.length;
            }
          }
        },
      ),
      { numRuns: lawRuns(150) },
    );
    expect(counted).toBeGreaterThan(10);
  });

  it("finds as many documents by the filter of a value as it has counted", () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 20 }), text, field, (drawn, query, name) => {
        const index = indexOf(documentsOf(drawn), true);
        for (const { value, count } of ask(index, query, { options: { facets: [name] } }).facets?.[name] ?? [])
          expect(ask(index, query, { filters: { [name]: value } }).total).toBe(count);
      }),
      { numRuns: lawRuns(60) },
    );
  });

  it("groups the ranking of a search, and leaves its results as they are", () => {
    let grouped = 0;
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 30 }),
        text,
        field,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        fc.constantFrom(undefined, 0, 1, 3),
        (drawn, query, groupBy, topK, groupSize, hasVectors, offset) => {
          const documents = documentsOf(drawn);
          const index = indexOf(documents, hasVectors);
          const ranking = search(index, query, { options: { topK: 100 } });
          const from = offset ?? 0;
          const options = { topK, groupBy, groupSize, ...(offset === undefined ? {} : { offset }) };
          const { results, groups = [] } = ask(index, query, { options });
          expect(results).toEqual(ranking.slice(from, from + topK));
          const groupOf = ({ resourceDocId }: SearchResult): FilterValue | null => {
            const found = documents.find(({ id }) => id === resourceDocId) ?? expect.fail("an unknown document");
            return valuesOf(groupBy, found)[0] ?? null;
          };
          const values = [...new Set(ranking.map(groupOf))].slice(from, from + topK);
          expect(groups).toEqual(
            values.map((value) => ({
              value,
              results: ranking.filter((each) => groupOf(each) === value).slice(0, groupSize),
            })),
          );
          grouped += groups.length;
        },
      ),
      { numRuns: lawRuns(150) },
    );
    expect(grouped).toBeGreaterThan(20);
  });
});

const values = (counts: readonly FacetValue[] | undefined) => counts?.map(({ value, count }) => [value, count]);

describe("facets", () => {
  it("are in the order of their counts, then of booleans, numbers and texts", () => {
    const lists: JsonValue[] = [
      ["b", "a", 10, 9, true, "b"],
      ["b", false],
      [[1], null, { a: 1 }, "b"],
    ];
    const index = indexOf(
      lists.map((tags, i) => searchable(`d${i}`, "pear", { metaData: { tags } })),
      false,
    );
    const { facets: told } = ask(index, "pear", { options: { facets: ["metaData.tags"] } });
    expect(values(told?.["metaData.tags"])).toEqual([
      ["b", 3],
      [false, 1],
      [true, 1],
      [9, 1],
      [10, 1],
      ["a", 1],
    ]);
  });

  it("have the most frequent of many values, and none of long texts", () => {
    const documents = Array.from({ length: 60 }, (_, i) =>
      searchable(`d${i}`, "pear", { metaData: { n: i % 25, long: "x".repeat(FACET_TEXT_CHARACTERS_MAX + (i % 2)) } }),
    );
    const names = ["metaData.n", "metaData.long"];
    const { facets: told } = ask(indexOf(documents, false), "pear", { options: { facets: names } });
    expect(values(told?.["metaData.n"])).toEqual([
      ...Array.from({ length: 10 }, (_, n) => [n, 3]),
      ...Array.from({ length: 10 }, (_, n) => [10 + n, 2]),
    ]);
    expect(told?.["metaData.long"]?.map(({ count }) => count)).toEqual([30]);
  });

  it("leave out values that come after very many others", () => {
    const many = Array.from({ length: FACET_VALUES_COUNTED_MAX }, (_, i) => i);
    const tags = [[...many, "late"], ["late"], [7]];
    const index = indexOf(
      tags.map((each, i) => searchable(`d${i}`, "pear", { metaData: { tags: each } })),
      false,
    );
    const { facets: told } = ask(index, "pear", { options: { facets: ["metaData.tags"] } });
    expect(values(told?.["metaData.tags"])?.slice(0, 2)).toEqual([
      [7, 2],
      [0, 1],
    ]);
    expect(told?.["metaData.tags"]?.map(({ value }) => value)).not.toContain("late");
  });
});

describe("the budget of counting", () => {
  const documents = Array.from({ length: 2_000 }, (_, i) =>
    searchable(`d${i}`, "pear of a tree", { metaData: { n: i % 2 } }),
  );

  it.each([true, false])("leaves the total out where it ends, and counts the results (vectors: %s)", (hasVectors) => {
    const options = { facets: ["metaData.n"], topK: 100 };
    const { total, facets: told, results } = ask(indexOf(documents, hasVectors, 0), "pear", { options });
    expect(total).toBeUndefined();
    expect(results).toHaveLength(100);
    expect(told?.["metaData.n"]?.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  });

  it("suffices for thousands of documents", () => {
    expect(ask(indexOf(documents, true), "pear").total).toBe(2_000);
  });
});

describe("a question without a term", () => {
  it("finds nothing", () => {
    const index = indexOf([searchable("d", "pear")], true);
    expect(ask(index, "?!", { options: { facets: ["type"], groupBy: "type" } })).toEqual({
      ...{ results: [], total: 0, facets: { type: [] }, groups: [] },
    });
  });
});
