import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { FilterValue } from "../../src/model/filter-types.ts";
import { FILTERS_MAX } from "../../src/model/limits.ts";
import type { JsonObject, JsonValue, SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished, UNCOUNTED } from "../../src/scheduling/time-slices.ts";
import { droppedBy } from "../../src/search/filters/allowed-documents.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { countedMetaData, keyCountOf, nested } from "../support/counted-metadata.ts";
import { found, path, tree, treesAndPaths } from "../support/dotted-values.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });

const WORDS = ["pear", "plum", "fig", "car", "buy", "hound", "penguin", "harbour"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const document = fc.record({ md: fc.array(text, { minLength: 1, maxLength: 3 }), metaData: tree, isFaq: fc.boolean() });
const filters = fc.dictionary(
  fc.oneof(fc.constantFrom("a", "b"), path).map((each) => `metaData.${each}`),
  fc.constantFrom<FilterValue>("x", "y", 1, true, ""),
  { maxKeys: 2 },
);

function admits(wanted: Readonly<Record<string, FilterValue>>, metaData: JsonObject): boolean {
  return Object.entries(wanted).every(([name, each]) => {
    const value = found(metaData, name.slice("metaData.".length));
    return Array.isArray(value) ? value.includes(each) : value === each;
  });
}

function searchable(id: string, md: string, given: Partial<SearchableDocument> = {}): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [], ...given };
}

function put(index: SearchIndex, document: SearchableDocument, hasVectors: boolean): void {
  const encode = hasVectors ? (each: string) => encodeVector(embedder.vectorOf(each)) : undefined;
  const replacement = { version: 1, cut: cutDocument(document), current: () => document, encode };
  finished(index.replaceInSlices(document, replacement));
}

function indexOf(documents: readonly SearchableDocument[], hasVectors: boolean): SearchIndex {
  const index = new SearchIndex(analyzer);
  if (hasVectors) index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  for (const document of documents) put(index, document, hasVectors);
  return index;
}

function ask(index: SearchIndex, query: string, body: object): SearchResult[] {
  const embedded = index.windowVectors.rows === undefined ? undefined : { embedder, vector: embedder.vectorOf(query) };
  return answer(index, parseSearchRequest({ query, ...body }), analyzeQuery(query, index.reader), embedded);
}

const fifty = (value: JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, value]));

/** Objects in objects by keys of one, two and three segments, about `count` of them. */
function compositions(count: number): JsonObject {
  const root: Record<string, JsonValue> = {};
  const objects = [root];
  for (const object of objects) {
    if (objects.length >= count) break;
    for (const key of ["x", "x.x", "x.x.x"]) {
      const inner: Record<string, JsonValue> = {};
      object[key] = inner;
      objects.push(inner);
    }
  }
  return root;
}

/** Names of as many dots as they may have, `metaData.` included. */
const endOfName = `${"x.".repeat(30)}x`;
const fiftyNames: readonly { what: string; metaData: JsonObject; nameOf: (n: number) => string }[] = [
  { what: "as keys with dots", metaData: fifty({ [endOfName]: 1 }), nameOf: (n) => `f${n}.${endOfName}` },
  { what: "as keys in keys", metaData: fifty(nested(31)), nameOf: (n) => `f${n}.${endOfName}` },
  { what: "not at all", metaData: { team: 1, a: { x: 1 } }, nameOf: (n) => `f${n}.${endOfName}` },
  { what: "in their beginnings", metaData: compositions(3_000), nameOf: (n) => `x.${endOfName}${n}` },
];

/** What a filter finds at a path. */
function scalarAt(metaData: JsonObject, path: string): FilterValue | undefined {
  const value = found(metaData, path);
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === "object" || first === undefined ? undefined : first;
}

