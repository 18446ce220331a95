import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { SEARCH_SYNONYM_TERMS_MAX, VOCABULARY_SYNONYMS_MAX } from "../../src/model/limits.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import type { VocabularyInput } from "../../src/model/vocabulary-types.ts";
import { finished, UNCOUNTED } from "../../src/scheduling/time-slices.ts";
import { Effort } from "../../src/search/budget.ts";
import { analyzeQuery, termsOfQuestion } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { CompiledVocabulary } from "../../src/vocabulary/compiled-vocabulary.ts";
import { parseInSlices, parseVocabulary } from "../../src/vocabulary/shape.ts";
import { answer, explainNow } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });

const WORDS = ["pear", "plum", "fig", "car", "buy", "hound", "penguin", "harbour", "what", "E1042"];
const words = (most: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most });
const text = words(6).map((all) => all.join(" "));
const few = words(3).map((all) => all.join(" "));
const IDS = ["d0", "d1", "d2", "d3"];

const documents = fc.array(
  fc.record({ md: text, title: text, status: fc.constantFrom<"active" | "inactive">("active", "inactive") }),
  { minLength: 1, maxLength: IDS.length },
);
const line = fc
  .tuple(fc.array(few, { minLength: 1, maxLength: 2 }), fc.array(few, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([from, to, isOneWay]) => [from.join(", "), to.join(", ")].join(isOneWay ? " => " : ", "));
const pattern = fc
  .array(fc.constantFrom(...WORDS, "*"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(" "))
  .filter((pattern) => /[a-z]/i.test(pattern));
const vocabulary: fc.Arbitrary<VocabularyInput> = fc.record({
  synonyms: fc.array(line, { maxLength: 4 }),
  pins: fc.array(fc.record({ question: pattern, document: fc.constantFrom(...IDS, "gone") }), { maxLength: 3 }),
  ignored: fc.array(few, { maxLength: 2 }),
});

interface Made {
  readonly md: string;
  readonly title: string;
  readonly status: "active" | "inactive";
}

function indexOf(made: readonly Made[], hasVectors: boolean): SearchIndex {
  const index = new SearchIndex(analyzer);
  if (hasVectors) index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  for (const [i, { md, title, status }] of made.entries()) {
    const document: SearchableDocument = {
      id: `d${i}`,
      type: "DOCUMENT",
      status,
      metaData: { title },
      content: [{ md }],
      titles: [title],
    };
    const encode = hasVectors ? (each: string) => encodeVector(embedder.vectorOf(each)) : undefined;
    const replacement = { version: 1, cut: cutDocument(document), current: () => document, encode };
    finished(index.replaceInSlices(document, replacement));
  }
  return index;
}

function analyzed(query: string, given: VocabularyInput) {
  const compiled = finished(CompiledVocabulary.of(parseVocabulary(given), analyzer, UNCOUNTED));
  return analyzeQuery(query, analyzer, finished(compiled.asked(termsOfQuestion(query, analyzer), UNCOUNTED)));
}

function embedded(query: string, hasVectors: boolean) {
  return hasVectors ? { embedder, vector: embedder.vectorOf(query) } : undefined;
}

function found(
  index: SearchIndex,
  query: string,
  given: VocabularyInput,
  options = {},
  hasVectors = false,
): SearchResult[] {
  const request = parseSearchRequest({ query, ...options });
  return answer(index, request, analyzed(query, given), embedded(query, hasVectors));
}

it("law: an empty vocabulary changes no answer", () => {
  fc.assert(
    fc.property(documents, text, fc.boolean(), (made, query, hasVectors) => {
      const index = indexOf(made, hasVectors);
      const request = parseSearchRequest({ query });
      const without = answer(index, request, analyzeQuery(query, analyzer), embedded(query, hasVectors));
      expect(found(index, query, {}, {}, hasVectors)).toEqual(without);
    }),
    { numRuns: lawRuns(300) },
  );
});

it("law: a document that is found by a synonym is found by the word itself", () => {
  // A text that is a part of the asked one adds no word.
  const isPart = (text: string, whole: string): boolean =>
    text.split(" ").every((word) => whole.split(" ").includes(word));
  const tripled = fc.tuple(few, few, few).filter(([a, b, c]) => !isPart(b, a) && !isPart(c, a));
  fc.assert(
    fc.property(documents, tripled, (made, [a, b, c]) => {
      const index = indexOf(made, false);
      const given = { synonyms: [`${a} => ${b}, ${c}`] };
      const ids = new Set(found(index, a, given).map(({ resourceDocId }) => resourceDocId));
      for (const { resourceDocId } of found(index, b, {})) expect(ids, `${a} => ${b}`).toContain(resourceDocId);
      for (const { resourceDocId } of found(index, c, {})) expect(ids, `${a} => ${c}`).toContain(resourceDocId);
    }),
    { numRuns: lawRuns(500) },
  );
});

it("law: scores are from 0 to 1 in falling order, also with a vocabulary, and an explanation has the same", () => {
  fc.assert(
    fc.property(documents, text, vocabulary, fc.boolean(), (made, query, given, hasVectors) => {
      const index = indexOf(made, hasVectors);
      const results = found(index, query, given, {}, hasVectors);
      const scores = results.map(({ bestMatchScore }) => bestMatchScore);
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
      expect(scores).toEqual([...scores].sort((x, y) => y - x));
      for (const [at, { resourceDocId, bestMatchScore, similarTextParts }] of results.entries()) {
        expect(similarTextParts[0]?.similarity).toBe(bestMatchScore);
        const request = parseSearchRequest({ query });
        const explained = explainNow(
          index,
          request,
          resourceDocId,
          analyzed(query, given),
          embedded(query, hasVectors),
          1,
        );
        expect(explained).toMatchObject({ outcome: "returned", rank: at + 1, score: bestMatchScore });
      }
    }),
    { numRuns: lawRuns(300) },
  );
});

it("law: pinned documents are first, in their order, whenever they are active and a filter allows them", () => {
  const kept = fc.constantFrom("active", "inactive", undefined);
  fc.assert(
    fc.property(
      documents,
      text,
      vocabulary,
      kept,
      fc.integer({ min: 1, max: 4 }),
      (made, query, given, status, topK) => {
        const index = indexOf(made, false);
        const options = { ...(status === undefined ? {} : { filters: { status } }), options: { topK } };
        const ids = found(index, query, given, options).map(({ resourceDocId }) => resourceDocId);
        const isAllowed = (id: string): boolean => {
          const document = made[IDS.indexOf(id)];
          return document?.status === "active" && status !== "inactive";
        };
        const pins = (given.pins ?? []).filter((pin) => fitsPattern(pin.question, query) && isAllowed(pin.document));
        const first = [...new Set(pins.map(({ document }) => document))].slice(0, topK);
        expect(ids.slice(0, first.length)).toEqual(first);
        expect(new Set(ids).size).toBe(ids.length);
      },
    ),
    { numRuns: lawRuns(500) },
  );
});

it("law: punctuation in a pattern of a question changes nothing, beside a * too", () => {
  const marks = fc.constantFrom("", "?", "!", ".", ",", " ?", " ...", " —", ";");
  const four = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 4, maxLength: 4 });
  const marked = fc
    .tuple(pattern, four(marks), fc.constantFrom("", "¿", "... ", "("), four(text), text)
    .map(([plain, each, before, between, other]) => {
      const parts = plain.split(" ");
      const withMarks = `${before}${parts.map((part, i) => `${part}${each[i] ?? ""}`).join(" ")}`;
      const query = parts.map((part, i) => (part === "*" ? (between[i] ?? "") : part)).join(" ");
      return { plain, withMarks, queries: [query, `${query} ${other}`, `${other} ${query}`] };
    });
  const fitting = (question: string, query: string) =>
    analyzed(query, { pins: [{ question, document: "d0" }] }).pins.length;
  fc.assert(
    fc.property(marked, ({ plain, withMarks, queries }) => {
      expect(fitting(plain, queries[0] ?? "")).toBe(1);
      for (const query of queries) expect(fitting(withMarks, query), withMarks).toBe(fitting(plain, query));
    }),
    { numRuns: lawRuns(300) },
  );
  expect(fitting("how do I return *?", "how do I return shoes?")).toBe(1);
});

