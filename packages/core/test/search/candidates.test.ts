import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finished } from "../../src/scheduling/time-slices.ts";
import { Candidates } from "../../src/search/candidates.ts";

describe("candidates", () => {
  it("are all that are worth enough, as many as wanted of those next to them, and none from one on is worth more than is said of it", () => {
    const scores = fc.array(fc.double({ min: 1e-9, max: 60, noNaN: true }), { maxLength: 50 });
    const bound = fc.double({ min: -5, max: 60, noNaN: true });
    fc.assert(
      fc.property(
        scores,
        fc.oneof(bound, fc.constant(Number.POSITIVE_INFINITY)),
        bound,
        fc.nat(30),
        (known, least, lower, most) => {
          const scoring = {
            touchedCount: known.length,
            ordinalAt: (i: number) => i + 7,
            partial: (ordinal: number) => known[ordinal - 7] ?? 0,
          };
          const candidates = finished(Candidates.best(scoring, least, lower, most));
          const ordinals = [...candidates.portion(0, candidates.count)];
          const range = Math.max(...known) - Math.max(0, lower);
          const inQuestion = known.flatMap((score, i) => (score >= lower ? [i + 7] : []));
          expect(new Set(ordinals).size).toBe(ordinals.length);
          expect(inQuestion).toEqual(expect.arrayContaining(ordinals));
          const leftOut = inQuestion.filter((ordinal) => !ordinals.includes(ordinal)).map(scoring.partial);
          if (leftOut.length > 0) {
            expect(ordinals.length).toBeGreaterThanOrEqual(most);
            expect(Math.max(...leftOut)).toBeLessThan(least);
            // The best, as exactly as the 1,024 shares tell.
            const worst = Math.min(...ordinals.map(scoring.partial), Number.POSITIVE_INFINITY);
            expect(Math.max(...leftOut)).toBeLessThanOrEqual(worst + (2 * range) / 1024);
          }
          for (let i = 0; i < ordinals.length; i++) {
            const highest = Math.max(...ordinals.slice(i).map((ordinal) => scoring.partial(ordinal)));
            expect(candidates.scoreAtMost(i)).toBeGreaterThanOrEqual(highest);
            // Tight enough to end a walk: three of the shares.
            expect(candidates.scoreAtMost(i) - scoring.partial(ordinals[i] ?? 0)).toBeLessThanOrEqual(
              (3 * range) / 1024,
            );
          }
          expect(candidates.scoreAtMost(ordinals.length)).toBe(0);
        },
      ),
    );
  });
});
