import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { JsonObject, JsonValue } from "../../src/model/types.ts";
import { DottedPaths } from "../../src/search/filters/dotted-paths.ts";
import { found, treesAndPaths } from "../support/dotted-values.ts";

/** What is taken of an object, of a path at most once. */
function taken(paths: DottedPaths, object: JsonObject, most = Number.POSITIVE_INFINITY): Map<number, JsonValue> {
  const values = new Map<number, JsonValue>();
  paths.read(object, (number, value) => {
    expect(values.has(number)).toBe(false);
    values.set(number, value);
    return values.size < most;
  });
  return values;
}

describe("dotted paths", () => {
  it("are read as their definition says, whatever their number, in one object after the other", () => {
    let [values, absent] = [0, 0];
    fc.assert(
      fc.property(treesAndPaths, ([objects, paths]) => {
        const read = new DottedPaths(paths);
        for (const object of objects) {
          const all = taken(read, object);
          for (const [number, each] of paths.entries()) expect(all.get(number)).toBe(found(object, each));
          values += all.size;
          absent += paths.length - all.size;
        }
      }),
      { numRuns: lawRuns(2_000) },
    );
    expect(Math.min(values, absent)).toBeGreaterThan(300);
  });

  it("are read until no other value is needed", () => {
    fc.assert(
      fc.property(treesAndPaths, fc.integer({ min: 1, max: 4 }), ([[object = {}], paths], most) => {
        const read = new DottedPaths(paths);
        const all = taken(read, object);
        const first = taken(read, object, most);
        expect([...first]).toEqual([...all].slice(0, most));
      }),
      { numRuns: lawRuns(500) },
    );
  });

  it("prefer the literal key, the longer before the shorter", () => {
    const lookUp = (object: JsonObject, dotted: string): JsonValue | undefined =>
      taken(new DottedPaths([dotted]), object).get(0);
    expect(lookUp({ "a.b": 1, a: { b: 2 } }, "a.b")).toBe(1);
    expect(lookUp({ "a.b": { c: 1 }, a: { "b.c": 2 } }, "a.b.c")).toBe(1);
    expect(lookUp({ a: { "b.c": 2 } }, "a.b.c")).toBe(2);
    expect(lookUp({ a: { b: { c: 3 } } }, "a.b.c")).toBe(3);
    expect(lookUp({ a: [1] }, "a.0")).toBeUndefined();
    expect(lookUp({}, "constructor")).toBeUndefined();
  });
});
