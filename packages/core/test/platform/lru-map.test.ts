import fc from "fast-check";
import { expect, it } from "vitest";
import { LruMap } from "../../src/platform/lru-map.ts";

interface Known {
  readonly key: string;
  readonly value: number;
  readonly size: number;
}

const KEY = fc.constantFrom("a", "b", "c", "d", "e");
const SIZE = fc.integer({ min: 1, max: 12 });
const CALL = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant("set" as const), key: KEY, value: fc.nat(), size: SIZE }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant("get" as const), key: KEY }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), key: KEY }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const) }) },
);

it("holds the entries that were used last, as many as have place", () => {
  const calls = fc.array(CALL, { maxLength: 60 });
  fc.assert(
    fc.property(calls, fc.integer({ min: 0, max: 20 }), (all, sizeMax) => {
      const map = new LruMap<string, number>(sizeMax);
      // The model: a list in the order of use.
      let known: Known[] = [];
      for (const call of all) {
        if (call.kind === "clear") {
          map.clear();
          known = [];
          continue;
        }
        const before = known.find(({ key }) => key === call.key);
        const others = known.filter(({ key }) => key !== call.key);
        if (call.kind === "get") {
          expect(map.get(call.key)).toBe(before?.value);
          if (before !== undefined) known = [...others, before];
        } else if (call.kind === "delete") {
          map.delete(call.key);
          known = others;
        } else {
          const { key, value, size } = call;
          map.set(key, value, size);
          known = size > sizeMax ? others : [...others, { key, value, size }];
          while (sizeOf(known) > sizeMax) known.shift();
        }
        expect([...map.values()]).toEqual(known.map(({ value }) => value));
        expect(map.size).toBe(sizeOf(known));
      }
    }),
  );
});

function sizeOf(known: readonly Known[]): number {
  return known.reduce((sum, { size }) => sum + size, 0);
}
