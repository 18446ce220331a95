import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { TokenCodeDirectory } from "../../../src/index/token-codes/code-directory.ts";
import type { StoredBlock } from "../../../src/storage/block-store.ts";

const block = fc.record({
  id: fc.constantFrom("a", "b"),
  version: fc.constantFrom(1, 2),
  first: fc.nat(12),
  partBytes: fc.array(fc.constant(8), { minLength: 1, maxLength: 6 }),
});
/** A block that is added, or the number of one that is removed. */
const step = fc.oneof({ arbitrary: block, weight: 3 }, { arbitrary: fc.nat(9), weight: 1 });

const windowsOf = ({ id, version, first, partBytes }: StoredBlock): string[] =>
  partBytes.map((_, at) => `${id} ${version} ${first + at}`);
/** By part: the newest block that holds it. */
const newest = (blocks: readonly StoredBlock[]): Map<string, StoredBlock> =>
  new Map(blocks.flatMap((block) => windowsOf(block).map((window) => [window, block] as const)));
const distinct = (blocks: readonly StoredBlock[]): Set<string> => new Set(blocks.flatMap(windowsOf));

it("no block stays whose parts newer ones have, no part becomes that of an older one, and each is counted once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const directory = new TokenCodeDirectory();
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
        expect(directory.windows).toBe(distinct(now).size);
        if (typeof each === "number") continue;
        for (const other of now) {
          if (other === each || !windowsOf(other).some((window) => windowsOf(each).includes(window))) continue;
          const newer = now.slice(now.indexOf(other) + 1);
          expect(windowsOf(other).every((window) => distinct(newer).has(window))).toBe(false);
        }
      }
    }),
    { numRuns: lawRuns(2_000) },
  );
});
