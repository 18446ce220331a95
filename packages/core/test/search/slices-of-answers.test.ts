import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });

function indexOf(texts: readonly string[], hasVectors: boolean): SearchIndex {
  const index = new SearchIndex(analyzer);
  if (hasVectors) index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  const encode = hasVectors ? (text: string) => encodeVector(embedder.vectorOf(text)) : undefined;
  for (const [i, md] of texts.entries()) {
    const content = [{ md }];
    const document: SearchableDocument = {
      id: `d${i}`,
      type: "DOCUMENT",
      status: "active",
      metaData: {},
      content,
      titles: [],
    };
    finished(
      index.replaceInSlices(document, { version: 1, cut: cutDocument(document), current: () => document, encode }),
    );
  }
  return index;
}

function ask(index: SearchIndex, query: string, options: object): SearchResult[] {
  const embedded = index.windowVectors.rows === undefined ? undefined : { embedder, vector: embedder.vectorOf(query) };
  return answer(index, parseSearchRequest({ query, options }), analyzeQuery(query, index.reader), embedded);
}

const word = fc.constantFrom("pear", "plum", "fig", "car", "buy", "hound", "penguin", "harbour");
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));

describe("an answer with an offset", () => {
  it("is a slice of the answer with topK 100: all slices together are that answer", () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 130 }),
        text,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(0, 0, 0.3),
        fc.constantFrom("none", "section"),
        fc.boolean(),
        (texts, query, topK, minScore, context, hasVectors) => {
          const index = indexOf(texts, hasVectors);
          const all = ask(index, query, { topK: 100, minScore, context });
          const slices: SearchResult[] = [];
          for (let offset = 0; offset < 100; offset += topK) {
            const slice = ask(index, query, { topK, offset, minScore, context });
            expect(slice).toEqual(all.slice(offset, offset + topK));
            slices.push(...slice);
          }
          expect(slices).toEqual(all);
        },
      ),
      { numRuns: lawRuns(40) },
    );
  });

  it("never has a document behind the hundredth", () => {
    const index = indexOf(
      Array.from({ length: 120 }, () => "pear"),
      false,
    );
    expect(ask(index, "pear", { topK: 10, offset: 95 })).toHaveLength(5);
    expect(ask(index, "pear", { topK: 100, offset: 99 })).toHaveLength(1);
  });
});

describe("a least score", () => {
  it("leaves out exactly the documents below it", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), text, fc.boolean(), (texts, query, hasVectors) => {
        const index = indexOf(texts, hasVectors);
        const all = ask(index, query, { topK: 100 });
        for (const minScore of [0, 0.2, 0.5, 1, ...all.map(({ bestMatchScore }) => bestMatchScore)]) {
          const wanted = all.filter(({ bestMatchScore }) => bestMatchScore >= minScore);
          expect(ask(index, query, { topK: 100, minScore })).toEqual(wanted);
          expect(ask(index, query, { topK: 3, minScore })).toEqual(wanted.slice(0, 3));
        }
      }),
      { numRuns: lawRuns(60) },
    );
  });
});
