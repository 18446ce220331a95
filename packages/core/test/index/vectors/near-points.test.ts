import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { NearPoints } from "../../../src/index/vectors/near-points.ts";

it("the nearest are kept in their order, those of before first where they are as near, however many there may be", () => {
  const near = new NearPoints();
  const few = fc.integer({ min: -9, max: 9 }).map((n) => n / 9);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.oneof(
        fc.array(few, { maxLength: 600, size: "max" }),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 600, size: "max" }),
        // Each is nearer than all of before: moved up by as many places as there are.
        fc.integer({ min: 1, max: 600 }).map((count) => Array.from({ length: count }, (_, i) => i / count)),
      ),
      (most, cosines) => {
        near.begin(most);
        for (const [point, cosine] of cosines.entries()) near.offer(point, cosine);
        const sorted = cosines.map((cosine, point) => ({ cosine, point })).sort((a, b) => b.cosine - a.cosine);
        const kept = Array.from({ length: near.count }, (_, i) => ({ cosine: near.cosines[i], point: near.point(i) }));
        expect(kept).toEqual(sorted.slice(0, most));
        const taken = Array.from({ length: near.count }, () => near.take());
        expect(taken).toEqual(kept.map(({ point }) => point));
        expect(near.take()).toBe(-1);
      },
    ),
    { numRuns: lawRuns(300) },
  );
});
