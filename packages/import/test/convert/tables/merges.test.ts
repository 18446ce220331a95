import { describe, expect, it } from "vitest";
import { Merges } from "../../../src/convert/tables/merges.ts";

/** As wide as a sheet can be. */
const RIGHT = 16_383;

/** What merged cells make of rows that hold one text each, in their first cell. */
function filled(rows: number, height: number): number[] {
  const merges = new Merges();
  const numbers = Array.from({ length: rows }, (_, i) => i + 1);
  for (const number of numbers) merges.add({ top: number, bottom: number + height, left: 0, right: RIGHT });
  const cells = new Map(numbers.map((number) => [number, new Map([[0, "x"]])]));
  return merges.applied(numbers, cells).map((row) => [...row.cells.keys()].length);
}

describe("merged cells", () => {
  it("are filled with the text of the first, as wide as a sheet can be", () => {
    expect(filled(3, 0)).toEqual([RIGHT + 1, RIGHT + 1, RIGHT + 1]);
  });

  it("end where a file says that they are merged without measure", () => {
    const all = filled(300, 0);
    expect(all.reduce((sum, count) => sum + count, 0)).toBeLessThan(2_100_000);
    expect(all.at(-1)).toBe(1);
  });

  it("end likewise where they are as high as a sheet can be", () => {
    expect(filled(5, 1_048_575).filter((count) => count > 1)).toHaveLength(1);
  });
});
