/** From a line of the markdown on, which row of the sheet each is: both count from 1, and go on together until the next mark. */
export type RowMark = readonly [line: number, row: number];

/** More marks are not told, and then none: they are kept with the document, whose metadata holds 10,000 values. */
export const ROW_MARKS_MAX = 2_000;

/** Notes which line comes of which row, with a mark wherever they do not go on together. */
export class RowMarks {
  readonly #marks: RowMark[] = [];

  note(line: number, row: number): void {
    const [from, first] = this.#marks.at(-1) ?? [0, Number.NaN];
    if (row - first !== line - from) this.#marks.push([line, row]);
  }

  all(): readonly RowMark[] {
    return this.#marks;
  }
}
