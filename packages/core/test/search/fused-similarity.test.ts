import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/model/limits.ts";
import { type DenseQuery, fusedSimilarity, LEXICAL_FLOOR, lexicalNeeded } from "../../src/search/fusion.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

describe("one similarity of both", () => {
  const vector = new FakeEmbedder({ dimensions: 16 }).vectorOf("x");
  const dense = (weight: number, isForeign?: () => boolean): DenseQuery => ({
    vector: new PassageVectors(16).prepare(vector),
    weight,
    calibrate: (cosine) => Math.max(0, cosine),
    isForeign,
  });
  const lacking = (weight: number, meaningCounts: number, isForeign?: () => boolean): DenseQuery => ({
    ...dense(weight, isForeign),
    identified: { holding: new Set(), meaningCounts },
  });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const grain = fc.integer({ min: 0, max: 1_000 }).map((count) => count / 1_000);

  it("is in [0, 1], rises with either score, and is never that of an exact match", () => {
    fc.assert(
      fc.property(share, share, share, share, share, (weight, words, more, cosine, closer) => {
        const lexical = Math.min(words, SIMILARITY_INEXACT_MAX);
        const fused = fusedSimilarity(lexical, cosine, dense(weight));
        expect(fused).toBeGreaterThanOrEqual(0);
        expect(fused).toBeLessThanOrEqual(SIMILARITY_INEXACT_MAX);
        const wordier = Math.max(lexical, Math.min(more, SIMILARITY_INEXACT_MAX));
        expect(fusedSimilarity(wordier, cosine, dense(weight))).toBeGreaterThanOrEqual(fused);
        expect(fusedSimilarity(lexical, Math.max(cosine, closer), dense(weight))).toBeGreaterThanOrEqual(fused);
      }),
    );
  });

  it("needs of a passage's words what is missing to the similarity, whatever its vector and identifiers", () => {
    let [decided, lacked] = [0, 0];
    const traits = fc.record({
      weight: grain,
      meaningCounts: fc.oneof(fc.constant(1), grain),
      unvectored: fc.boolean(),
    });
    fc.assert(
      fc.property(
        traits,
        grain,
        grain,
        grain,
        ({ weight, meaningCounts, unvectored }, similarity, cosineMax, words) => {
          const asked = lacking(weight, meaningCounts);
          const anyForeign = lexicalNeeded(
            similarity,
            cosineMax,
            unvectored,
            lacking(weight, meaningCounts, () => true),
          );
          if (words < anyForeign && words >= LEXICAL_FLOOR)
            expect(fusedSimilarity(words, cosineMax, asked, { isForeign: true, meaningCounts })).toBeLessThan(
              similarity + 1e-12,
            );
          const needed = lexicalNeeded(similarity, cosineMax, unvectored, asked);
          if (words >= needed || words < LEXICAL_FLOOR) return;
          decided++;
          if (words >= lexicalNeeded(similarity, cosineMax, unvectored, dense(weight))) lacked++;
          const lexical = Math.min(words, SIMILARITY_INEXACT_MAX);
          expect(fusedSimilarity(lexical, cosineMax, asked, { meaningCounts })).toBeLessThan(similarity + 1e-12);
          if (unvectored)
            expect(fusedSimilarity(lexical, undefined, asked, { meaningCounts })).toBeLessThan(similarity);
        },
      ),
      { numRuns: lawRuns(2_000) },
    );
    expect(Math.min(decided, lacked)).toBeGreaterThan(0);
  });
});
