import { describe, expect, it } from "vitest";
import { COMPARED_SHARE, ordinalsToCompare, type Reranking } from "../../../src/search/rerank/compared-passages.ts";
import { rerankedBy, rerankedByComparison } from "../../../src/search/rerank/rerank.ts";
import { rerankedScore } from "../../../src/search/rerank/reranked-score.ts";
import type { DocumentHits } from "../../../src/search/retrieval.ts";
import { CALIBRATION } from "../../support/fake-token-codes.ts";

describe("what is compared", () => {
  const hits = (...similarities: number[]): DocumentHits => ({
    document: expect.anything(),
    passages: similarities.map((similarity, ordinal) => ({ ordinal, similarity, words: 0 })),
    variant: 0,
    equal: { title: false, fragments: [] },
  });

  it("is a document's best passage, those with nearly its score, and the best question variant", () => {
    expect(ordinalsToCompare(hits(0.9, 0.2))).toEqual([0]);
    expect(ordinalsToCompare(hits(0.8, 0.8 * COMPARED_SHARE, 0.79 * COMPARED_SHARE))).toEqual([0, 1]);
    expect(ordinalsToCompare({ ...hits(), bestVariant: 7 })).toEqual([7]);
    expect(ordinalsToCompare({ ...hits(0.5, 0.5), bestVariant: 7 })).toEqual([0, 1, 7]);
  });

  it("gives passages their similarity after reranking, and those that were not compared the least closeness of the document", () => {
    const found = { ...hits(0.9, 0.8, 0.7, 0.6), variant: 0.5, bestVariant: 9 };
    const compared = new Map([
      [0, { closeness: 0.1, closenessWithTitle: 0.1, windows: [0.1] }],
      [1, { closeness: 0.7, closenessWithTitle: 0.7, windows: [0.2, 0.6] }],
      [9, { closeness: 0.3, closenessWithTitle: 0.3, windows: [0.3] }],
    ]);
    const meanOf = (score: number, closeness: number): string =>
      (((score ** 1.5 + closeness ** 1.5) / 2) ** (2 / 3)).toFixed(3);
    const { passages, variant, variantCloseness } = rerankedByComparison(found, compared, {
      calibration: { ...CALIBRATION, weight: 1 },
    });
    expect(passages.map(({ ordinal }) => ordinal)).toEqual([1, 0, 2, 3]);
    expect(passages.map(({ similarity }) => similarity.toFixed(3))).toEqual([
      meanOf(0.8, 0.7),
      meanOf(0.9, 0.1),
      meanOf(0.7, 0.1),
      meanOf(0.6, 0.1),
    ]);
    expect(passages.map(({ reranking }) => reranking?.windows)).toEqual([[0.2, 0.6], [0.1], undefined, undefined]);
    // An answer that holds the question's words speaks for its wordings.
    expect(variant.toFixed(3)).toBe(meanOf(0.5, 0.7));
    expect(variantCloseness).toBe(0.7);
    // A passage that lacks the identifiers of the question gets less than one that was compared.
    const identified = { holding: new Set([0, 1, 2]), meaningCounts: 0.5 };
    const lacking = rerankedByComparison(found, compared, { calibration: { ...CALIBRATION, weight: 1 }, identified });
    expect(lacking.passages.map(({ similarity }) => similarity.toFixed(3))).toEqual([
      meanOf(0.8, 0.7),
      meanOf(0.9, 0.1),
      meanOf(0.7, 0.1),
      meanOf(0.6, 0.05),
    ]);
    compared.delete(9);
    expect(rerankedByComparison(found, compared, { calibration: CALIBRATION }).variantCloseness).toBeUndefined();
  });
});

describe("what is assumed of a document that is not compared", () => {
  it("counts less for passages and wordings that lack an exact string of the question", () => {
    const found: DocumentHits = {
      document: expect.anything(),
      passages: [2, 1, 2].map((ordinal) => ({ ordinal, similarity: 0.5, words: 0 })),
      variant: 0.5,
      bestVariant: 0,
      equal: { title: false, fragments: [] },
    };
    const identified = { holding: new Set([2]), meaningCounts: 0.25 };
    // Boundary of the test: nothing else of a look is asked for.
    const look = { calibration: { ...CALIBRATION, weight: 1 }, identified } as Partial<Reranking> as Reranking;
    const { passages, variant } = rerankedBy(found, 0.8, look);
    const [less, all] = [rerankedScore(0.5, 0.2, 1), rerankedScore(0.5, 0.8, 1)];
    // The last one holds it, and stays behind the one before it all the same.
    expect([...passages.map(({ similarity }) => similarity), variant]).toEqual([all, less, less, less]);
    // No ordinal of a wording is known.
    const { bestVariant: _, ...without } = found;
    expect(
      rerankedBy(without, 0.8, { ...look, identified: { ...identified, holding: new Set([-1, 0, 1, 2]) } }).variant,
    ).toBe(all);
  });
});
