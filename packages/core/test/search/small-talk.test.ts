import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/model/limits.ts";
import { answerScore, similarityOf } from "../../src/search/answer-score.ts";
import { explain } from "../../src/search/explain/explain.ts";
import type { ParsedQuery } from "../../src/search/parsed-query.ts";
import { search } from "../../src/search/search.ts";
import { FakeKeptTokenCodes } from "../support/fake-token-codes.ts";
import { askingOf, document, EMBEDDER, indexOf } from "./rerank-kit.ts";

// Boundary of the test: nothing else of a question is asked for.
const asked = (smallTalk: number): ParsedQuery => ({ dense: { smallTalk } }) as ParsedQuery;
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("the score of an answer", () => {
  it("is its similarity where a question asks something, has no vector, or equals a text", () => {
    fc.assert(
      fc.property(share, share, (similarity, smallTalk) => {
        expect(answerScore(similarity, asked(0))).toBe(similarity);
        expect(answerScore(similarity, {})).toBe(similarity);
        expect(answerScore(1, asked(smallTalk))).toBe(1);
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it("never falls as the similarity rises, and never rises as there is more small talk", () => {
    const found = fc.double({ min: 1e-6, max: SIMILARITY_INEXACT_MAX, noNaN: true });
    fc.assert(
      fc.property(found, found, share, share, (one, other, less, more) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(answerScore(low, asked(less))).toBeLessThanOrEqual(answerScore(high, asked(less)));
        const [calm, chatty] = [Math.min(less, more), Math.max(less, more)];
        expect(answerScore(low, asked(chatty))).toBeLessThanOrEqual(answerScore(low, asked(calm)));
        expect(answerScore(low, asked(chatty))).toBeGreaterThan(0);
        expect(answerScore(high, asked(calm))).toBeLessThan(1);
      }),
      { numRuns: lawRuns(500) },
    );
  });

  it("tells the similarity that it was made of", () => {
    const found = fc.double({ min: 1e-6, max: SIMILARITY_INEXACT_MAX, noNaN: true });
    fc.assert(
      fc.property(found, share, (similarity, smallTalk) => {
        expect(similarityOf(answerScore(similarity, asked(smallTalk)), smallTalk)).toBeCloseTo(similarity, 9);
        expect(similarityOf(1, smallTalk)).toBe(1);
      }),
    );
  });

  it("keeps small talk below .2 that an answer reaches with .55, and what is nearly a repetition above", () => {
    expect(answerScore(0.55, asked(1))).toBeLessThan(0.2);
    expect(answerScore(0.9, asked(1))).toBeGreaterThan(0.7);
  });
});

describe("a question that is small talk", () => {
  const index = indexOf([
    document("car", "How to buy a car."),
    document("dog", "A dog in the car, and how to feed it."),
    document("equal", "Hello car"),
  ]);

  /** The search, with an embedder that takes the question for small talk by so much. */
  function asking(smallTalk: number | undefined, query = "hello car") {
    const { request, asking: plain } = askingOf(query, { tokenCodes: new FakeKeptTokenCodes(index), topK: 10 });
    const { id, version, dimensions, weight } = EMBEDDER;
    const embedder = { id, version, dimensions, weight, calibrate: (cosine: number) => EMBEDDER.calibrate(cosine) };
    const told = smallTalk === undefined ? embedder : { ...embedder, smallTalk: () => smallTalk };
    return { request, asking: { ...plain, embed: async () => ({ ...(await plain.embed()), embedder: told }) } };
  }

  it("has the same answers in the same order, with lower scores", async () => {
    const [plain, half] = [asking(undefined), asking(0.5)];
    const before = await search(index, plain.request, plain.asking);
    const after = await search(index, half.request, half.asking);
    expect(before.length).toBe(3);
    expect(after).toEqual(
      before.map((result) => ({
        ...result,
        bestMatchScore: result.bestMatchScore === 1 ? 1 : expect.closeTo(result.bestMatchScore ** 2, 12),
        similarTextParts: result.similarTextParts.map((part) => ({
          ...part,
          similarity: part.similarity === 1 ? 1 : expect.closeTo(part.similarity ** 2, 12),
        })),
      })),
    );
    expect(after[0]?.bestMatchScore).toBe(1);
  });

  it("is explained with the same numbers, and how much small talk it is", async () => {
    const { request, asking: own } = asking(0.5);
    const results = await search(index, request, own);
    for (const { resourceDocId, bestMatchScore, similarTextParts } of results) {
      const explained = await explain(index, request, resourceDocId, () => 1, own);
      expect(explained).toMatchObject({ score: bestMatchScore, similarTextParts, outcome: "returned" });
      expect(explained.question.dense).toMatchObject({ smallTalk: 0.5, scorePower: 2 });
      const best = explained.passages[0];
      const similarity = best?.rerank?.similarity ?? best?.similarity ?? 0;
      if (bestMatchScore < 1) expect(bestMatchScore).toBeCloseTo(similarity ** 2, 12);
    }
    const plain = asking(0);
    const { dense = {} } = (await explain(index, plain.request, "car", () => 1, plain.asking)).question;
    expect(Object.keys(dense).filter((name) => ["smallTalk", "scorePower"].includes(name))).toEqual([]);
  });

  it("is dropped by the least score that is asked for, which counts for its lower scores", async () => {
    const { request, asking: own } = asking(1);
    const scores = new Map(
      (await search(index, request, own)).map((result) => [result.resourceDocId, result.bestMatchScore]),
    );
    const minScore = ((scores.get("dog") ?? 0) + similarityOf(scores.get("dog") ?? 0, 1)) / 2;
    const least = { ...request, minScore };
    const ids = (await search(index, least, own)).map(({ resourceDocId }) => resourceDocId);
    expect(ids).not.toContain("dog");
    expect((await explain(index, least, "dog", () => 1, own)).outcome).toBe("belowMinScore");
    const plain = asking(0);
    expect((await search(index, least, plain.asking)).map(({ resourceDocId }) => resourceDocId)).toContain("dog");
  });

  it.each([Number.NaN, -1, undefined])("is none if an embedder tells %s", async (told) => {
    const [plain, odd] = [asking(0), asking(told)];
    expect(await search(index, odd.request, odd.asking)).toEqual(await search(index, plain.request, plain.asking));
  });

  it("is at most all of it", async () => {
    const [most, odd] = [asking(1), asking(7)];
    expect(await search(index, odd.request, odd.asking)).toEqual(await search(index, most.request, most.asking));
  });
});