it("law: an explanation of a document that pins push out of the results has the rank and score that it has among more results", () => {
  const pins = fc.array(fc.record({ question: fc.constant("pear *"), document: fc.constantFrom(...IDS) }), {
    maxLength: 3,
  });
  const query = text.map((some) => `pear ${some}`);
  const asked = fc.record({ made: documents, query, given: fc.record({ pins }), hasVectors: fc.boolean() });
  fc.assert(
    fc.property(asked, fc.integer({ min: 1, max: 3 }), ({ made, query, given, hasVectors }, topK) => {
      const index = indexOf(made, hasVectors);
      const all = found(index, query, given, { options: { topK: IDS.length } }, hasVectors);
      const results = found(index, query, given, { options: { topK } }, hasVectors);
      const isPinned = (id = ""): boolean =>
        made[IDS.indexOf(id)]?.status === "active" && given.pins.some(({ document }) => document === id);
      for (const [at, { resourceDocId, bestMatchScore, similarTextParts }] of all.entries()) {
        const request = parseSearchRequest({ query, options: { topK } });
        const questions = [analyzed(query, given), embedded(query, hasVectors)] as const;
        const explained = explainNow(index, request, resourceDocId, ...questions, 1);
        const outcome = at < topK ? "returned" : "afterLast";
        expect(explained).toMatchObject({ outcome, rank: at + 1, score: bestMatchScore, similarTextParts });
        expect(explained.pinnedBy !== undefined).toBe(isPinned(resourceDocId));
        const last = results.length === topK ? results.at(-1) : undefined;
        expect(explained.scoreNeeded).toBe(isPinned(last?.resourceDocId) ? undefined : last?.bestMatchScore);
      }
    }),
    { numRuns: lawRuns(500) },
  );
});

