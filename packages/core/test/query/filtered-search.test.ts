import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { FilterValue, JsonObject, JsonValue, SearchableDocument, SearchResult } from "../../src/domain/types.ts";
import { cutDocument } from "../../src/query/embedded-texts.ts";
import { lookUp } from "../../src/query/filters.ts";
import { analyzeQuery } from "../../src/query/parsed-query.ts";
import { parseSearchRequest } from "../../src/query/request.ts";
import { SearchIndex } from "../../src/query/search-index.ts";
import { finished } from "../../src/runtime/steps.ts";
import { answer } from "../../src/search.ts";
import { analyzerOf } from "../../src/text/languages.ts";
import { encodeVector } from "../../src/vector/codes.ts";
import { PassageVectors } from "../../src/vector/passage-vectors.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });

const WORDS = ["pear", "plum", "fig", "car", "buy", "hound", "penguin", "harbour"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
/** Keys that may be read in several ways, one of them nowhere. */
const key = fc.constantFrom("a", "b", "a.a", "a.a.a", "", "a.", ".a", "constructor");
const value = fc.oneof(fc.constantFrom<FilterValue>("x", "y", 1, true, ""), fc.constant(null));
const { tree } = fc.letrec<{ tree: JsonObject; inner: JsonValue }>((tie) => ({
  tree: fc.dictionary(key, tie("inner"), { maxKeys: 4 }),
  inner: fc.oneof({ weight: 3, arbitrary: value }, fc.array(value, { maxLength: 3 }), {
    weight: 2,
    arbitrary: tie("tree"),
  }),
}));
const dottedPath = fc
  .array(fc.constantFrom("a", "a", "a", "b", ""), { minLength: 2, maxLength: 6 })
  .map((keys) => keys.join("."));
const path = fc.array(key, { minLength: 1, maxLength: 4 }).map((keys) => keys.join("."));
const document = fc.record({ md: fc.array(text, { minLength: 1, maxLength: 3 }), metaData: tree, isFaq: fc.boolean() });
const filters = fc.dictionary(
  fc
    .oneof(
      fc.constantFrom("a", "b"),
      path.filter((each) => each !== ""),
    )
    .map((each) => `metaData.${each}`),
  fc.constantFrom<FilterValue>("x", "y", 1, true, ""),
  { maxKeys: 2 },
);

/** By its definition: a key that holds the dots itself wins over keys in keys, and the longer key over the shorter. */
function found(object: JsonObject, dotted: string): JsonValue | undefined {
  if (Object.hasOwn(object, dotted)) return object[dotted];
  for (let end = dotted.length - 1; end > 0; end--) {
    const inner = dotted[end] === "." ? own(object, dotted.slice(0, end)) : undefined;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
    const value = found(inner as JsonObject, dotted.slice(end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

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
  finished(index.replaceInSteps(document, replacement));
}

function indexOf(documents: readonly SearchableDocument[], hasVectors: boolean): SearchIndex {
  const index = new SearchIndex(analyzer);
  if (hasVectors) index.partVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  for (const document of documents) put(index, document, hasVectors);
  return index;
}

function ask(index: SearchIndex, query: string, body: object): SearchResult[] {
  const embedded = index.partVectors.rows === undefined ? undefined : { embedder, vector: embedder.vectorOf(query) };
  return answer(index, parseSearchRequest({ query, ...body }), analyzeQuery(query, index.reader), embedded);
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
    expect(Math.min(dropped, kept)).toBeGreaterThan(20);
  });

  it("finds at a dotted path what its definition says", () => {
    fc.assert(
      fc.property(tree, fc.oneof(path, dottedPath), (object, dotted) => {
        expect(lookUp(object, dotted)).toBe(found(object, dotted));
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("reads no empty key before a dot", () => {
    expect(lookUp({ "": { a: 1 }, a: { "": { b: 1 } } }, ".a")).toBeUndefined();
    expect(lookUp({ "": { a: 1 }, a: { "": { b: 1 } } }, "a..b")).toBeUndefined();
    expect(lookUp({ ".a": 1 }, ".a")).toBe(1);
  });

  it("is answered anew where another option drops others", () => {
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

  it("asks each document once, for each key that the name may mean once, and by the same filters not again", () => {
    let looks = 0;
    const counting = (metaData: JsonObject): JsonObject =>
      new Proxy(metaData, {
        getOwnPropertyDescriptor: (of, name) => {
          looks++;
          return Reflect.getOwnPropertyDescriptor(of, name);
        },
      });
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
    expect(asked(longest)).toBe(50 * 17);
    // A document that one filter drops is not asked for the next.
    looks = 0;
    expect(ask(index, "pear", { filters: { type: "PDF", [longest]: "z" } })).toEqual([]);
    expect(looks).toBe(0);
    expect(ask(index, "pear", { filters: { "metaData.team": "y" }, options: { topK: 100 } })).toHaveLength(25);
    index.amend({ ...(documents[0] as SearchableDocument), metaData: { team: "y" } });
    expect(ask(index, "pear", { filters: { "metaData.team": "y" }, options: { topK: 100 } })).toHaveLength(26);
    expect(ask(index, "pear", { filters: { "metaData.team": "x" }, options: { topK: 100 } })).toHaveLength(24);
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
});
