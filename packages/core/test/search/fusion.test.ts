import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Analyzer } from "../../src/analysis/analyzer.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import type { EmbeddedQuestion } from "../../src/embedding/shared-embedder.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import {
  fragmentsOfPassage,
  ordinalCountOf,
  plainFragment,
  windowCountOf,
  windowOrdinalOf,
} from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/model/limits.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { DENSE_FLOOR, type DenseQuery, FOREIGN_WORDS, LEXICAL_FLOOR } from "../../src/search/fusion.ts";
import { askedIdentifiers } from "../../src/search/identified-passages.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest, type SearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const found = await analyzerOf("en");
if (found === undefined) throw new Error("English is missing");
const analyzer = found;

/** Tells two languages by the first word, and of some texts none. */
const languageOf = (text: string): string => {
  const { length } = /\w+/.exec(text)?.[0] ?? "";
  return length === 3 ? "multi" : length % 2 === 0 ? "even" : "odd";
};
const bilingual: Analyzer = {
  id: "bilingual",
  terms: (text) => analyzer.terms(text),
  words: (text) => analyzer.words(text),
  compared: (text) => analyzer.compared(text),
  shareInQuestion: (term) => analyzer.shareInQuestion(term),
  documents: { languageOf, analyzerOf: () => analyzer, readerOf: () => analyzer },
};

function search(index: SearchIndex, request: SearchRequest, embedded: EmbeddedQuestion): SearchResult[] {
  return answer(index, request, analyzeQuery(request.query, analyzer), embedded);
}

/** Few dimensions and few words: near misses and equal scores are common. */
const WORDS = [
  "car",
  "automobile",
  "buy",
  "purchase",
  "dog",
  "hound",
  "fast",
  "rapid",
  "ice",
  "penguin",
  "key",
  "the",
].concat(["v2.1", "2.1", "2.1-rc1", "404"]);

const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));

/** Of several parts. */
const paragraph = fc
  .array(sentence, { minLength: 20, maxLength: 40, size: "max" })
  .map((sentences) => `${sentences.join(". ")}.`);

const documentArbitrary = fc.record({
  type: fc.constantFrom("DOCUMENT" as const, "QNA" as const),
  status: fc.constantFrom("active" as const, "inactive" as const),
  paragraphs: fc.array(fc.oneof({ weight: 4, arbitrary: sentence }, { weight: 1, arbitrary: paragraph }), {
    minLength: 1,
    maxLength: 4,
  }),
  title: sentence,
  /** Whether its vectors have come. */
  vectored: fc.boolean(),
});

type Drawn = typeof documentArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Versions with a letter and without. A question that repeats both has many combinations of the same spellings. */
const REPEATED_VERSIONS: Drawn[] = (
  ["2.1 car|car", "car|car|vectored", `car|${"car. ".repeat(12)}v2.1. car.`] as const
).map((each) => {
  const [title = "", paragraph = "", vectored] = each.split("|");
  return { type: "DOCUMENT", status: "active", paragraphs: [paragraph], title, vectored: vectored !== undefined };
});

function searchable({ type, status, paragraphs, title }: Drawn, i: number): SearchableDocument {
  const md = paragraphs.join("\n\n");
  return { id: `d${String(i).padStart(3, "0")}`, type, status, metaData: {}, content: [{ md }], titles: [title] };
}

function encodeTexts(document: SearchableDocument, embedder: FakeEmbedder): Int8Array {
  return Int8Array.from(
    [...embeddedTexts(cutDocument(document))].flatMap((text) => [...encodeVector(embedder.vectorOf(text))]),
  );
}

function indexOf(drawn: readonly Drawn[], embedder: FakeEmbedder, readBy = analyzer): SearchIndex {
  const index = new SearchIndex(readBy);
  index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions));
  for (const [i, each] of drawn.entries()) {
    const document = searchable(each, i);
    index.replace(document, i + 1);
    if (!each.vectored) continue;
    index.windowVectors.set(document.id, encodeTexts(document, embedder));
  }
  return index;
}

function ordinalsOf(index: SearchIndex): number[] {
  return [...index.documents].flatMap((each) =>
    Array.from({ length: ordinalCountOf(each) }, (_, i) => each.firstOrdinal + i),
  );
}

