import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { GraphPoints, NO_KEY } from "../../../src/index/vectors/hnsw-nodes.ts";
import { moreThanLinear } from "../../support/linear-time.ts";

/** A point of this number of keys. */
function shared(keys: number): GraphPoints {
  const points = new GraphPoints();
  const point = points.add(0, 1);
  for (let key = 1; key < keys; key++) points.share(point, key);
  return points;
}

it("forgets the keys of one point in linear time, however many share it", async () => {
  const work = (keys: number) => () => {
    const points = shared(keys);
    for (let key = 0; key < keys; key++) points.remove(key);
  };
  expect(await moreThanLinear(work, 25_000, 100_000)).toBeUndefined();
});

it("law: a point has the keys that were given to it and not taken, whatever order they go and come in", () => {
  const change = fc.record({ key: fc.nat(20), goes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80, size: "max" }), (changes) => {
      const points = shared(10);
      const wanted = new Set(Array.from({ length: 10 }, (_, key) => key));
      for (const { key, goes } of changes) {
        if (wanted.size === 0) return;
        if (goes) expect(points.remove(key)).toBe(wanted.delete(key) && wanted.size === 0);
        else if (!wanted.has(key)) {
          points.share(0, key);
          wanted.add(key);
        }
        const held = [points.keys[0] ?? NO_KEY, ...(points.othersOf(0) ?? [])].filter((each) => each !== NO_KEY);
        expect(held.sort((a, b) => a - b)).toEqual([...wanted].sort((a, b) => a - b));
      }
    }),
    { numRuns: lawRuns(300) },
  );
});
