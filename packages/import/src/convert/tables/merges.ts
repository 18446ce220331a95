import type { FoundRow } from "./grid.ts";
import type { Range } from "./references.ts";

/** Maximum cells filled with the text of a merged cell. A file may declare a whole sheet to be one cell, many times. */
const FILLED_MAX = 2_000_000;

/** Merged cells: a text holds for every row of its range, and in a header for every column. */
export class Merges {
  readonly #byRow = new Map<number, Range[]>();
  #filled = 0;

  add(range: Range | undefined): void {
    if (range === undefined) return;
    this.#filled += range.bottom - range.top + range.right - range.left;
    if (this.#filled > FILLED_MAX) return;
    const all = this.#byRow.get(range.top);
    if (all === undefined) this.#byRow.set(range.top, [range]);
    else all.push(range);
  }

  /** Returns the rows with the texts of merged cells in all of their rows. `rows` has the texts by row and column. */
  applied(numbers: readonly number[], rows: ReadonlyMap<number, Map<number, string>>): FoundRow[] {
    const open: { readonly range: Range; readonly text: string }[] = [];
    return numbers.map((number) => {
      const cells = rows.get(number) ?? new Map<number, string>();
      for (let i = open.length - 1; i >= 0; i--) if ((open[i]?.range.bottom ?? 0) < number) open.splice(i, 1);
      for (const { range, text } of open) if (!cells.has(range.left)) cells.set(range.left, text);
      const wide: (readonly [number, number])[] = [];
      for (const range of this.#byRow.get(number) ?? []) {
        const text = cells.get(range.left);
        if (text === undefined) continue;
        if (range.bottom > range.top) open.push({ range, text });
        if (range.right === range.left) continue;
        wide.push([range.left, range.right]);
        for (let column = range.left + 1; column <= range.right; column++) cells.set(column, text);
      }
      return { number, cells, wide };
    });
  }
}