describe("a filtered search", () => {
  it("answers what an unfiltered one does, without the documents that the filters drop", () => {
    let [dropped, kept] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(text, filters, fc.boolean(), fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.nat(20),
        (drawn, questions, hasVectors, gone) => {
          const documents = drawn.map(({ md, metaData, isFaq }, i) =>
            searchable(`d${i}`, md.join("\n\n"), { metaData, type: isFaq ? "QNA" : "DOCUMENT" }),
          );
          const index = indexOf(documents, hasVectors);
          // A slot that is free, or another's by now.
          index.remove(`d${gone}`);
          if (gone % 2 === 0) put(index, searchable("late", "pear plum fig"), hasVectors);
          for (const [query, wanted, includeFaqs, topK] of questions) {
            const all = ask(index, query, { options: { topK: 100 } });
            const left = all.filter(
              ({ metaData, type }) => admits(wanted, metaData) && (includeFaqs || type !== "QNA"),
            );
            expect(ask(index, query, { filters: wanted, options: { topK, includeFaqs } })).toEqual(left.slice(0, topK));
            dropped += all.length - left.length;
            kept += left.length;
          }
        },
      ),
      { numRuns: lawRuns(150) },
    );
    expect(Math.min(dropped, kept)).toBeGreaterThan(2);
  });

  it("allows what has the wanted value at each path, and tells of every path that has another", () => {
    let [dropped, kept] = [0, 0];
    fc.assert(
      fc.property(treesAndPaths, fc.constantFrom(true, false, false, false), ([trees, paths], isAnyOther) => {
        const index = indexOf(
          trees.map((metaData, i) => searchable(`d${i}`, "pear", { metaData })),
          false,
        );
        const [like = {}] = [...trees].sort((one, other) => keyCountOf(other) - keyCountOf(one));
        const filters: Record<string, FilterValue> = {};
        for (const each of paths.slice(0, FILTERS_MAX)) {
          const wanted = scalarAt(like, each) ?? (isAnyOther ? "x" : undefined);
          if (wanted !== undefined) filters[`metaData.${each}`] = wanted;
        }
        const request = parseSearchRequest({ query: "pear", filters });
        const allowed = finished(index.filters.allowedBy(request));
        for (const { document, slot } of index.documents) {
          const others = Object.entries(request.filters).filter(
            ([name, each]) => !admits({ [name]: each as FilterValue }, document.metaData),
          );
          expect(allowed?.has(slot) ?? true).toBe(others.length === 0);
          expect(finished(droppedBy(request, document, UNCOUNTED))).toEqual(
            others.map(([name, each]) => {
              const value = found(document.metaData, name.slice("metaData.".length));
              return { field: `filters.${name}`, wanted: each, ...(value === undefined ? {} : { found: value }) };
            }),
          );
          if (others.length > 0) dropped++;
          else if (Object.keys(filters).length > 1) kept++;
        }
      }),
      { numRuns: lawRuns(1_000) },
    );
    expect(Math.min(dropped, kept)).toBeGreaterThan(2);
  });

  it("is answered again where another option drops others", () => {
    const index = indexOf(
      [
        searchable("page", "pear"),
        searchable("on", "pear", { type: "QNA" }),
        searchable("off", "pear", { type: "QNA", status: "inactive" }),
      ],
      false,
    );
    const found = (options: object): string[] =>
      ask(index, "pear", { filters: { "metaData.a": 1 }, options }).map(({ resourceDocId }) => resourceDocId);
    for (const id of ["page", "on", "off"]) {
      const { document: known } = index.documents.find(id) ?? expect.fail();
      index.amend({ ...known, metaData: { a: 1 } });
    }
    expect(found({}).sort()).toEqual(["off", "on", "page"]);
    expect(found({ includeFaqs: false })).toEqual(["page"]);
    expect(found({}).sort()).toEqual(["off", "on", "page"]);
    expect(found({ onlyActiveIntents: true }).sort()).toEqual(["on", "page"]);
    expect(found({}).sort()).toEqual(["off", "on", "page"]);
  });

  it.each(["metaData.list", "metaData.a.list"])("counts each value of a list that %s is compared with", (name) => {
    const list = Array.from({ length: 1_000 }, (_, i) => i);
    const documents = Array.from({ length: 50 }, (_, i) =>
      searchable(`d${i}`, "pear", { metaData: { list, a: { list } } }),
    );
    const index = indexOf(documents, false);
    const before = index.effort.operations;
    expect(ask(index, "pear", { filters: { [name]: -1 } })).toEqual([]);
    expect(index.effort.operations - before).toBeGreaterThan(49 * 1_000);
  });

  it("asks each document once, for keys that it has, and by the same filters not again", () => {
    let looks = 0;
    const counting = (metaData: JsonObject): JsonObject => countedMetaData(metaData, () => looks++);
    const documents = Array.from({ length: 50 }, (_, i) =>
      // Several passages each, all of which are near the question.
      searchable(`d${i}`, "pear plum\n\n## Next\n\npear fig", {
        metaData: counting({ team: i % 2 === 0 ? "x" : "y" }),
      }),
    );
    const index = indexOf(documents, true);
    const asked = (name: string): number => {
      looks = 0;
      // No document has it: a result would be looked through as well.
      expect(ask(index, "pear", { filters: { [name]: "z" } })).toEqual([]);
      return looks;
    };
    expect(asked("metaData.team")).toBe(50);
    expect(asked("metaData.team")).toBe(0);
    const longest = `metaData.${"a".repeat(471)}${".a".repeat(16)}`;
    expect(longest).toHaveLength(512);
    expect(asked(longest)).toBe(50);
    // A document that one filter drops is not asked for the next.
    looks = 0;
    expect(ask(index, "pear", { filters: { type: "PDF", [longest]: "z" } })).toEqual([]);
    expect(looks).toBe(0);
    expect(ask(index, "pear", { filters: { "metaData.team": "y" }, options: { topK: 100 } })).toHaveLength(25);
    index.amend({ ...(documents[0] as SearchableDocument), metaData: { team: "y" } });
    expect(ask(index, "pear", { filters: { "metaData.team": "y" }, options: { topK: 100 } })).toHaveLength(26);
    expect(ask(index, "pear", { filters: { "metaData.team": "x" }, options: { topK: 100 } })).toHaveLength(24);
  });

  it.each(fiftyNames)(
    "reads few more keys than there are, with 50 names of 32 dots that stand there $what",
    (given) => {
      const { metaData, nameOf } = given;
      let looks = 0;
      const documents = Array.from({ length: 4 }, (_, i) =>
        searchable(`d${i}`, "pear", { metaData: countedMetaData(metaData, () => looks++) }),
      );
      const index = indexOf(documents, false);
      const filters = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`metaData.${nameOf(n)}`, 1]));
      const before = index.effort.operations;
      const allowed = finished(index.filters.allowedBy(parseSearchRequest({ query: "pear", filters })));
      const effort = index.effort.operations - before;
      expect(allowed?.keyCount).toBe(admits(filters, metaData) ? documents.length : 0);
      expect(looks).toBeLessThanOrEqual(2 * documents.length * keyCountOf(metaData));
      // What is counted is what was done. Reading the names takes some 30 operations a dot.
      expect(effort).toBeGreaterThanOrEqual(looks);
      expect(effort).toBeLessThanOrEqual(3 * looks + 50 * 33 * 40);
    },
  );

  it("counts what comparing long texts takes", () => {
    const long = "x".repeat(10_000);
    const metaData = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, long]));
    const index = indexOf([searchable("a", "pear", { metaData }), searchable("b", "pear", { metaData })], false);
    const operations = (wanted: string): number => {
      const before = index.effort.operations;
      const filters = Object.fromEntries(Object.keys(metaData).map((name) => [`metaData.${name}`, wanted]));
      finished(index.filters.allowedBy(parseSearchRequest({ query: "pear", filters })));
      return index.effort.operations - before;
    };
    expect(operations(long)).toBeGreaterThan((2 * 20 * long.length) / 1_000);
    expect(operations("x")).toBeLessThan(10);
  });

  it("compares only the vectors of what is allowed, where that is little", () => {
    const index = indexOf(
      Array.from({ length: 400 }, (_, i) => searchable(`d${i}`, `pear plum ${i}`, { metaData: { n: i } })),
      true,
    );
    const before = index.effort.operations;
    expect(ask(index, "pear", { filters: { "metaData.n": 7 } })).toHaveLength(1);
    const filtered = index.effort.operations - before;
    expect(ask(index, "pear", {})).toHaveLength(10);
    expect(filtered).toBeLessThan(index.effort.operations - before - filtered);
  });

  it.each([true, false])(
    "scores few allowed passages one by one if the question has a vector, and finds the same (with vectors: %s)",
    (hasVectors) => {
      const documents = Array.from({ length: 400 }, (_, i) =>
        searchable(`d${i}`, `pear plum ${WORDS[i % WORDS.length]}\n\n## Next\n\nplum ${i}`, { metaData: { n: i } }),
      );
      const index = indexOf(documents, hasVectors);
      const all = ask(index, "pear fig plum", { options: { topK: 100 } });
      for (const from of [0, 150, 390]) {
        for (const count of [5, 300]) {
          const filters = { "metaData.n": { gte: from, lt: from + count } };
          finished(index.filters.allowedBy(parseSearchRequest({ query: "x", filters })));
          index.effort.begin();
          const found = ask(index, "pear fig plum", { filters, options: { topK: 100 } });
          expect(index.effort.spent.postings > 0).toBe(!hasVectors);
          const left = all.filter(({ metaData }) => Number(metaData.n) >= from && Number(metaData.n) < from + count);
          expect(found.slice(0, left.length).map(({ resourceDocId }) => resourceDocId)).toEqual(
            left.map(({ resourceDocId }) => resourceDocId),
          );
          expect(found.length).toBe(Math.min(100, count, 400 - from));
        }
      }
    },
  );
});
