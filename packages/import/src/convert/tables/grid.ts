/** A row of a sheet that holds anything. */
export interface Row {
  /** Its number in the file, as a spreadsheet program shows it: from 1. */
  readonly number: number;
  /** As many as the grid has columns; empty where nothing stands. Line breaks are `\n`. */
  readonly cells: readonly string[];
  /** Whether an empty row stands above it. */
  readonly isAfterGap: boolean;
  /** Columns that are one wide cell, first and last: its text stands in each of them. */
  readonly wide: readonly (readonly [number, number])[];
}

/** A sheet without its empty rows and columns. */
export type Grid = readonly Row[];

/** A row as it was read, before empty columns are dropped. */
export interface FoundRow {
  readonly number: number;
  /** Text by column from 0; a column that is absent is empty. */
  readonly cells: ReadonlyMap<number, string> | readonly string[];
  readonly wide?: readonly (readonly [number, number])[];
}

/** Makes a grid of rows that come in their order. */
export function gridOf(found: readonly FoundRow[]): Grid {
  const used = new Set<number>();
  for (const { cells } of found) for (const [column, text] of cells.entries()) if (text !== "") used.add(column);
  const columns = [...used].sort((a, b) => a - b);
  const places = new Map(columns.map((column, i) => [column, i]));
  const rows: Row[] = [];
  let last = 0;
  for (const { number, cells, wide = [] } of found) {
    const own = new Array<string>(columns.length).fill("");
    let isEmpty = true;
    for (const [column, text] of cells.entries()) {
      const place = places.get(column);
      if (text === "" || place === undefined) continue;
      own[place] = text;
      isEmpty = false;
    }
    if (isEmpty) continue;
    const ranges = wide.flatMap(([first, end]) => rangeOf(columns, first, end));
    rows.push({ number, cells: own, isAfterGap: last > 0 && number > last + 1, wide: ranges });
    last = number;
  }
  return rows;
}

/** The places of those columns that are left of a range; none if it is not wide any more. */
function rangeOf(columns: readonly number[], first: number, end: number): [number, number][] {
  const from = columns.findIndex((column) => column >= first);
  const to = columns.findLastIndex((column) => column <= end);
  return from >= 0 && to > from ? [[from, to]] : [];
}

/** The only text of a row; undefined if it has several. A wide cell is one. */
export function onlyText({ cells }: Row): string | undefined {
  let only: string | undefined;
  for (const text of cells) {
    if (text === "" || text === only) continue;
    if (only !== undefined) return undefined;
    only = text;
  }
  return only;
}
