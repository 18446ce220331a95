import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BackgroundSimilarity } from "../../../src/index/vectors/background-similarity.ts";
import { encodeVector } from "../../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { renumber } from "./renumber.ts";

const DIMENSIONS = 12;
const codes = fc
  .array(fc.integer({ min: -127, max: 127 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((each) => Int8Array.from(each));

function levelOf(all: readonly Int8Array[]): number {
  const level = new BackgroundSimilarity(DIMENSIONS);
  for (const each of all) level.add(each);
  return level.level;
}

function cosine(a: Int8Array, b: Int8Array): number {
  const product = a.reduce((sum, code, i) => sum + code * (b[i] ?? 0), 0);
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths === 0 ? 0 : product / lengths;
}

describe("the level of unrelated texts", () => {
  it("is the mean cosine of all pairs and four of cosine 0; at least 0", () => {
    fc.assert(
      fc.property(fc.array(codes, { minLength: 1, maxLength: 12 }), (all) => {
        const whole = all.filter((each) => each.some((code) => code !== 0));
        let sum = 0;
        for (const [i, a] of whole.entries()) for (const [j, b] of whole.entries()) if (i !== j) sum += cosine(a, b);
        const mean = sum / (whole.length * (whole.length - 1) + 4);
        expect(levelOf(whole)).toBeCloseTo(Math.max(0, mean), 5);
      }),
    );
  });

  it("is from 0 to below 1, also where all vectors are the same", () => {
    fc.assert(
      fc.property(codes, fc.integer({ min: 0, max: 40 }), (each, count) => {
        const level = levelOf(new Array<Int8Array>(count).fill(each));
        expect(level).toBeGreaterThanOrEqual(0);
        expect(level).toBeLessThan(1);
      }),
    );
  });

  it("depends to the last bit on the vectors that are there, not on how they came to be", () => {
    fc.assert(
      fc.property(fc.array(codes, { minLength: 2, maxLength: 20 }), fc.array(codes), fc.nat(), (kept, gone, seed) => {
        const level = new BackgroundSimilarity(DIMENSIONS);
        for (const each of gone) level.add(each);
        const turned = [...kept.slice(seed % kept.length), ...kept.slice(0, seed % kept.length)];
        for (const each of turned) level.add(each);
        for (const each of gone.toReversed()) level.remove(each);
        expect(level.level).toBe(levelOf(kept));
      }),
    );
  });

  it("is near what unrelated texts have, in a space where everything is close to everything", () => {
    const all = Array.from({ length: 200 }, (_, i) => {
      const own = Float32Array.from({ length: 256 }, (_, k) => Math.sin(i * 7.13 + k * k * 0.37 + i * k));
      return encodeVector(own.map((component) => component + 1.4));
    });
    const level = new BackgroundSimilarity(256);
    for (const each of all) level.add(each);
    expect(level.level).toBeGreaterThan(0.7);
    expect(level.level).toBeLessThan(0.9);
  });
});

describe("the level of a bot's passages", () => {
  type Change = { readonly key: number; readonly codes: Int8Array | undefined };
  const change: fc.Arbitrary<Change> = fc.record({
    key: fc.integer({ min: 0, max: 9 }),
    codes: fc.option(codes, { nil: undefined }),
  });

  it("is that of the vectors that are there, through replacing, deleting and new keys", () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 40, size: "max" }),
        fc.array(fc.boolean(), { minLength: 10 }),
        (changes, keeps) => {
          const vectors = new PassageVectors(DIMENSIONS);
          // From when it is first asked for it is kept up to date: at a moment that may be any.
          for (const [i, { key, codes: each }] of changes.entries()) {
            if (i === 20) expect(vectors.backgroundSimilarity).toBeGreaterThanOrEqual(0);
            if (each === undefined) vectors.delete(key);
            else vectors.set(key, each);
          }
          let next = 0;
          const newKeys = new Map<number, number>();
          for (let key = 0; key < 10; key++) if (keeps[key] === true && vectors.has(key)) newKeys.set(key, next++);
          renumber(vectors, 10, (key) => newKeys.get(key));
          const left = Array.from({ length: next }, (_, key) => vectors.codesOf(key) ?? new Int8Array(DIMENSIONS));
          expect(vectors.backgroundSimilarity).toBe(levelOf(left));
        },
      ),
    );
  });
});
