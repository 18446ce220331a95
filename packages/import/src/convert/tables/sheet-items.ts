import { type Grid, onlyText, type Row } from "./grid.ts";
import { type Headed, hasEvidentHeader, headed, isSame, toldGroups } from "./header.ts";

/** The content of a sheet, in order: lines of text, and tables. */
export type SheetItem =
  | { readonly kind: "text"; readonly lines: readonly TextLine[] }
  | ({ readonly kind: "table" } & Headed);

/** A row outside tables, with its number. */
export interface TextLine {
  readonly text: string;
  readonly row: number;
}

/** A table that may continue with rows below an empty one. */
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
      // Rows below a section name belong to the table of that section.
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

/** Adds rows to a table, without a repeated header. */
function grow({ header, rows, used }: Growing, more: readonly Row[]): void {
  for (const row of more) {
    if (isSame(row.cells, header ?? [])) continue;
    rows.push(row);
    for (const column of columnsOf(row)) used.add(column);
  }
}

/** Divides the grid at empty rows. */
function divided(grid: Grid): Row[][] {
  const parts: Row[][] = [];
  for (const row of grid) {
    const part = parts.at(-1);
    if (part === undefined || row.isAfterGap) parts.push([row]);
    else part.push(row);
  }
  return parts;
}

/** Returns the lines above a table: its title, or remarks. */
function linesAbove(rows: readonly Row[]): TextLine[] {
  const single = rows.findIndex((row) => onlyText(row) === undefined);
  if (single < 0) return rows.map(lineOf);
  const at = headerAt(rows, single);
  const [above, header] = [rows[at - 1], rows[at]];
  const isGroup = above !== undefined && header !== undefined && toldGroups(above, header) !== undefined;
  return rows.slice(0, isGroup ? at - 1 : at).map(lineOf);
}

/** Number of rows that are searched for a header. */
const ABOVE_MAX = 12;

/** Finds the first row of the table: `first`, or a clear header below it if no row between is as full. */
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

/** True if rows below an empty one belong to the table above it: they have its columns, and no header of their own. */
function goesOn({ header, rows, used }: Growing, below: readonly Row[]): boolean {
  const isUsed = (column: number): boolean => (header?.[column] ?? "") !== "" || (rows.length > 0 && used.has(column));
  const own = new Set(below.flatMap(columnsOf));
  const common = [...own].filter(isUsed);
  // A row may have one cell too many. Another table seldom has most of its columns below those of this one, and no header.
  if (common.length * 2 <= own.size) return false;
  return isSame(below[0]?.cells ?? [], header ?? [""]) || !hasEvidentHeader(below);
}

function columnsOf({ cells }: Row): number[] {
  return cells.flatMap((text, column) => (text === "" ? [] : [column]));
}
