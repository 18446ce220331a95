import fc from "fast-check";
import { expect, it } from "vitest";
import { sortedInSlices } from "../../src/scheduling/sorted.ts";
import { finished } from "../../src/scheduling/time-slices.ts";

interface Item {
  readonly by: number;
  readonly at: number;
}

const byNumber = (a: Item, b: Item): number => a.by - b.by;
const itemsOf = (numbers: readonly number[]): Item[] => numbers.map((by, at) => ({ by, at }));

it("items are sorted in steps as they are at once, equal ones in their order", () => {
  // Long enough for several steps, and with orders that lists have: all, nearly, none.
  const numbers = fc
    .tuple(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(1, 7, 4_999), fc.array(fc.nat(9), { maxLength: 20 }))
    .map(([length, factor, more]) => [...Array.from({ length }, (_, i) => (i * factor) % 5_003), ...more]);
  fc.assert(
    fc.property(numbers, (drawn) => {
      const items = itemsOf(drawn);
      expect(finished(sortedInSlices(items, byNumber))).toEqual([...items].sort(byNumber));
    }),
    { numRuns: 60 },
  );
});

it("no step compares many, and there are the more of them", () => {
  const work = (length: number): { steps: number; most: number } => {
    // In no order: the multiples of a number that shares no factor with the modulus.
    const items = itemsOf(Array.from({ length }, (_, i) => (i * 7_919) % 1_000_003));
    let [steps, most, compared] = [0, 0, 0];
    const sorting = sortedInSlices(items, (a, b) => {
      compared++;
      return byNumber(a, b);
    });
    for (let step = sorting.next(); step.done !== true; step = sorting.next()) {
      steps++;
      most = Math.max(most, compared);
      compared = 0;
    }
    return { steps, most: Math.max(most, compared) };
  };
  const [once, twice] = [work(50_000), work(100_000)];
  expect(twice.steps).toBeGreaterThanOrEqual(1.9 * once.steps);
  expect(twice.most).toBeLessThanOrEqual(12_000);
});
