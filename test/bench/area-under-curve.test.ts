import fc from "fast-check";
import { expect, it } from "vitest";
import { areaUnderCurve } from "../../bench/measuring/measures.ts";

const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 });

it("is the share of pairs in which the first is above the second, ties counting half", () => {
  expect(areaUnderCurve([1, 2, 3], [0, 0])).toBe(1);
  expect(areaUnderCurve([1], [1])).toBe(0.5);
  fc.assert(
    fc.property(values, values, (first, second) => {
      const pairs = first.flatMap((one) => second.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
      const plain = pairs.reduce((sum: number, pair) => sum + pair, 0) / pairs.length;
      expect(areaUnderCurve(first, second)).toBeCloseTo(plain, 12);
      expect(areaUnderCurve(second, first)).toBeCloseTo(1 - plain, 12);
    }),
  );
});
