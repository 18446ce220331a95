import type { Grid } from "./grid.ts";
import { type Line, linesOf, median } from "./lines.ts";
import { isRightToLeft } from "./right-to-left.ts";
import type { Segment } from "./segments.ts";
import type { Span, TableRows } from "./table.ts";
import { rowsOfLines } from "./table-rows.ts";
import { Words } from "./words.ts";

/** A cell with more lines, in a table of several ruled rows, is a layout box of the page. */
const CELL_LINES_MAX = 30;
const PROSE_LINES_MIN = 5;
const PROSE_CHARACTERS_MIN = 25;
/** Maximum length of a label of several rows. It is repeated in each row, so that each can be understood alone. */
const LABEL_CHARACTERS_MAX = 80;

/** Replaces the segments of each ruled table by one segment. */
export function withRuledTables(segments: readonly Segment[], words: Words): Segment[] {
  const found = ruledTables(segments, words);
  if (found.length === 0) return [...segments];
  const taken = new Set(found.flatMap(({ own }) => own));
  return [...segments.filter((each) => !taken.has(each)), ...found.map(({ own, table }) => placeOf(own, table))];
}

/** Returns the grids of a page that are tables, and no frames or drawings. */
export function tableGrids(segments: readonly Segment[]): Grid[] {
  return ruledTables(segments, new Words()).map(({ grid }) => grid);
}

interface RuledTable {
  readonly grid: Grid;
  readonly table: TableRows;
  readonly own: readonly Segment[];
}

function ruledTables(segments: readonly Segment[], words: Words): RuledTable[] {
  const grids = new Map<Grid, Segment[]>();
  for (const segment of segments) {
    if (segment.cell === undefined) continue;
    const own = grids.get(segment.cell.grid);
    if (own === undefined) grids.set(segment.cell.grid, [segment]);
    else own.push(segment);
  }
  return [...grids].flatMap(([grid, own]) => {
    const table = tableOf(grid, own, words);
    return table === undefined ? [] : [{ grid, table, own }];
  });
}

function placeOf(segments: readonly Segment[], table: TableRows): Segment {
  const [first] = segments;
  return {
    text: "",
    x0: segments.reduce((least, { x0 }) => Math.min(least, x0), Number.POSITIVE_INFINITY),
    x1: segments.reduce((most, { x1 }) => Math.max(most, x1), 0),
    y: segments.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY),
    size: first?.size ?? 10,
    isBold: false,
    isMono: false,
    firstWordWidth: 0,
    table,
  };
}

