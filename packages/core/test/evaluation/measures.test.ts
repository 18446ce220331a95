import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  lineInAnyPart,
  lineInFirstPart,
  mean,
  normalizedDiscountedGain,
  recall,
  reciprocalRank,
} from "../../src/evaluation/measures.ts";

const gains = new Map([
  ["a", 3],
  ["b", 1],
  ["c", 0],
]);

describe("nDCG", () => {
  it("is what the formula gives, worked out by hand", () => {
    // (0 / log2 2 + 1 / log2 3 + 3 / log2 4) / (3 / log2 2 + 1 / log2 3)
    expect(normalizedDiscountedGain(["x", "b", "a"], gains)).toBeCloseTo(0.58688, 5);
    expect(normalizedDiscountedGain(["a", "b"], gains)).toBe(1);
    expect(normalizedDiscountedGain(["b", "a"], gains)).toBeCloseTo(
      (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
      12,
    );
  });

  it("looks at the first k alone, also for the best possible ranking", () => {
    const many = new Map(Array.from({ length: 20 }, (_, i) => [`d${i}`, 1]));
    expect(normalizedDiscountedGain([...many.keys()], many, 10)).toBe(1);
    expect(normalizedDiscountedGain(["x", "a"], gains, 1)).toBe(0);
  });

  it("is 0 where nothing is relevant or nothing was found", () => {
    expect(normalizedDiscountedGain(["a"], new Map())).toBe(0);
    expect(normalizedDiscountedGain([], gains)).toBe(0);
  });

  it("is from 0 to 1, and never falls when a better document moves up", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const drawn = fc.tuple(fc.shuffledSubarray(ids), fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }));
    fc.assert(
      fc.property(drawn, ([ranking, values]) => {
        const judged = new Map(ids.map((id, i) => [id, values[i] ?? 0]));
        const value = normalizedDiscountedGain(ranking, judged);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        const sorted = [...ranking].sort((x, y) => (judged.get(y) ?? 0) - (judged.get(x) ?? 0));
        expect(normalizedDiscountedGain(sorted, judged)).toBeGreaterThanOrEqual(value - 1e-12);
      }),
    );
  });
});

describe("the other measures of a ranking", () => {
  it("reciprocal rank is that of the first relevant document among the first k", () => {
    expect(reciprocalRank(["x", "c", "b", "a"], gains)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank(["x", "c", "b", "a"], gains, 2)).toBe(0);
    expect(reciprocalRank(["c"], gains)).toBe(0);
  });

  it("recall is the share of the relevant documents among the first k", () => {
    expect(recall(["a", "x", "b"], gains, 2)).toBe(0.5);
    expect(recall(["a", "x", "b"], gains, 3)).toBe(1);
    expect(recall(["a"], new Map(), 3)).toBe(0);
  });

  it("the mean of nothing is 0", () => {
    expect(mean([])).toBe(0);
    expect(mean([1, 0, 0.5])).toBe(0.5);
  });
});

describe("line accuracy", () => {
  const part = (start: number, stop: number) => ({ text: "", similarity: 0.5, start, stop });
  const results = [
    { resourceDocId: "a", similarTextParts: [part(3, 5), part(9, 9)] },
    { resourceDocId: "b", similarTextParts: [part(1, 1)] },
  ];

  it.each([
    ["a line of the first part", "a", [[5, 5]], 1, 1],
    ["a range that begins in it", "a", [[5, 8]], 1, 1],
    ["a range around it", "a", [[1, 20]], 1, 1],
    ["the line before it", "a", [[2, 2]], 0, 0],
    ["the line after it", "a", [[6, 8]], 0, 0],
    ["a line of its second part", "a", [[9, 9]], 0, 1],
    [
      "one of two ranges",
      "a",
      [
        [7, 7],
        [4, 4],
      ],
      1,
      1,
    ],
    ["any line of it", "a", [], 1, 1],
    ["a line of the second document", "b", [[1, 1]], 0, 1],
    ["any line of the second document", "b", [], 0, 1],
    ["a document that was not found", "c", [[1, 9]], 0, 0],
  ] as const)("of %s", (_, id, ranges, first, any) => {
    const answer = new Map([[id, ranges]]);
    expect(lineInFirstPart(results, answer)).toBe(first);
    expect(lineInAnyPart(results, answer)).toBe(any);
  });

  it("looks at the first k documents", () => {
    expect(lineInAnyPart(results, new Map([["b", []]]), 1)).toBe(0);
    expect(lineInFirstPart([], new Map([["b", []]]))).toBe(0);
  });
});
