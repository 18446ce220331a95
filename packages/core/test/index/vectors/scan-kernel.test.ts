import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kernelModule, SCAN_KERNEL } from "../../../../../tools/simd/assemble.ts";
import { BLOCK_ROWS, KERNEL_ROWS, SimdMemory } from "../../../src/index/vectors/simd-memory.ts";

describe("the kernel of the scan", () => {
  it("is what its source assembles to", async () => {
    expect(readFileSync(SCAN_KERNEL.module, "utf8")).toBe(await kernelModule(SCAN_KERNEL));
  });

  it("loads here: the SIMD paths of the other tests are not the plain loop in disguise", () => {
    expect(SimdMemory.create(16)).toBeInstanceOf(SimdMemory);
  });

  it("multiplies every number of rows up to a block, from every row on", () => {
    const stride = 32;
    const rows = BLOCK_ROWS + KERNEL_ROWS + 3;
    const memory = SimdMemory.create(rows * stride);
    for (let i = 0; i < rows * stride; i++) memory?.rows.fill((i * 7) % 251, i, i + 1);
    const codes = Int16Array.from({ length: stride }, (_, i) => i * 997 - 16_000);
    const naive = (row: number): number =>
      codes.reduce((sum, code, i) => sum + code * (memory?.rows[row * stride + i] ?? 0), 0);
    for (const [first, count] of [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [0, 5],
      [3, BLOCK_ROWS],
    ] as const) {
      const products = memory?.products({ codes, inverseNorm: 1 }, first, count, stride);
      for (let row = 0; row < count; row++) expect(products?.[row]).toBe(naive(first + row));
    }
  });

  it("multiplies rows that stand anywhere", () => {
    const stride = 32;
    const rows = 40;
    const memory = SimdMemory.create((rows + KERNEL_ROWS) * stride);
    if (memory === undefined) throw new Error("no memory");
    for (let i = 0; i < rows * stride; i++) memory.rows[i] = (i * 7) % 251;
    const rowAt = (row: number): number[] => [...memory.rows.slice(row * stride, (row + 1) * stride)];
    const codes = Int16Array.from({ length: stride }, (_, i) => i * 997 - 16_000);
    const product = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, each, i) => sum + each * (b[i] ?? 0), 0);
    for (const list of [[39], [3, 39], [7, 7, 0], [5, 4, 3, 2], [39, 0, 20, 11, 38]]) {
      memory.list.fill(4_000_000_000);
      memory.list.set(list);
      expect([...memory.listed({ codes, inverseNorm: 1 }, list.length, stride).slice(0, list.length)]).toEqual(
        list.map((row) => product([...codes], rowAt(row))),
      );
    }
  });

  it("leaves alone what stands before and after its products", () => {
    const memory = SimdMemory.create(64);
    expect(memory?.products({ codes: new Int16Array(16), inverseNorm: 0 }, 0, 0, 16)).toHaveLength(BLOCK_ROWS);
    expect(memory?.rows.subarray(0, 64).every((code) => code === 0)).toBe(true);
  });
});
