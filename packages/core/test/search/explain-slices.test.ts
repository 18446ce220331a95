import { describe, expect, it, vi } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { TEXT_PARTS_MAX } from "../../src/model/limits.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { finished, TimeSlices } from "../../src/scheduling/time-slices.ts";
import { explain } from "../../src/search/explain/explain.ts";
import { analyzeQuery, weighQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = new LanguageAnalyzer("multi");
const embedder = new FakeEmbedder({ dimensions: 8 });

const PASSAGES = 20_000;
/** Passages that may be explained between two yields. */
const EXPLAINED_MAX = 64;
const SAID = "harbour lamp";

/** A document of many passages in which some say the same. */
function largeBot(): SearchIndex {
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  const md = Array.from({ length: PASSAGES }, (_, i) => (i % 5_000 === 9 ? SAID : `lamp ${i % 97} ${i % 89}`))
    .map((text) => `# P\n\n${text}`)
    .join("\n\n");
  const known = { id: "large", type: "PDF", status: "active", metaData: {}, content: [{ md }], titles: [] } as const;
  index.replace(known, 1);
  const vectors = new Int8Array(index.windowsOf("large") * embedder.dimensions).fill(1);
  vectors.set(encodeVector(embedder.vectorOf(SAID)));
  index.windowVectors.set("large", vectors);
  return index;
}

describe("an explanation of a document of 20,000 passages", () => {
  const index = largeBot();

  it("lets others pass after some passages, and while it puts them in order", async () => {
    const explained = vi.spyOn(index.lexical, "termScores");
    const between: number[] = [];
    let now = 0;
    // Each look at the clock is a turn later: others get theirs at every yield.
    const turns = TimeSlices.ofSearches({ wallMs: () => 0, monotonicMs: () => ++now * 100 }, async () => {
      between.push(explained.mock.calls.length);
      explained.mockClear();
    });
    const asking = {
      queue: new SearchQueue(turns),
      embed: async (question: string) => ({ embedder, vector: embedder.vectorOf(question) }),
      check: () => undefined,
    };
    const { outcome, passages } = await explain(index, parseSearchRequest({ query: SAID }), "large", () => 1, asking);
    expect([outcome, passages.length]).toEqual(["returned", PASSAGES]);
    expect(passages.map(({ similarity }) => similarity)).toEqual(
      passages.map(({ similarity }) => similarity).sort((a, b) => b - a),
    );
    expect(Math.max(...between)).toBeLessThanOrEqual(EXPLAINED_MAX);
    expect(explained.mock.calls.length).toBe(0);
    const sorting = between.length - 1 - between.findLastIndex((count) => count > 0);
    expect(sorting).toBeGreaterThan(PASSAGES / 1_024);
  });

  it("looks for equal texts in steps", () => {
    const document = index.documents.find("large") ?? expect.fail();
    const query = finished(weighQuery(analyzeQuery(SAID, analyzer), index, undefined));
    const steps = index.equalTexts(query, document);
    let yields = 0;
    for (;;) {
      const step = steps.next();
      if (step.done !== true) yields++;
      else {
        expect(step.value.fragments.length).toBe(TEXT_PARTS_MAX);
        break;
      }
    }
    // The last of them stands behind 10,000 passages.
    expect(yields).toBeGreaterThan(0);
  });
});
