import fc from "fast-check";
import { expect, it } from "vitest";
import { ScoringMemory } from "../../../src/index/postings/scoring-memory.ts";

it("sorts few candidates and many, and leaves nothing to the next", () => {
  const memory = new ScoringMemory().for(5_000);
  const ordinals = fc.uniqueArray(fc.nat(4_999), { maxLength: 2_000, size: "max" });
  fc.assert(
    fc.property(ordinals, (some) => {
      const { candidates } = memory.forCandidates(some.length);
      candidates.set(some);
      memory.sortCandidates(some.length);
      expect([...candidates.subarray(0, some.length)]).toEqual([...some].sort((a, b) => a - b));
    }),
  );
});