/** Says again what a pattern means: by words, since none of these words has two forms. */
function fitsPattern(pattern: string, query: string): boolean {
  const parts = pattern.split(" ").map((part) => (part === "*" ? "(?:\\S+ )*" : `${part} `));
  return new RegExp(`^${parts.join("")}$`, "i").test(`${query} `);
}

it("a question takes a bounded number of terms from synonyms, and the largest vocabulary is read and applied in small steps", () => {
  const synonyms = Array.from({ length: VOCABULARY_SYNONYMS_MAX }, (_, i) => `pear => word${i}`);
  const effort = new Effort();
  const compiling = CompiledVocabulary.of(parseVocabulary({ synonyms }), analyzer, effort);
  let steps = 0;
  let step = compiling.next();
  for (; step.done !== true; step = compiling.next()) steps += 1;
  expect(steps).toBeGreaterThan(100);
  const query = "pear plum ".repeat(400);
  const asked = finished(step.value.asked(termsOfQuestion(query, analyzer), effort));
  expect(asked.synonyms).toHaveLength(SEARCH_SYNONYM_TERMS_MAX);
  expect(asked.terms).toHaveLength(800);
  const parsing = parseInSlices({ synonyms });
  let portions = 0;
  while (parsing.next().done !== true) portions += 1;
  expect(portions).toBeGreaterThan(100);
});

it("a synonym with more terms than are left gives way to shorter ones after it, also over several lines", () => {
  const long = (at: number, words: number) => Array.from({ length: words }, (_, i) => `word${at}x${i}`).join(" ");
  const texts = Array.from({ length: 25 }, (_, at) => long(at, 10));
  const insteadOf = (synonyms: readonly string[]) => {
    const compiled = finished(CompiledVocabulary.of(parseVocabulary({ synonyms }), analyzer, UNCOUNTED));
    const asked = finished(compiled.asked(termsOfQuestion("pear", analyzer), UNCOUNTED));
    return asked.synonyms.map(({ instead }) => instead.length);
  };
  const taken = [...texts.map(() => 10), 6];
  expect(insteadOf([`pear => ${[...texts, long(25, 9), long(26, 6), "fig"].join(", ")}`])).toEqual(taken);
  expect(insteadOf([...texts, long(25, 9), long(26, 6), "fig"].map((text) => `pear => ${text}`))).toEqual(taken);
});

it("law: texts of several lines that mean the same are taken once, in their order, whatever their case", () => {
  const lines = fc.array(fc.tuple(fc.array(few, { minLength: 1, maxLength: 4 }), fc.boolean()), { maxLength: 6 });
  fc.assert(
    fc.property(lines, (drawn) => {
      const synonyms = drawn.map(([texts, isLoud]) => {
        const line = ["pear", ...texts].join(", ");
        return isLoud ? line.toUpperCase() : line;
      });
      const given = { synonyms: [...synonyms, ...synonyms] };
      const compiled = finished(CompiledVocabulary.of(parseVocabulary(given), analyzer, UNCOUNTED));
      const asked = finished(compiled.asked(termsOfQuestion("pear", analyzer), UNCOUNTED));
      const phrases = drawn.flatMap(([texts]) => texts.map((each) => analyzer.terms(each).join(" ")));
      const expected = [...new Set(phrases)].filter((each) => each !== "pear");
      expect(asked.synonyms.map(({ instead }) => instead.join(" "))).toEqual(expected);
    }),
    { numRuns: lawRuns(300) },
  );
});
