import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/domain/limits.ts";
import type { TokenCalibration } from "../../src/embedding/token-signs.ts";
import { type FoundScore, lookedAtScore, rescored } from "../../src/third-look/rescore.ts";

const CALIBRATION: TokenCalibration = { low: 0.2, high: 0.6, weight: 0.5 };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inexact = share.map((value) => value * SIMILARITY_INEXACT_MAX);
const calibration = fc
  .tuple(fc.double({ min: 0, max: 0.5, noNaN: true }), fc.double({ min: 0.01, max: 0.5, noNaN: true }), fc.nat(4))
  .map(([low, above, weight]): TokenCalibration => ({ low, high: low + above, weight }));

/** Found documents, best first, ties by id. In thousandths: two scores that differ at all differ after rounding as well. */
const found = fc
  .uniqueArray(fc.integer({ min: 1, max: 10_000 }), { maxLength: 40 })
  .chain((ids) =>
    fc
      .array(fc.integer({ min: 1, max: 1_000 }), { minLength: ids.length, maxLength: ids.length })
      .map((scores) => ids.map((id, i) => ({ id: `document ${id}`, score: (scores[i] ?? 1) / 1_000 }))),
  )
  .map((all) => all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)));

const looks = fc.array(share, { minLength: 40, maxLength: 40 });

/** Of the first 20, those that do not equal the question. */
function lookedAt(all: readonly FoundScore[], similarities: readonly number[]): (number | undefined)[] {
  return all.slice(0, 20).map(({ score }, i) => (score === 1 ? undefined : similarities[i]));
}

describe("a score that was looked at", () => {
  it("weighs the third look beside the two before", () => {
    expect(lookedAtScore(0.6, 0.4, CALIBRATION)).toBeCloseTo((0.6 + 0.5 * 0.999 * 0.5) / 1.5);
    expect(lookedAtScore(0.6, 0.1, CALIBRATION)).toBeCloseTo(0.4);
    expect(lookedAtScore(0.6, 0.9, CALIBRATION)).toBe(lookedAtScore(0.6, 0.6, CALIBRATION));
  });

  it("stays within its bounds, and rises with either", () => {
    fc.assert(
      fc.property(inexact, inexact, share, share, calibration, (a, b, m, n, by) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [far, near] = [Math.min(m, n), Math.max(m, n)];
        const score = lookedAtScore(low, far, by);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(lookedAtScore(high, far, by)).toBeGreaterThanOrEqual(score);
        expect(lookedAtScore(low, near, by)).toBeGreaterThanOrEqual(score);
        expect(lookedAtScore(high, near, by)).toBeLessThanOrEqual(SIMILARITY_INEXACT_MAX);
      }),
      { numRuns: lawRuns(5_000) },
    );
  });

  it("is 1 for equality alone, and 0 for what was not found", () => {
    expect(lookedAtScore(1, 0, CALIBRATION)).toBe(1);
    expect(lookedAtScore(SIMILARITY_INEXACT_MAX, 1, CALIBRATION)).toBe(SIMILARITY_INEXACT_MAX);
    expect(lookedAtScore(0, 1, CALIBRATION)).toBe(0);
  });
});

describe("what was found, looked at", () => {
  const ids = (all: readonly FoundScore[]): string[] => all.map(({ id }) => id);

  it("is in the order of all looks, ties by id", () => {
    const all = [
      { id: "equal", score: 1 },
      { id: "b", score: 0.6 },
      { id: "c", score: 0.5 },
      { id: "a", score: 0.4 },
      { id: "beyond", score: 0.4 },
    ];
    expect(ids(rescored(all, [undefined, 0.2, 0.6, 0.7], CALIBRATION))).toEqual(["equal", "c", "a", "b", "beyond"]);
    expect(ids(rescored(all, [undefined, 0.2, 0.4, 0.6], { ...CALIBRATION, weight: 0 }))).toEqual(ids(all));
    const equal = [
      { id: "z", score: 0.5 },
      { id: "y", score: 0.25 },
    ];
    expect(ids(rescored(equal, [0, 0.5], { low: 0, high: 0.999, weight: 0.5 }))).toEqual(["y", "z"]);
  });

  it("keeps the scores of two looks where nothing was looked at", () => {
    const all = [
      { id: "b", score: 1 },
      { id: "a", score: 0.5 },
    ];
    expect(rescored(all, [], CALIBRATION)).toEqual(all);
    expect(rescored(all, [undefined], CALIBRATION)).toEqual(all);
  });

  it("has no seam: who is beyond stays behind, in the same order, however many are asked for", () => {
    fc.assert(
      fc.property(found, looks, calibration, fc.nat(40), (all, similarities, by, more) => {
        const looked = lookedAt(all, similarities);
        const whole = rescored(all, looked, by);
        expect(ids(whole.slice(20))).toEqual(ids(all.slice(20)));
        expect(new Set(ids(whole.slice(0, 20)))).toEqual(new Set(ids(all.slice(0, 20))));
        const fewer = rescored(all.slice(0, 20 + more), looked, by);
        expect(whole.slice(0, fewer.length)).toEqual(fewer);
        for (const [i, { score }] of whole.entries()) expect(score).toBeLessThanOrEqual(whole[i - 1]?.score ?? 1);
      }),
      { numRuns: lawRuns(3_000) },
    );
  });
});
