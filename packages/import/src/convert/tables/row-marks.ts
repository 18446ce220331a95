/** Maps lines of the markdown to rows of the sheet from this line on. Both count from 1, and increase together until the next mark. */
export type RowMark = readonly [line: number, row: number];

/** Beyond this number no marks are stored at all. They are kept with the document, whose metadata holds 10,000 values. */
export const ROW_MARKS_MAX = 2_000;

/** Records the row of each line, with a mark wherever lines and rows do not increase together. */
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
