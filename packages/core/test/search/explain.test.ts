import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector, type QueryVector } from "../../src/index/vectors/codes.ts";
import type { AllowedKeys } from "../../src/index/vectors/exact-scan.ts";
import type { Neighbour } from "../../src/index/vectors/nearest-keys.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/model/limits.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import type { OperationMeter, Sliced } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest, type SearchRequest } from "../../src/search/request.ts";
import { answer, explainNow } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const found = await analyzerOf("en");
if (found === undefined) throw new Error("English is missing");
const analyzer = found;

function document(id: string, md: string, given: Partial<SearchableDocument> = {}): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [], ...given };
}

/** With an embedder, every second document has its vectors. */
function indexOf(
  documents: readonly SearchableDocument[],
  embedder?: FakeEmbedder,
  vectors = embedder === undefined ? undefined : new PassageVectors(embedder.dimensions),
): SearchIndex {
  const index = new SearchIndex(analyzer);
  if (embedder !== undefined) index.windowVectors.use(embedder, vectors);
  for (const [i, each] of documents.entries()) {
    index.replace(each, i + 1);
    if (embedder === undefined || i % 2 === 1) continue;
    const codes = [...embeddedTexts(cutDocument(each))].map((text) => [...encodeVector(embedder.vectorOf(text))]);
    index.windowVectors.set(each.id, Int8Array.from(codes.flat()));
  }
  return index;
}

/** An index with an embedder, or without one. */
interface Asked {
  readonly index: SearchIndex;
  readonly embedder?: FakeEmbedder | undefined;
}

function embeddedBy(embedder: FakeEmbedder | undefined, query: string) {
  return embedder === undefined ? undefined : { embedder, vector: embedder.vectorOf(query) };
}

function search({ index, embedder }: Asked, request: SearchRequest): SearchResult[] {
  return answer(index, request, analyzeQuery(request.query, analyzer), embeddedBy(embedder, request.query));
}

function explain({ index, embedder }: Asked, request: SearchRequest, id: string, newest = index.versionOf(id)) {
  const analyzed = analyzeQuery(request.query, analyzer);
  return explainNow(index, request, id, analyzed, embeddedBy(embedder, request.query), newest);
}

function asked(query: string, options: object = {}, filters: object = {}): SearchRequest {
  return parseSearchRequest({ query, options, filters });
}

/** Few words: equal scores, equal texts and documents that are not found are all common. */
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
].concat(["v2.1", "404"]);
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));