/** How exactly a passage or wording holds the least of these: 2 whole, with a v or without, 1 as the beginning of a longer one. */
function standingIn(index: SearchIndex, ordinal: number, identifiers: readonly string[]): number {
  const indexed = index.documents.ofOrdinal(ordinal) ?? expect.fail("no document");
  const passage = ordinal - indexed.firstOrdinal - indexed.variantCount;
  const [first, last] = fragmentsOfPassage(indexed, Math.max(0, passage));
  const fragments = Array.from({ length: last - first }, (_, i) => plainFragment(indexed, first + i));
  const text = [indexed.document.titles[0], ...(passage < 0 ? [] : fragments)].join(" ");
  const held = text.split(/\s+/).map((word) => word.replace(/^v|\.$/g, ""));
  const standing = (identifier: string): number => {
    const own = identifier.replace(/^v/, "");
    return held.includes(own) ? 2 : held.some((word) => word.startsWith(`${own}-`)) ? 1 : 0;
  };
  return Math.min(...identifiers.map(standing));
}

/** The best documents by fusing both scores of every passage: the definition, without any of the ways around it. */
function byDefinition(
  index: SearchIndex,
  query: string,
  dense: DenseQuery,
  embedder: FakeEmbedder,
): Map<string, number> {
  const lexical = finished(analyzeQuery(query, analyzer).weigh(index.lexical));
  const { texts, terms } = askedIdentifiers(query, analyzer);
  const standings = new Map(ordinalsOf(index).map((ordinal) => [ordinal, standingIn(index, ordinal, texts)]));
  const highest = texts.length === 0 ? 0 : Math.max(0, ...standings.values());
  const lacks = (ordinal: number): boolean => standings.get(ordinal) !== highest;
  const isIdentified = highest > 0 && [...standings.values()].filter((each) => each === highest).length <= 32;
  const share = lexical.asked.reduce((sum, { text, weight }) => sum + (terms.includes(text) ? weight : 0), 0);
  const counted = 1 - Math.min(1, share / lexical.upperBound / 0.2) * (1 - 0.2);
  const best = new Map<string, number>();
  const [asked, spoken] = [languageOf(query), new Set([...index.documents].map(({ language }) => language))];
  for (const indexed of index.documents) {
    const { document, firstOrdinal, firstWindow, language = "multi" } = indexed;
    const windowOrdinals = Array.from({ length: windowCountOf(indexed) }, (_, window) =>
      windowOrdinalOf(indexed, window),
    );
    const isForeign = asked !== "multi" && spoken.has(asked) && language !== "multi" && language !== asked;
    const cosines = new Map<number, number>();
    const own = [...index.documents].filter((other) => other.document.id !== document.id);
    const [title] = document.titles;
    const isShared = own.some((other) => textsOf(other.document).includes(title ?? ""));
    for (const [i, within] of windowOrdinals.entries()) {
      // A title that stands elsewhere as well tells nothing.
      if (i === 0 && document.type !== "QNA" && isShared) continue;
      const cosine = index.windowVectors.rows?.cosine(dense.vector, firstWindow + i);
      if (cosine !== undefined) cosines.set(within, Math.max(cosines.get(within) ?? -1, cosine));
    }
    for (let i = 0; i <= Math.max(...windowOrdinals); i++) {
      const words = index.lexical.scoreOf(lexical, firstOrdinal + i) / lexical.upperBound;
      const cosine = cosines.get(i);
      const known = words < LEXICAL_FLOOR ? 0 : Math.min(words, SIMILARITY_INEXACT_MAX);
      const raw = cosine === undefined ? known : embedder.calibrate(cosine);
      const isClose = known > 0 || raw >= DENSE_FLOOR;
      const meaning = raw * (isIdentified && lacks(firstOrdinal + i) ? counted : 1);
      const worth = isForeign && cosine !== undefined ? Math.max(known, FOREIGN_WORDS * meaning) : known;
      const mean = dense.weight * meaning ** 1.5 + (1 - dense.weight) * worth ** 1.5;
      const fused = isClose ? mean ** (2 / 3) : 0;
      best.set(document.id, Math.max(best.get(document.id) ?? 0, Math.min(fused, SIMILARITY_INEXACT_MAX)));
    }
  }
  return best;
}

