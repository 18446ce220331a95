import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { SignDirectory } from "../../../src/index/token-codes/code-directory.ts";
import type { StoredBlock } from "../../../src/storage/block-store.ts";

const block = fc.record({
  id: fc.constantFrom("a", "b"),
  version: fc.constantFrom(1, 2),
  first: fc.nat(12),
  partBytes: fc.array(fc.constant(8), { minLength: 1, maxLength: 6 }),
});
/** A block that is added, or the number of one that is removed. */
const step = fc.oneof({ arbitrary: block, weight: 3 }, { arbitrary: fc.nat(9), weight: 1 });

const partsOf = ({ id, version, first, partBytes }: StoredBlock): string[] =>
  partBytes.map((_, at) => `${id} ${version} ${first + at}`);
/** By part: the newest block that holds it. */
const newest = (blocks: readonly StoredBlock[]): Map<string, StoredBlock> =>
  new Map(blocks.flatMap((block) => partsOf(block).map((part) => [part, block] as const)));
const distinct = (blocks: readonly StoredBlock[]): Set<string> => new Set(blocks.flatMap(partsOf));

it("no block stays whose parts newer ones have, no part becomes that of an older one, and each is counted once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const directory = new SignDirectory();
      for (const each of steps) {
        const all = [...directory.all()];
        if (typeof each === "number") {
          const removed = all[each];
          if (removed !== undefined) directory.delete(removed);
        } else {
          const before = newest([...all, each]);
          for (const older of directory.coveredBy(each)) directory.delete(older);
          directory.add(each);
          expect(newest([...directory.all()])).toEqual(before);
        }
        const now = [...directory.all()];
        expect(directory.parts).toBe(distinct(now).size);
        if (typeof each === "number") continue;
        for (const other of now) {
          if (other === each || !partsOf(other).some((part) => partsOf(each).includes(part))) continue;
          const newer = now.slice(now.indexOf(other) + 1);
          expect(partsOf(other).every((part) => distinct(newer).has(part))).toBe(false);
        }
      }
    }),
    { numRuns: lawRuns(2_000) },
  );
});
