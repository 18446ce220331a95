import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BestGroups } from "../../../src/index/postings/best-groups.ts";

describe("what the best documents so far are worth", () => {
  it("is the count-th best of the highest scores of the slots that are allowed", () => {
    const offers = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: -1, max: 12 })), { maxLength: 60 });
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 6 }), fc.nat(4), (scores, count, forbidden) => {
        const isAllowed = (slot: number): boolean => slot % 5 !== forbidden;
        const best = new BestGroups(count, { of: (slot) => slot, mayBe: isAllowed });
        const highest = new Map<number, number>();
        for (const [slot, score] of scores) {
          best.offer(slot, score);
          if (score > 0 && isAllowed(slot)) highest.set(slot, Math.max(score, highest.get(slot) ?? 0));
          const ranked = [...highest.values()].sort((a, b) => b - a);
          expect(best.threshold).toBe(ranked[count - 1] ?? 0);
        }
      }),
    );
  });

  it("is not known where very many are wanted", () => {
    const best = new BestGroups(100_000, { of: (slot) => slot });
    for (let slot = 0; slot < 1_000; slot++) best.offer(slot, 1);
    expect(best.threshold).toBe(0);
  });
});
