/** A range of cells; rows from 1, columns from 0, all inclusive. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/** Returns the column, from 0, of a reference such as `BC12`. */
export function columnOf(reference: string | undefined): number | undefined {
  const [, letters] = CELL.exec(reference ?? "") ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Returns the range of a reference such as `A1:C2` or `A1`. */
export function rangeOf(reference: string | undefined): Range | undefined {
  const [first = "", last = first] = (reference ?? "").split(":");
  const [left, right] = [columnOf(first), columnOf(last)];
  const [top, bottom] = [CELL.exec(first)?.[2], CELL.exec(last)?.[2]].map(Number);
  if (left === undefined || right === undefined || !top || !bottom || bottom < top || right < left) return undefined;
  return { top, bottom, left, right };
}