interface Cell {
  readonly lines: readonly Line[];
  /** Fields that it covers, as `[column, row]` numbers from 0. */
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

function tableOf(grid: Grid, segments: readonly Segment[], words: Words): TableRows | undefined {
  const cells = cellsOf(grid, segments);
  if (cells.some(({ lines }) => lines.length > CELL_LINES_MAX && grid.ys.length > 3)) return undefined;
  if (hasOtherColumns(cells)) return undefined;
  const bands = bandsOf(grid, cells);
  if (bands.length === 1 && segments.every(({ isMono }) => isMono)) return undefined;
  const isTold = bands.length > 2;
  if (!isTold && cells.filter((cell) => isProse(grid, cell)).length > 1) return undefined;
  const rows = bands.flatMap((band) => bandRows(grid, band, { words, isTold }));
  const isUsed = spansOf(grid).map((_, at) => rows.some(({ texts }) => texts[at] !== ""));
  const kept = rows.map(({ texts }) => texts.filter((_, at) => isUsed[at]));
  const spans = spansOf(grid).filter((_, at) => isUsed[at]);
  if (!isTable(kept)) return undefined;
  const hasHeader = isHeader(rows, kept);
  if (!isRightToLeft(kept.flat().join(" "))) return { rows: kept, hasHeader, spans };
  return { rows: kept.map((row) => [...row].reverse()), hasHeader, spans: [...spans].reverse() };
}

function cellsOf(grid: Grid, segments: readonly Segment[]): Cell[] {
  const columns = grid.xs.length - 1;
  const texts = new Map<number, Segment[]>();
  for (const segment of segments) {
    const index = segment.cell?.index ?? 0;
    texts.set(index, [...(texts.get(index) ?? []), segment]);
  }
  return [...texts].map(([index, own]) => {
    const fields = grid.cells.flatMap((cell, at) => (cell === index ? [at] : []));
    return {
      lines: linesOf(own),
      columns: [...new Set(fields.map((at) => at % columns))],
      rows: [...new Set(fields.map((at) => Math.floor(at / columns)))],
    };
  });
}

/** Groups cells by the row in which they begin; rows without cells are left out. */
function bandsOf({ ys }: Grid, cells: readonly Cell[]): { readonly row: number; readonly cells: Cell[] }[] {
  return ys
    .slice(1)
    .map((_, row) => ({ row, cells: cells.filter((cell) => cell.rows.includes(row)) }))
    .filter((band) => band.cells.some(({ rows }) => rows[0] === band.row));
}

/** True for a text column of a page, next to a drawn line: it is full of lines from edge to edge. */
function isProse({ xs }: Grid, { lines, columns }: Cell): boolean {
  const width = (xs[(columns.at(-1) ?? 0) + 1] ?? 0) - (xs[columns[0] ?? 0] ?? 0);
  return (
    lines.length >= PROSE_LINES_MIN &&
    median(lines.map(({ text }) => text.length)) >= PROSE_CHARACTERS_MIN &&
    median(lines.map(({ x0, x1 }) => x1 - x0)) > 0.55 * width
  );
}

/** True if words stand in columns that no line divides: then the columns are found by the words alone. */
function hasOtherColumns(cells: readonly Cell[]): boolean {
  const lines = cells.flatMap((cell) => cell.lines);
  const divided = lines.filter(({ segments }) => segments.length > 1).length;
  return divided > 1 && divided > 0.2 * lines.length;
}

interface Row {
  readonly texts: string[];
  readonly isBold: boolean;
}

function bandRows(
  grid: Grid,
  { row, cells }: { readonly row: number; readonly cells: readonly Cell[] },
  { words, isTold }: { readonly words: Words; readonly isTold: boolean },
): Row[] {
  const own = cells.filter(({ rows }) => rows[0] === row);
  if (hasSeveralRows(own, isTold)) {
    const lines = linesOf(own.flatMap((cell) => cell.lines.flatMap(({ segments }) => segments)));
    const found = rowsOfLines(lines, { spans: spansOf(grid), words });
    if (found !== undefined) return found.map((texts, i) => ({ texts, isBold: i === 0 && lines[0]?.isBold === true }));
  }
  const texts = grid.xs.slice(1).map(() => "");
  for (const cell of cells) {
    const text = joined(cell.lines, words);
    const isOwn = cell.rows[0] === row;
    const [column = 0] = cell.columns;
    if (isOwn || text.length <= LABEL_CHARACTERS_MAX) texts[column] = text;
  }
  return [{ texts, isBold: own.every(({ lines }) => lines.every(({ isBold }) => isBold)) }];
}

/** True if lines are rows although none is ruled: all cells have equally many lines at the same heights, or the table's body has no ruled line at all. */
function hasSeveralRows(cells: readonly Cell[], isTold: boolean): boolean {
  const heights = cells.map(({ lines }) => lines.map(({ y }) => Math.round(y)));
  const [first = []] = heights;
  const isSame = heights.every((own) => own.length === first.length && own.every((y, i) => near(y, first[i])));
  if (isSame && first.length >= 3 && cells.length > 1) return true;
  return !isTold && first.length >= 2 && heights.some((own) => own.length >= 3);
}

function near(a: number, b: number | undefined): boolean {
  return b !== undefined && Math.abs(a - b) <= 2;
}

function joined(lines: readonly Line[], words: Words): string {
  let text = "";
  for (const line of lines) text = text === "" ? line.text : words.joined(text, line.text);
  return text.replace(/\u00ad/g, "");
}

function spansOf({ xs }: Grid): Span[] {
  return xs.slice(1).map((x1, i) => ({ x0: xs[i] ?? 0, x1 }));
}

/** True for a table. Boxes and frames that occasionally hold text side by side are none. */
function isTable(rows: readonly (readonly string[])[]): boolean {
  const width = rows[0]?.length ?? 0;
  if (rows.length < 2 || width < 2) return false;
  const filled = rows.map((row) => row.filter((cell) => cell !== "").length);
  const cells = filled.reduce((sum, count) => sum + count, 0);
  return filled.filter((count) => count > 1).length * 2 >= rows.length && cells >= 0.25 * rows.length * width;
}

function isHeader(rows: readonly Row[], texts: readonly (readonly string[])[]): boolean {
  const [head] = rows;
  const first = texts[0] ?? [];
  if (head === undefined || !first.some((cell) => /\p{L}/u.test(cell))) return false;
  if (first.filter((cell) => cell !== "").length < Math.min(2, first.length)) return false;
  if (head.isBold) return !rows.every(({ isBold }) => isBold);
  return first.every((cell) => cell !== "") && namesFigures(texts);
}

const FIGURES = /^[-+$€£]?[\d.,\s%]+$/;

/** True for words above columns of figures. */
export function namesFigures(rows: readonly (readonly string[])[]): boolean {
  const [head = [], ...body] = rows;
  if (head.some((cell) => FIGURES.test(cell))) return false;
  return head.some((_, at) => body.filter((row) => FIGURES.test(row[at] ?? "")).length > 0.6 * body.length);
}
