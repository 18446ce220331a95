import { describe, expect, it } from "vitest";
import { meanOfRows, rotate, unitOf, without } from "../worker/vectors.js";

const lengthOf = (vector: Float32Array | Float64Array): number => Math.hypot(...vector);

describe("from the rows of the last layer to a vector", () => {
  it("takes the mean over the tokens", () => {
    expect([...meanOfRows(Float32Array.of(1, 2, 3, 6), 2, 2)]).toEqual([2, 4]);
  });

  it("turns it along the axes, and makes it of length one", () => {
    const axes = Float32Array.of(0, 1, 1, 0, 0.6, 0.8, 0, 0);
    const turned = rotate(Float64Array.of(3, 4), axes);
    expect(turned[0]).toBe(4);
    expect(turned[1]).toBe(3);
    expect(turned[2]).toBeCloseTo(5, 6);
    expect(lengthOf(unitOf(turned))).toBeCloseTo(1, 6);
    expect([...unitOf(Float64Array.of(0, 0))]).toEqual([0, 0]);
  });

  it("takes away what all texts have in common, whatever length the text's vector has", () => {
    const common = Float32Array.of(0.5, 0);
    for (const length of [0.1, 1, 7]) {
      const [first, second] = without(Float64Array.of(0.6 * length, 0.8 * length), common);
      expect(first).toBeCloseTo(0.1, 6);
      expect(second).toBeCloseTo(0.8, 6);
    }
  });
});
