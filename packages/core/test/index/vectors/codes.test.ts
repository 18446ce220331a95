import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeQuery, encodeVector, inverseNormOf } from "../../../src/index/vectors/codes.ts";
import { VectorRows } from "../../../src/index/vectors/rows.ts";
import { VECTOR_DIMENSIONS_MAX } from "../../../src/model/limits.ts";

const component = fc.double({ min: -1, max: 1, noNaN: true });
const vector = fc
  .array(component, { minLength: 1, maxLength: 300, size: "max" })
  .map((components) => Float32Array.from(components));

describe("codes of a passage's vector", () => {
  it("are every component times 127 / the largest magnitude, rounded", () => {
    expect([...encodeVector(Float32Array.of(0.5, -1, 0.25, 0))]).toEqual([64, -127, 32, 0]);
    fc.assert(
      fc.property(vector, (components) => {
        const largest = Math.max(...components.map(Math.abs));
        const codes = encodeVector(components);
        for (const [i, x] of components.entries()) {
          expect(Math.abs((codes[i] ?? 0) - (largest === 0 ? 0 : (x * 127) / largest))).toBeLessThanOrEqual(0.5);
        }
      }),
    );
  });

  it("keep the direction of vectors of any length, zeros and the smallest floats too", () => {
    expect([...encodeVector(Float32Array.of(0, -0, 0))]).toEqual([0, 0, 0]);
    expect([...encodeVector(Float32Array.of(1e-45, 0, -1e-45))]).toEqual([127, 0, -127]);
    expect([...encodeVector(Float32Array.of(3e38, -1.5e38))]).toEqual([127, -63]);
  });

  it("are refused for what is not a finite number", () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(() => encodeVector(Float32Array.of(0.5, bad))).toThrow(RangeError);
      expect(() => encodeQuery(Float32Array.of(0.5, bad))).toThrow(RangeError);
    }
  });

  it("lose less than a hundredth of the cosine", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(component, component), { minLength: 2, maxLength: 300, size: "max" }), (pairs) => {
        const a = Float32Array.from(pairs, ([x]) => x);
        const b = Float32Array.from(pairs, ([, y]) => y);
        fc.pre(length(a) > 1e-3 && length(b) > 1e-3);
        const rows = new VectorRows(pairs.length);
        rows.set(0, encodeVector(b));
        const exact = dot(a, b) / (length(a) * length(b));
        expect(Math.abs((rows.cosine(rows.prepare(a), 0) ?? 9) - exact)).toBeLessThan(0.01);
      }),
    );
  });
});

describe("codes of a query's vector", () => {
  it("can't take the sum of products out of 32 bits, whatever the passage's codes are", () => {
    for (const dimensions of [1, 255, 256, 512, 513, 1024, VECTOR_DIMENSIONS_MAX]) {
      const { codes } = encodeQuery(new Float32Array(dimensions).fill(1));
      const largest = codes[0] ?? 0;
      expect(largest * 128 * dimensions).toBeLessThan(2 ** 31);
      expect(largest).toBeGreaterThanOrEqual(4095);
      const rows = new VectorRows(dimensions);
      rows.set(0, new Int8Array(dimensions).fill(-128));
      expect(rows.cosine(rows.prepare(new Float32Array(dimensions).fill(1)), 0)).toBe(-1);
    }
  });

  it("are padded with zeros to whole SIMD words", () => {
    const { codes } = encodeQuery(Float32Array.of(1, -1, 1));
    expect([...codes]).toEqual([32_767, -32_767, 32_767, ...new Array(13).fill(0)]);
  });
});

describe("the inverse length of codes", () => {
  it("is exact, and 0 for a vector without a direction", () => {
    expect(inverseNormOf(Int8Array.of(3, -4))).toBe(1 / 5);
    expect(inverseNormOf(new Int8Array(4))).toBe(0);
    expect(inverseNormOf(new Int8Array(VECTOR_DIMENSIONS_MAX).fill(-128))).toBe(1 / (64 * 128));
  });
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
}

function length(a: Float32Array): number {
  return Math.sqrt(dot(a, a));
}
