import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { HashedSlots } from "../../src/index/hashed-slots.ts";
import { GrowingUint32 } from "../../src/platform/growing-array.ts";

/** Few enough to meet again, and some that differ only above their lower 32 bits. */
const hash = fc.oneof(
  fc.nat({ max: 60 }),
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })).map(([high, low]) => high * 2 ** 32 + low),
  fc.nat({ max: 20 }).map((n) => Number.MAX_SAFE_INTEGER - n * 7),
);

it("answers as a map does", () => {
  const change = fc.record({ hash, slot: fc.nat({ max: 1_000 }), isGone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), fc.array(hash), (changes, asked) => {
      const [slots, map] = [new HashedSlots(), new Map<number, number>()];
      for (const { hash: own, slot, isGone } of changes) {
        if (isGone) {
          slots.delete(own);
          map.delete(own);
        } else {
          slots.set(own, slot);
          map.set(own, slot);
        }
      }
      for (const own of [...asked, ...map.keys(), ...changes.map((each) => each.hash)]) {
        expect(slots.get(own)).toBe(map.get(own));
      }
    }),
    { numRuns: lawRuns(300) },
  );
});

it("holds many, in a place each that is taken again", () => {
  const slots = new HashedSlots();
  const hashOf = (n: number): number => (n * 2_654_435_761 * 97) % Number.MAX_SAFE_INTEGER;
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 20_000; n++) slots.set(hashOf(n), n);
    for (let n = 0; n < 20_000; n++) if (slots.get(hashOf(n)) !== n) expect.fail(`The slot of ${n} is another.`);
    for (let n = 0; n < 20_000; n++) slots.delete(hashOf(n));
    expect(slots.get(hashOf(7))).toBeUndefined();
  }
  expect(slots.bytes / 20_000).toBeLessThan(32);
});

it("loses nothing where there is no memory for one more", () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const push = GrowingUint32.prototype.push;
  const [slots, map] = [new HashedSlots(), new Map<number, number>()];
  let failures = 0;
  for (let n = 0; n < 200; n++) {
    let left = n % 6;
    const spy = vi.spyOn(GrowingUint32.prototype, "push").mockImplementation(function (this: GrowingUint32, value) {
      if (left-- === 0) throw new RangeError("Array buffer allocation failed");
      push.call(this, value);
    });
    try {
      slots.set(n, n);
      map.set(n, n);
    } catch {
      failures++;
    }
    spy.mockRestore();
    for (const [own, slot] of map)
      if (slots.get(own) !== slot) expect.fail(`The slot of ${own} is another after ${n}.`);
  }
  expect(failures).toBeGreaterThan(80);
  expect(map.size).toBeGreaterThan(20);
});