describe("a search by both", () => {
  it("finds what fusing the scores of every passage finds, with the same similarities", () => {
    const filters = fc.constantFrom({}, { status: "active" }, { type: "QNA" });
    const weight = fc.constantFrom(0, 0.3, 0.5, 0.9, 1);
    const drawn = fc.array(documentArbitrary, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        drawn,
        sentence,
        filters,
        weight,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(analyzer, bilingual),
        (all, query, filter, share, topK, readBy) => {
          const embedder = new FakeEmbedder({ weight: share, dimensions: 16 });
          const index = indexOf(all, embedder, readBy);
          const embedded: EmbeddedQuestion = { embedder, vector: embedder.vectorOf(query) };
          const results = search(index, parseSearchRequest({ query, filters: filter, options: { topK } }), embedded);
          const vector = index.windowVectors.rows?.prepare(embedded.vector);
          const isDense = vector !== undefined && (index.windowVectors.rows?.count ?? 0) > 0;
          if (!isDense) return;
          const dense = { vector, weight: share, calibrate: (cosine: number) => embedder.calibrate(cosine) };
          const expected = [...byDefinition(index, query, dense, embedder)]
            .filter(([id]) => matches(index, id, filter))
            .map(([id, similarity]) => [id, isExact(index, id, query) ? 1 : similarity] as const)
            .filter(([, similarity]) => similarity > 0)
            .sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1))
            .slice(0, topK);
          expect(results.map(({ resourceDocId }) => resourceDocId)).toEqual(expected.map(([id]) => id));
          for (const [i, [, similarity]] of expected.entries()) {
            expect(results[i]?.bestMatchScore).toBeCloseTo(similarity, 12);
          }
          for (const result of results) expectLaws(result);
        },
      ),
      { numRuns: lawRuns(300), examples: [[REPEATED_VERSIONS, "2.1 2.1 2.1 v2.1 car", {}, 1, 1, analyzer]] },
    );
  });

  it("finds as many documents as it may, though the nearest passages are all of one", () => {
    const embedder = new FakeEmbedder({ dimensions: 16 });
    const long: Drawn = {
      type: "DOCUMENT",
      status: "active",
      paragraphs: Array.from({ length: 400 }, () => `${"car ".repeat(160)}`.trim()),
      title: "car",
      vectored: true,
    };
    const short: Drawn = { ...long, paragraphs: ["automobile ice"], title: "the" };
    const index = indexOf([long, short, { ...short, status: "inactive" }, short], embedder);
    const embedded = { embedder, vector: embedder.vectorOf("vehicle") };
    const found = (filters: object): string[] =>
      search(index, parseSearchRequest({ query: "vehicle", filters }), embedded).map((result) => result.resourceDocId);
    expect(found({})).toEqual(["d000", "d001", "d002", "d003"]);
    expect(found({ status: "active" })).toEqual(["d000", "d001", "d003"]);
  });

  it("finds passages in another language behind many in the question's own that come closer", () => {
    const embedder = new FakeEmbedder();
    const drawn: Drawn = {
      type: "DOCUMENT",
      status: "active",
      paragraphs: ["car ice pen cup"],
      title: "hound",
      vectored: true,
    };
    const farther: Drawn = { ...drawn, paragraphs: ["car ice pen cup key"] };
    const foreign: Drawn = { ...drawn, paragraphs: ["car ice pen cup key dog"], title: "fast" };
    const all = [...Array(30).fill(drawn), ...Array(60).fill(farther), foreign];
    const ask = (readBy: Analyzer): SearchResult[] => {
      const embedded = { embedder, vector: embedder.vectorOf("vehicle") };
      const request = parseSearchRequest({ query: "vehicle", options: { topK: 3 } });
      return search(indexOf(all, embedder, readBy), request, embedded);
    };
    expect(ask(bilingual).map(({ resourceDocId }) => resourceDocId)).toEqual(["d090", "d000", "d001"]);
    expect(ask(analyzer).map(({ resourceDocId }) => resourceDocId)).toEqual(["d000", "d001", "d002"]);
  });

  it("takes those first by id that come as close, however many there are and whichever came first", () => {
    const embedder = new FakeEmbedder({ dimensions: 16 });
    const drawn: Drawn = { type: "DOCUMENT", status: "active", paragraphs: ["car"], title: "the", vectored: true };
    const index = indexOf(Array(90).fill(drawn), embedder);
    const first = index.documents.find("d000") ?? expect.fail("not indexed");
    index.replace(first.document, 91);
    index.windowVectors.set("d000", encodeTexts(first.document, embedder));
    const embedded = { embedder, vector: embedder.vectorOf("vehicle") };
    const found = search(index, parseSearchRequest({ query: "vehicle", options: { topK: 2 } }), embedded);
    expect(found.map(({ resourceDocId }) => resourceDocId)).toEqual(["d000", "d001"]);
  });

  it("passes over the vector of a question that is of another space", () => {
    const embedder = new FakeEmbedder({ dimensions: 16 });
    const drawn: Drawn = { type: "DOCUMENT", status: "active", paragraphs: ["car"], title: "the", vectored: true };
    const index = indexOf([drawn], embedder);
    const ask = (asked: FakeEmbedder): number =>
      search(index, parseSearchRequest({ query: "automobile" }), { embedder: asked, vector: asked.vectorOf("car") })
        .length;
    expect(ask(embedder)).toBe(1);
    expect(ask(new FakeEmbedder({ dimensions: 16, version: "2" }))).toBe(0);
    expect(ask(new FakeEmbedder({ dimensions: 32 }))).toBe(0);
  });

  it("is the same whatever was there before, also after ordinals have been given anew", () => {
    const embedder = new FakeEmbedder({ dimensions: 16 });
    const drawn: Drawn[] = Array.from({ length: 1_500 }, (_, i) => ({
      type: "DOCUMENT",
      status: "active",
      paragraphs: [WORDS.filter((_, k) => (i >> (k % 8)) % 2 === 1).join(" ") || "penguin"],
      title: "the",
      vectored: i % 3 > 0,
    }));
    const index = indexOf(drawn, embedder);
    for (let i = 0; i < 1_300; i++) index.remove(searchable(drawn[i] as Drawn, i).id);
    const fresh = new SearchIndex(analyzer);
    fresh.windowVectors.use(embedder, new PassageVectors(embedder.dimensions));
    for (const [i, each] of drawn.entries()) {
      if (i < 1_300) continue;
      const document = searchable(each, i);
      fresh.replace(document, i + 1);
      const codes = [...embeddedTexts(cutDocument(document))].map((text) => [...encodeVector(embedder.vectorOf(text))]);
      if (each.vectored) fresh.windowVectors.set(document.id, Int8Array.from(codes.flat()));
    }
    expect(index.windowVectors.rows?.count).toBe(fresh.windowVectors.rows?.count);
    for (const query of ["purchase automobile", "hound", "rapid penguin the"]) {
      const embedded = { embedder, vector: embedder.vectorOf(query) };
      const request = parseSearchRequest({ query, options: { topK: 100 } });
      expect(search(index, request, embedded)).toEqual(search(fresh, request, embedded));
    }
  });
});

function textsOf({ titles, content }: SearchableDocument): string[] {
  return [...titles, ...(content[0]?.md.split("\n\n") ?? [])];
}

function matches(index: SearchIndex, id: string, filter: { status?: string; type?: string }): boolean {
  const document = [...index.documents].find((each) => each.document.id === id)?.document;
  return (
    document !== undefined &&
    (filter.status === undefined || document.status === filter.status) &&
    (filter.type === undefined || document.type === filter.type)
  );
}

function isExact(index: SearchIndex, id: string, query: string): boolean {
  const document = [...index.documents].find((each) => each.document.id === id)?.document;
  const texts = [...(document?.titles ?? []), ...(document?.content[0]?.md.split("\n\n") ?? [])];
  return texts.includes(query);
}

function expectLaws({ bestMatchScore, similarTextParts }: SearchResult): void {
  expect(bestMatchScore).toBe(similarTextParts[0]?.similarity);
  for (const [i, { similarity }] of similarTextParts.entries()) {
    expect(similarity).toBeGreaterThanOrEqual(0);
    expect(similarity).toBeLessThanOrEqual(similarTextParts[i - 1]?.similarity ?? 1);
  }
}
