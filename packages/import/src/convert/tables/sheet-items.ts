import { type Grid, onlyText, type Row } from "./grid.ts";
import { type Headed, hasEvidentHeader, headed, isSame, toldGroups } from "./header.ts";

/** What a sheet holds, in its order: lines of text, and tables. */
export type SheetItem =
  | { readonly kind: "text"; readonly lines: readonly TextLine[] }
  | ({ readonly kind: "table" } & Headed);

/** A row that is no table's, and its number. */
export interface TextLine {
  readonly text: string;
  readonly row: number;
}

/** A table that rows below an empty one may still belong to. */
interface Growing extends Headed {
  readonly rows: Row[];
  /** Columns that its rows use. */
  readonly used: Set<number>;
}

/** Finds the tables of a sheet: empty rows and lines of text divide them. */
export function itemsOf(grid: Grid): SheetItem[] {
  const items: SheetItem[] = [];
  let above: Growing | undefined;
  for (const rows of divided(grid)) {
    const lines = (grid[0]?.cells.length ?? 0) > 1 ? linesAbove(rows) : [];
    if (lines.length > 0) items.push({ kind: "text", lines });
    const below = rows.slice(lines.length);
    if (below.length === 0) continue;
    if (above !== undefined && lines.length === 0 && items.at(-1)?.kind === "table" && goesOn(above, below)) {
      grow(above, below);
    } else {
      const table = headed(below);
      // Below the name of a section the rows are those of the table that it is a section of.
      const isSection: boolean = table.header === undefined && above !== undefined && goesOn(above, below);
      const header: Headed["header"] = isSection ? above?.header : table.header;
      const at = table.headerRow === undefined ? {} : { headerRow: table.headerRow };
      above = { header, ...at, rows: [], used: new Set() };
      grow({ ...above, header: table.header }, table.rows);
      items.push({ kind: "table", header, ...at, rows: above.rows });
    }
  }
  return items;
}

/** Takes rows into a table, without its header where that is repeated. */
function grow({ header, rows, used }: Growing, more: readonly Row[]): void {
  for (const row of more) {
    if (isSame(row.cells, header ?? [])) continue;
    rows.push(row);
    for (const column of columnsOf(row)) used.add(column);
  }
}

/** At empty rows. */
function divided(grid: Grid): Row[][] {
  const parts: Row[][] = [];
  for (const row of grid) {
    const part = parts.at(-1);
    if (part === undefined || row.isAfterGap) parts.push([row]);
    else part.push(row);
  }
  return parts;
}

/** What stands above a table: what it is called, or what there is to know about it. */
function linesAbove(rows: readonly Row[]): TextLine[] {
  const single = rows.findIndex((row) => onlyText(row) === undefined);
  if (single < 0) return rows.map(lineOf);
  const at = headerAt(rows, single);
  const [above, header] = [rows[at - 1], rows[at]];
  const isGroup = above !== undefined && header !== undefined && toldGroups(above, header) !== undefined;
  return rows.slice(0, isGroup ? at - 1 : at).map(lineOf);
}

/** Rows in which a header is looked for. */
const ABOVE_MAX = 12;

/** Where the table begins: at `first`, or below rows of which none is as full as a header that leaves no doubt. */
function headerAt(rows: readonly Row[], first: number): number {
  let most = filled(rows[first]);
  for (let at = first + 1; at < Math.min(rows.length, first + ABOVE_MAX); at++) {
    const own = filled(rows[at]);
    if (own > most && rows[first]?.wide.length === 0 && hasEvidentHeader(rows.slice(at))) return at;
    most = Math.max(most, own);
  }
  return first;
}

function filled(row: Row | undefined): number {
  return row?.cells.filter((text) => text !== "").length ?? 0;
}

function lineOf(row: Row): TextLine {
  return { text: onlyText(row) ?? row.cells.filter((text) => text !== "").join(" "), row: row.number };
}

/** Whether rows below an empty one belong to the table above it: they have its columns, and no header of their own. */
function goesOn({ header, rows, used }: Growing, below: readonly Row[]): boolean {
  const isUsed = (column: number): boolean => (header?.[column] ?? "") !== "" || (rows.length > 0 && used.has(column));
  const own = new Set(below.flatMap(columnsOf));
  const common = [...own].filter(isUsed);
  // A row may have a cell too many; another table seldom has most of its columns below those of this one and no header.
  if (common.length * 2 <= own.size) return false;
  return isSame(below[0]?.cells ?? [], header ?? [""]) || !hasEvidentHeader(below);
}

function columnsOf({ cells }: Row): number[] {
  return cells.flatMap((text, column) => (text === "" ? [] : [column]));
}