const documentsArbitrary = fc
  .array(
    fc.record({
      type: fc.constantFrom("DOCUMENT" as const, "QNA" as const),
      status: fc.constantFrom("active" as const, "inactive" as const),
      team: fc.constantFrom("red", "blue", undefined),
      paragraphs: fc.array(sentence, { minLength: 0, maxLength: 4 }),
      title: sentence,
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((drawn) =>
    drawn.map(({ type, status, team, paragraphs, title }, i) =>
      document(`d${String(i).padStart(3, "0")}`, paragraphs.join("\n\n"), {
        type,
        status,
        metaData: team === undefined ? {} : { team },
        titles: [title],
      }),
    ),
  );

const requestArbitrary = fc.record({
  query: fc.oneof(sentence, sentence, fc.constant("car zeppelin"), fc.constant("?")),
  filters: fc.constantFrom({}, {}, { status: "active" }, { type: "QNA", "metaData.team": "red" }),
  options: fc.record({
    topK: fc.integer({ min: 1, max: 12 }),
    minScore: fc.constantFrom(0, 0, 0.2, 0.5),
    includeFaqs: fc.boolean(),
    onlyActiveIntents: fc.boolean(),
  }),
});

/** Undefined: by words alone. */
const weightArbitrary = fc.constantFrom(undefined, 0, 0.4, 1);

describe("an explanation", () => {
  it("has the rank and the score of the search, of every document that it returns, and agrees with it on all others", () => {
    fc.assert(
      fc.property(documentsArbitrary, requestArbitrary, weightArbitrary, (documents, body, weight) => {
        const embedder = weight === undefined ? undefined : new FakeEmbedder({ weight, dimensions: 16 });
        const bot = { index: indexOf(documents, embedder), embedder };
        const request = parseSearchRequest(body);
        const results = search(bot, request);
        const allowed = search(bot, { ...request, topK: documents.length, minScore: 0 });
        const all = search(bot, { ...asked(request.query), topK: documents.length });
        for (const { id } of documents) {
          const explanation = explain(bot, request, id);
          expect(explanation).toMatchObject({ id, topK: request.topK, returned: results.length });
          const at = allowed.findIndex(({ resourceDocId }) => resourceDocId === id);
          const result = all.find(({ resourceDocId }) => resourceDocId === id);
          expect(explanation.score).toBe(result?.bestMatchScore ?? 0);
          expect(explanation.similarTextParts).toEqual(result?.similarTextParts ?? []);
          if (at >= 0) {
            expect(explanation.rank).toBe(at + 1);
            const isLow = explanation.score < request.minScore;
            expect(explanation.outcome).toBe(at < results.length ? "returned" : isLow ? "belowMinScore" : "afterLast");
            expect(explanation.droppedBy).toEqual([]);
            if (at >= results.length && !isLow)
              expect(explanation.score).toBeLessThanOrEqual(explanation.scoreNeeded ?? 0);
          } else if (result !== undefined) {
            expect(explanation.outcome).toBe("filtered");
            expect(explanation.droppedBy).not.toEqual([]);
            const before = allowed.filter((other) => isBefore(other, result)).length;
            expect(explanation.rank).toBe(before + 1);
          } else {
            expect(["belowFloor", "filtered", "noText", "noTerms"]).toContain(explanation.outcome);
            expect(explanation.rank).toBeUndefined();
          }
        }
      }),
      { numRuns: lawRuns(100) },
    );
  });

  it("adds up: terms to BM25, words and meaning to the similarity, the best passage to the score", () => {
    fc.assert(
      fc.property(documentsArbitrary, sentence, weightArbitrary, (documents, query, weight) => {
        const embedder = weight === undefined ? undefined : new FakeEmbedder({ weight, dimensions: 16 });
        const bot = { index: indexOf(documents, embedder), embedder };
        for (const { id } of documents) expectSums(explain(bot, asked(query), id));
      }),
      { numRuns: lawRuns(100) },
    );
  });
});

function isBefore(a: SearchResult, b: SearchResult): boolean {
  if (a.bestMatchScore !== b.bestMatchScore) return a.bestMatchScore > b.bestMatchScore;
  return a.resourceDocId < b.resourceDocId;
}

function expectSums({ question, passages, score, equals, outcome }: Explanation): void {
  const { terms, upperBound, dense, lexicalFloor } = question;
  expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(upperBound, 10);
  expect(terms.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
  for (const { lexical, calibrated, meaningCounts = 1, similarity, bm25, terms: held } of passages) {
    const lacks = dense?.identifiers?.some((term) => held.every((other) => other.term !== term)) === true;
    const asked = terms.reduce((sum, each) => sum + (dense?.identifiers?.includes(each.term) ? each.share : 0), 0);
    expect(meaningCounts).toBeCloseTo(lacks ? 1 - Math.min(1, asked / 0.2) * 0.8 : 1, 12);
    expect(held.reduce((sum, term) => sum + term.score, 0)).toBe(bm25);
    for (const { term, score: gain } of held) {
      expect(gain).toBeLessThan(terms.find((known) => known.term === term)?.weight ?? 0);
    }
    const share = bm25 / upperBound;
    expect(lexical).toBe(share < lexicalFloor ? 0 : Math.min(share, SIMILARITY_INEXACT_MAX));
    const raw = calibrated ?? lexical;
    const meaning = raw * meaningCounts;
    if (dense === undefined) expect(similarity).toBe(lexical);
    else if (lexical === 0 && raw < dense.floor) expect(similarity).toBe(0);
    else {
      const mean = dense.weight * meaning ** 1.5 + (1 - dense.weight) * lexical ** 1.5;
      expect(similarity).toBeCloseTo(Math.min(0.999, mean ** (2 / 3)), 12);
    }
  }
  if (outcome === "noText") return;
  expect(score).toBe(equals === undefined ? (passages[0]?.similarity ?? 0) : 1);
}

describe("what an explanation says", () => {
  const index = indexOf([
    document("a", "# Refunds\n\nMoney comes back\nwithin 14 days.\n\nAsk again after that.", { titles: ["Refunds"] }),
    document("b", "Money is kept in the bank.", { status: "inactive", metaData: { team: "blue" } }),
    document("c", "So it is.", { type: "QNA", titles: ["Where is the bank?", "Which bank?"], status: "pending" }),
    document("d", "", { titles: ["Money"] }),
  ]);
  const bot = { index };

  it("names the terms of the question, also those that no passage holds", () => {
    const { question } = explain(bot, asked("money, money zeppelins"), "a");
    expect(question.terms).toMatchObject([
      { term: "money", count: 2, passages: 2 },
      { count: 1, passages: 0 },
    ]);
    const [money, zeppelin] = question.terms;
    expect(zeppelin?.idf).toBeGreaterThan(money?.idf ?? Number.POSITIVE_INFINITY);
    expect(money?.weight).toBeCloseTo(2 * (money?.idf ?? 0) * 2.2, 12);
    expect(question.dense).toBeUndefined();
  });

  it("names what a mistyped word was taken for", () => {
    const { question, passages } = explain(bot, asked("mony of the bank"), "a");
    expect(question.terms.find(({ term }) => term === "moni" || term === "mony")).toMatchObject({
      passages: 2,
      meant: ["money"],
    });
    expect(passages[0]?.terms.map(({ term }) => term)).toContain(question.terms.find(({ meant }) => meant)?.term);
  });

  it("names each passage's lines, and the terms that it holds", () => {
    const { passages, rank, outcome } = explain(bot, asked("refunds of money"), "a");
    expect([outcome, rank]).toEqual(["returned", 1]);
    expect(passages[0]).toMatchObject({ kind: "passage", start: 3, stop: 6 });
    const terms = new Map(passages[0]?.terms.map(({ term, frequency }) => [term, frequency]));
    expect(terms.get("money")).toBe(1);
    // In the heading above it, and in the title.
    expect(terms.get("refund")).toBe(0.75 + 1.5);
  });

  it("tells the wordings of a question apart", () => {
    const { passages, score } = explain(bot, asked("which bank do I take"), "c");
    expect(passages.map((passage) => (passage.kind === "variant" ? passage.text : passage.start))).toEqual([
      "Which bank?",
      "Where is the bank?",
      1,
    ]);
    expect(score).toBe(passages[0]?.similarity);
  });

  it.each([
    ["refunds", "a", "title"],
    ["which BANK?", "c", "variant"],
    ["money comes back within 14 days.", "a", "text"],
    ["money", "b", undefined],
  ])("says what equals the question %j in %j: %s", (query, id, equals) => {
    const explanation = explain(bot, asked(query), id);
    expect(explanation.equals).toBe(equals);
    expect(explanation.score === 1).toBe(equals !== undefined);
  });

  it("names every filter and switch that drops it, with what was found there", () => {
    const filters = { status: "active", "metaData.team": "red", "metaData.floor": 3, type: "DOCUMENT" };
    const { outcome, droppedBy, rank, score } = explain(bot, asked("money", {}, filters), "b");
    expect([outcome, rank]).toEqual(["filtered", 1]);
    expect(score).toBeGreaterThan(0);
    expect(droppedBy).toEqual([
      { field: "filters.status", wanted: "active", found: "inactive" },
      { field: "filters.metaData.team", wanted: "red", found: "blue" },
      { field: "filters.metaData.floor", wanted: 3 },
    ]);
    expect(explain(bot, asked("bank", { includeFaqs: false, onlyActiveIntents: true }), "c").droppedBy).toEqual([
      { field: "options.includeFaqs", wanted: false, found: "QNA" },
      { field: "options.onlyActiveIntents", wanted: true, found: "pending" },
    ]);
  });

  it("says what score it would have needed", () => {
    const [first] = search(bot, asked("money", { topK: 1 }));
    const others = ["a", "b"].filter((id) => id !== first?.resourceDocId);
    const explanation = explain(bot, asked("money", { topK: 1 }), others[0] ?? "");
    expect(explanation).toMatchObject({ outcome: "afterLast", rank: 2, scoreNeeded: first?.bestMatchScore });
    expect(explain(bot, asked("money", { topK: 10 }), "b").scoreNeeded).toBeUndefined();
  });

  it("tells which documents an offset leaves out, and which are behind the slice", () => {
    const [first, second] = search(bot, asked("money"));
    const outcome = (offset: number, id = "") => explain(bot, asked("money", { topK: 1, offset }), id).outcome;
    expect(outcome(0, first?.resourceDocId)).toBe("returned");
    expect(outcome(0, second?.resourceDocId)).toBe("afterLast");
    expect(outcome(1, first?.resourceDocId)).toBe("beforeOffset");
    expect(outcome(1, second?.resourceDocId)).toBe("returned");
    const low = asked("money", { minScore: 0.999 });
    expect(explain(bot, low, first?.resourceDocId ?? "")).toMatchObject({
      outcome: "belowMinScore",
      returned: 0,
      rank: 1,
    });
  });

  it("tells documents that cannot be found from those that are not", () => {
    expect(explain(bot, asked("money"), "d")).toMatchObject({ outcome: "noText", score: 0, passages: [] });
    expect(explain(bot, asked("?!"), "a")).toMatchObject({ outcome: "noTerms", returned: 0 });
    expect(explain(bot, asked("bank"), "a")).toMatchObject({ outcome: "belowFloor", returned: 2 });
    expect(explain(bot, asked("money"), "x")).toMatchObject({ outcome: "unknown", returned: 2 });
    expect(explain(bot, asked("money"), "x", 7)).toMatchObject({ outcome: "notIndexed" });
    expect(explain(bot, asked("money"), "x")).not.toHaveProperty("document");
    expect(explain(bot, asked("money"), "a", 7)).toMatchObject({ outcome: "returned", document: { newerWaits: true } });
    expect(explain(bot, asked("money"), "a").document).toEqual({
      type: "DOCUMENT",
      status: "active",
      title: "Refunds",
      newerWaits: false,
    });
  });

  it("says of a document that the graph of the vectors did not come upon that it was missed, and where it belongs", () => {
    const embedder = new FakeEmbedder({ dimensions: 16 });
    const documents = [
      document("near", "buy a car"),
      document("between", "a dog"),
      document("missed", "buy a car now"),
    ];
    const bot = { index: indexOf(documents, embedder, new ShortSighted(16, 2)), embedder };
    const request = asked("purchase automobile");
    expect(search(bot, request).map(({ resourceDocId }) => resourceDocId)).toEqual(["near"]);
    const explanation = explain(bot, request, "missed");
    expect(explanation).toMatchObject({ outcome: "missed", rank: 2, droppedBy: [] });
    expect(explanation.score).toBeGreaterThan(0);
    const whole = { index: indexOf(documents, embedder), embedder };
    expect(explain(whole, request, "missed")).toMatchObject({ outcome: "returned", score: explanation.score, rank: 2 });
  });
});

/** Finds what a graph may: not all that is near. Nothing from this key on. */
class ShortSighted extends PassageVectors {
  readonly #end: number;

  constructor(dimensions: number, end: number) {
    super(dimensions);
    this.#end = end;
  }

  override *nearestInSlices(
    query: QueryVector,
    k: number,
    meter: OperationMeter,
    allowed?: AllowedKeys,
  ): Sliced<readonly Neighbour[]> {
    return (yield* super.nearestInSlices(query, k, meter, allowed)).filter(({ key }) => key < this.#end);
  }
}
