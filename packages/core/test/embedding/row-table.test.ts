import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelModule, ROWS_KERNEL } from "../../../../tools/simd/assemble.ts";
import { PlainRows } from "../../src/embedding/plain-rows.ts";
import { SimdRows } from "../../src/embedding/simd-rows.ts";

const WIDTH = 16;
const ROWS = 40;
const rows = Int8Array.from({ length: WIDTH * ROWS }, (_, i) => ((i * 151) % 256) - 128);

describe("the kernel of the static embedder", () => {
  it("is what its source assembles to", async () => {
    expect(readFileSync(ROWS_KERNEL.module, "utf8")).toBe(await kernelModule(ROWS_KERNEL));
  });

  it("loads here: the law below is not the plain loop beside itself", () => {
    expect(SimdRows.create(rows, WIDTH)).toBeInstanceOf(SimdRows);
  });

  it("is left alone for widths that it does not take", () => {
    expect(SimdRows.create(new Int8Array(24), 12)).toBeUndefined();
    expect(SimdRows.create(new Int8Array(8_192), 8_192)).toBeUndefined();
  });

  it("adds up to the last bit what the plain loop does, also over several blocks", () => {
    const simd = SimdRows.create(rows, WIDTH);
    const plain = new PlainRows(rows, WIDTH);
    const numbers = fc.array(fc.nat(ROWS - 1), { maxLength: 2_100, size: "max" });
    const factors = fc.array(fc.float({ noNaN: true, min: -1_000, max: 1_000 }), { minLength: ROWS, maxLength: ROWS });
    fc.assert(
      fc.property(numbers, factors, (some, factorsOf) => {
        const factorOf = (row: number): number => factorsOf[row] ?? 0;
        const expected = plain.sumOf(Uint32Array.from(some), factorOf).slice();
        expect(simd?.sumOf(Uint32Array.from(some), factorOf)).toEqual(expected);
      }),
    );
  });
});
