import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery } from "../../../src/index/vectors/codes.ts";
import type { AllowedKeys } from "../../../src/index/vectors/exact-scan.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { finished, UNCOUNTED } from "../../../src/scheduling/time-slices.ts";
import { Effort, SEARCH_BUDGET } from "../../../src/search/budget.ts";
import { byBruteForce } from "../../../testing/told-vectors.ts";
import { listedRanges } from "../../support/listed-ranges.ts";

const DIMENSIONS = 6;
const codes = fc
  .array(fc.integer({ min: -2, max: 2 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((all) => Int8Array.from(all));

function among(ranges: readonly (readonly [number, number])[]): AllowedKeys {
  const keyCount = ranges.reduce((sum, [first, end]) => sum + end - first, 0);
  const hasKey = (key: number): boolean => ranges.some(([first, end]) => key >= first && key < end);
  return { keyCount, keyRanges: () => listedRanges(ranges), hasKey };
}

describe("the nearest vectors in steps", () => {
  it("are those of brute force, among all and among some", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(codes, { freq: 4 }), { maxLength: 60, size: "max" }),
        fc.array(fc.nat(70), { maxLength: 8 }),
        codes,
        fc.nat(30),
        (vectors, bounds, asked, k) => {
          const index = new PassageVectors(DIMENSIONS);
          for (const [key, each] of vectors.entries()) if (each !== null) index.set(key, each);
          const query = encodeQuery(Float32Array.from(asked));
          const sorted = [...new Set(bounds)].sort((a, b) => a - b);
          const ranges = sorted.flatMap((first, i) => (i % 2 === 0 ? [[first, sorted[i + 1] ?? first] as const] : []));
          const isAllowed = (key: number): boolean => ranges.some(([first, end]) => key >= first && key < end);
          const filtered = finished(index.nearestInSlices(query, k, UNCOUNTED, among(ranges)));
          const exact = byBruteForce(index, vectors.keys(), query);
          expect(filtered).toEqual(exact.filter(({ key }) => isAllowed(key)).slice(0, k));
          expect(finished(index.nearestInSlices(query, k, UNCOUNTED))).toEqual(exact.slice(0, k));
          // A query that was scanned is not scanned again.
          expect(finished(index.nearestInSlices(query, k, UNCOUNTED, among(ranges)))).toEqual(filtered);
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });

  it("give others their turn after about a step of operations, with a filter and without", () => {
    const count = 60_000;
    const index = new PassageVectors(DIMENSIONS);
    for (let key = 0; key < count; key++) {
      index.set(
        key,
        Int8Array.from({ length: DIMENSIONS }, (_, i) => ((key * (i + 3)) % 251) - 125),
      );
    }
    const query = encodeQuery(Float32Array.from([1, 2, 3, 4, 5, 6]));
    const halves = Array.from({ length: count / 4 }, (_, i) => [i * 4, i * 4 + 2] as const);
    for (const allowed of [undefined, among([[0, count]]), among(halves), among([[0, count / 3]])]) {
      const effort = new Effort({ ...SEARCH_BUDGET, step: 4_096 });
      const work = index.nearestInSlices({ ...query }, 500, effort, allowed);
      let [steps, longest] = [0, 0];
      for (let before = 0; work.next().done !== true; before = effort.operations) {
        steps++;
        longest = Math.max(longest, effort.operations - before);
      }
      expect(steps).toBeGreaterThan(0);
      expect(longest).toBeLessThanOrEqual(4_096 + 1_024);
      // Half an operation for each vector that is compared, and where all are scanned one for each that is offered: nothing is left out.
      const keys = allowed?.keyCount ?? count;
      expect(effort.operations).toBeGreaterThanOrEqual(keys === count ? count * 1.5 : keys / 2);
    }
  });

  it("give others their turn wherever operations were counted, and while they are put in order", () => {
    const [count, k] = [8_000, 3_000];
    const index = new PassageVectors(DIMENSIONS);
    for (let key = 0; key < count; key++) index.set(key, Int8Array.of(key % 127, key % 113, key % 109, 1, 1, 1));
    const query = encodeQuery(Float32Array.from([1, 2, 3, 4, 5, 6]));
    for (const allowed of [undefined, among([[0, count]]), among([[0, (count >> 1) - 1]])]) {
      let counts = 0;
      const meter = { shouldYield: () => counts++ >= 0 };
      let sorting = 0;
      for (const work = index.nearestInSlices({ ...query }, k, meter, allowed); ; counts = 0) {
        const { done } = work.next();
        expect(counts).toBeLessThanOrEqual(1);
        if (done === true) break;
        if (counts === 0) sorting++;
      }
      // It counts the keys by the thousand, and then sorts and merges them.
      expect(sorting).toBeGreaterThan(k / 1_024);
    }
  });
});
