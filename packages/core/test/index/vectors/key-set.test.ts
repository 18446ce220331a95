import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { KeySet } from "../../../src/index/vectors/key-set.ts";

const key = fc.oneof(fc.nat(70), fc.nat(5_000));
const change = fc.record({ kind: fc.constantFrom("add", "add", "add", "delete", "clear"), key });

it("law: holds what a set of numbers would, and goes through it in order", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: "max" }), key, (changes, from) => {
      const [keys, wanted] = [new KeySet(), new Set<number>()];
      for (const [i, { kind, key: changed }] of changes.entries()) {
        if (kind === "add") {
          keys.add(changed);
          wanted.add(changed);
        } else if (kind === "delete") expect(keys.delete(changed)).toBe(wanted.delete(changed));
        else if (i % 9 === 0) {
          keys.clear();
          wanted.clear();
        }
        expect(keys.size).toBe(wanted.size);
      }
      const found: number[] = [];
      for (let next = keys.next(from); next >= 0; next = keys.next(next + 1)) found.push(next);
      expect(found).toEqual([...wanted].filter((each) => each >= from).sort((a, b) => a - b));
    }),
    { numRuns: lawRuns(300) },
  );
});
