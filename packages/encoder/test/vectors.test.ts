import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { kernelModule, TURN_KERNEL } from "../../../tools/simd/assemble.ts";
import { openTurn, turnByKernel } from "../worker/turn.js";
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

  it("turns it by the kernel as by the plain loop, to the last bit", () => {
    const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
    const shape = fc.record({ hidden: fc.integer({ min: 1, max: 40 }), eights: fc.integer({ min: 1, max: 4 }) });
    const given = shape.chain(({ hidden, eights }) => {
      const axes = hidden * eights * 8;
      return fc.tuple(
        fc.array(number, { minLength: hidden, maxLength: hidden }).map((all) => Float64Array.from(all)),
        fc.array(number, { minLength: axes, maxLength: axes }).map((all) => Float32Array.from(all)),
      );
    });
    const same = ([vector, axes]: [Float64Array, Float32Array]): void => {
      const turn = turnByKernel(axes, vector.length);
      expect(turn?.(vector)).toEqual(rotate(vector, axes));
      expect(openTurn(axes, vector.length)(vector)).toEqual(rotate(vector, axes));
    };
    fc.assert(fc.property(given, same), { numRuns: lawRuns(1_000) });
  });

  it("has the kernel that its source assembles to", async () => {
    expect(readFileSync(TURN_KERNEL.module, "utf8")).toBe(await kernelModule(TURN_KERNEL));
  });

  it("turns it without the kernel where that does not take the axes", () => {
    const axes = Float32Array.of(0, 1, 1, 0, 0.6, 0.8, 0, 0);
    expect(turnByKernel(axes, 2)).toBeUndefined();
    expect([...openTurn(axes, 2)(Float64Array.of(3, 4))].slice(0, 2)).toEqual([4, 3]);
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
