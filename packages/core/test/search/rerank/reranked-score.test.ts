import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import type { TokenCalibration } from "../../../src/embedding/token-codes.ts";
import { SIMILARITY_INEXACT_MAX } from "../../../src/model/limits.ts";
import { assumedCloseness, closenessOf, rerankedScore } from "../../../src/search/rerank/reranked-score.ts";

const CALIBRATION: TokenCalibration = { low: 0.2, high: 0.6, weight: 0.5 };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inexact = share.map((value) => value * SIMILARITY_INEXACT_MAX);
const calibration = fc
  .tuple(fc.double({ min: 0, max: 0.5, noNaN: true }), fc.double({ min: 0.01, max: 0.5, noNaN: true }), fc.nat(4))
  .map(([low, above, weight]): TokenCalibration => ({ low, high: low + above, weight }));

describe("what a similarity of tokens is worth", () => {
  it("is nothing up to the low level, and all from the high one on", () => {
    expect(closenessOf(0, CALIBRATION)).toBe(0);
    expect(closenessOf(0.2, CALIBRATION)).toBe(0);
    expect(closenessOf(0.4, CALIBRATION)).toBeCloseTo(SIMILARITY_INEXACT_MAX / 2);
    expect(closenessOf(0.6, CALIBRATION)).toBeCloseTo(SIMILARITY_INEXACT_MAX);
    expect(closenessOf(1, CALIBRATION)).toBe(SIMILARITY_INEXACT_MAX);
  });

  it("rises with it, within its bounds", () => {
    fc.assert(
      fc.property(share, share, calibration, (a, b, by) => {
        const [far, near] = [closenessOf(Math.min(a, b), by), closenessOf(Math.max(a, b), by)];
        expect(far).toBeGreaterThanOrEqual(0);
        expect(near).toBeGreaterThanOrEqual(far);
        expect(near).toBeLessThanOrEqual(SIMILARITY_INEXACT_MAX);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});

describe("a score that was looked at", () => {
  it("weighs reranking beside the two before", () => {
    expect(rerankedScore(0.6, 0.5, 0.5)).toBeCloseTo(((0.6 ** 1.5 + 0.5 * 0.5 ** 1.5) / 1.5) ** (2 / 3));
    expect(rerankedScore(0.6, 0, 0.5)).toBeCloseTo((0.6 ** 1.5 / 1.5) ** (2 / 3));
    expect(rerankedScore(0.6, 0.3, 0)).toBe(0.6);
  });

  it("stays within its bounds, and rises with either", () => {
    fc.assert(
      fc.property(inexact, inexact, inexact, inexact, fc.nat(4), (a, b, m, n, weight) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [far, near] = [Math.min(m, n), Math.max(m, n)];
        const score = rerankedScore(low, far, weight);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(rerankedScore(high, far, weight)).toBeGreaterThanOrEqual(score);
        expect(rerankedScore(low, near, weight)).toBeGreaterThanOrEqual(score);
        expect(rerankedScore(high, near, weight)).toBeLessThanOrEqual(SIMILARITY_INEXACT_MAX);
      }),
      { numRuns: lawRuns(5_000) },
    );
  });

  it("is 1 for equality alone, and 0 for what was not found", () => {
    expect(rerankedScore(1, 0, 0.5)).toBe(1);
    expect(rerankedScore(SIMILARITY_INEXACT_MAX, SIMILARITY_INEXACT_MAX, 0.5)).toBe(SIMILARITY_INEXACT_MAX);
    expect(rerankedScore(0, SIMILARITY_INEXACT_MAX, 0.5)).toBe(0);
  });
});

describe("what is taken for a closeness that is not known", () => {
  it("is the mean of the others", () => {
    expect(assumedCloseness([0.2, 0.4, 0.9])).toBe(0.5);
    fc.assert(
      fc.property(fc.array(inexact, { minLength: 1, maxLength: 20 }), (looked) => {
        const assumed = assumedCloseness(looked);
        expect(assumed).toBeGreaterThanOrEqual(Math.min(...looked) * (1 - 1e-12));
        expect(assumed).toBeLessThanOrEqual(Math.max(...looked) * (1 + 1e-12));
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("is nothing where none was looked at", () => {
    expect(assumedCloseness([])).toBeUndefined();
  });
});
