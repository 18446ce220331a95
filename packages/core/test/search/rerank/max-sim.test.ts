import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { kernelModule, MAX_SIM_KERNEL } from "../../../../../tools/simd/assemble.ts";
import { KernelDistances } from "../../../src/search/rerank/kernel-distances.ts";
import { leastDistances, maxSim } from "../../../src/search/rerank/max-sim.ts";
import { plainLeastDistances } from "../../../src/search/rerank/plain-distances.ts";

/** Tokens of these widths, in bytes, all bits drawn. */
function tokensOf(bytes: number, most: number): fc.Arbitrary<Uint8Array> {
  return fc
    .nat(most)
    .chain((count) => fc.uint8Array({ minLength: count * bytes, maxLength: count * bytes, size: "max" }));
}

/** Bit by bit. */
function naiveDistances(question: Uint8Array, tokenCodes: Uint8Array, bytes: number): number[] {
  const tokensIn = (all: Uint8Array): string[] =>
    Array.from({ length: all.length / bytes }, (_, i) =>
      [...all.subarray(i * bytes, (i + 1) * bytes)].map((byte) => byte.toString(2).padStart(8, "0")).join(""),
    );
  const distance = (a: string, b: string): number => [...a].filter((bit, i) => bit !== b[i]).length;
  return tokensIn(question).map((asked) =>
    tokensIn(tokenCodes).reduce((least, held) => Math.min(least, distance(asked, held)), bytes * 8),
  );
}

describe("the kernel of reranking", () => {
  it("is what its source assembles to", async () => {
    expect(readFileSync(MAX_SIM_KERNEL.module, "utf8")).toBe(await kernelModule(MAX_SIM_KERNEL));
  });

  it("loads here: the law below is not the plain loop beside itself", () => {
    expect(KernelDistances.create()).toBeInstanceOf(KernelDistances);
  });

  it("finds what the plain loop finds, for tokens of any width, whatever was compared before", () => {
    const kernel = KernelDistances.create();
    const pairs = fc
      .integer({ min: 1, max: 70 })
      .chain((bytes) => fc.tuple(fc.constant(bytes), tokensOf(bytes, 12), tokensOf(bytes, 20)));
    fc.assert(
      fc.property(pairs, ([bytes, question, tokenCodes]) => {
        const tokens = question.length / bytes;
        const [byKernel, plain] = [new Uint16Array(tokens), new Uint16Array(tokens)];
        expect(kernel?.leastDistances(question, tokenCodes, bytes, byKernel)).toBe(true);
        plainLeastDistances(question, tokenCodes, bytes, plain);
        expect([...byKernel]).toEqual([...plain]);
        expect([...plain]).toEqual(naiveDistances(question, tokenCodes, bytes));
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("leaves to the plain loop what it has no room for", () => {
    const kernel = KernelDistances.create();
    const out = new Uint16Array(600).fill(7);
    expect(kernel?.leastDistances(new Uint8Array(600), new Uint8Array(1), 1, out)).toBe(false);
    expect(kernel?.leastDistances(new Uint8Array(48), new Uint8Array(48 * 3_000), 48, out)).toBe(false);
    expect(out.every((distance) => distance === 7)).toBe(true);
    const tokenCodes = new Uint8Array(48 * 3_000).fill(255);
    tokenCodes.fill(1, 48 * 2_999);
    leastDistances(new Uint8Array(48), tokenCodes, 0, 3_000, 48, out);
    expect(out[0]).toBe(48);
  });

  it("has room for the longest question and the longest text that the port allows", () => {
    const out = new Uint16Array(64);
    expect(
      KernelDistances.create()?.leastDistances(new Uint8Array(64 * 128), new Uint8Array(512 * 128), 128, out),
    ).toBe(true);
  });
});

describe("the best match of each token", () => {
  it("is looked for among the tokens that are given, and no others", () => {
    // Tokens of two bytes: 0, then three, then sixteen ones.
    const tokenCodes = Uint8Array.of(0, 0, 7, 0, 255, 255);
    const question = Uint8Array.of(0, 0, 255, 255);
    const among = (start: number, end: number): number[] => {
      const out = new Uint16Array(2);
      leastDistances(question, tokenCodes, start, end, 2, out);
      return [...out];
    };
    expect(among(0, 3)).toEqual([0, 0]);
    expect(among(1, 3)).toEqual([3, 0]);
    expect(among(1, 2)).toEqual([3, 13]);
    expect(among(2, 2)).toEqual([16, 16]);
  });
});

describe("maxSim", () => {
  it("is the mean over the question's tokens, by what they weigh", () => {
    const least = Uint16Array.of(0, 96, 192);
    expect(maxSim(least, Float32Array.of(1, 1, 1), 384)).toBeCloseTo(0.5);
    expect(maxSim(least, Float32Array.of(3, 1, 0), 384)).toBeCloseTo(3.5 / 4);
  });

  it("is never below 0, and 0 where nothing weighs anything", () => {
    expect(maxSim(Uint16Array.of(384), Float32Array.of(2), 384)).toBe(0);
    expect(maxSim(Uint16Array.of(0), Float32Array.of(0), 384)).toBe(0);
    expect(maxSim(new Uint16Array(0), new Float32Array(0), 384)).toBe(0);
    expect(maxSim(Uint16Array.of(0, 0, 0), Float32Array.of(0.1, 0.2, 0.3), 384)).toBe(1);
  });
});
