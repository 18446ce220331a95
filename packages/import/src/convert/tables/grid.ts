/** A row of a sheet with any content. */
export interface Row {
  /** Its number in the file, as spreadsheet programs show it, from 1. */
  readonly number: number;
  /** One for each column of the grid; a cell without content is empty. Line breaks are `\n`. */
  readonly cells: readonly string[];
  /** True if an empty row is above it. */
  readonly isAfterGap: boolean;
  /** First and last columns of wide cells. The text is in each of these columns. */
  readonly wide: readonly (readonly [number, number])[];
}

/** A sheet without its empty rows and columns. */
export type Grid = readonly Row[];

/** A row as read, before empty columns are dropped. */
export interface FoundRow {
  readonly number: number;
  /** Text by column, from 0; an absent column is empty. */
  readonly cells: ReadonlyMap<number, string> | readonly string[];
  readonly wide?: readonly (readonly [number, number])[];
}

/** Makes a grid of rows given in order. */
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

/** Maps a range to the kept columns; empty if it is not wide any more. */
function rangeOf(columns: readonly number[], first: number, end: number): [number, number][] {
  const from = columns.findIndex((column) => column >= first);
  const to = columns.findLastIndex((column) => column <= end);
  return from >= 0 && to > from ? [[from, to]] : [];
}

/** Returns the only text of a row; undefined if it has several. A wide cell counts as one. */
export function onlyText({ cells }: Row): string | undefined {
  let only: string | undefined;
  for (const text of cells) {
    if (text === "" || text === only) continue;
    if (only !== undefined) return undefined;
    only = text;
  }
  return only;
}
