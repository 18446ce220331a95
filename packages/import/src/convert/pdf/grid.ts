import type { Rule } from "./ink.ts";

/** The ruled lines of a table: the edges of its columns and rows, and the fields that form one cell. */
export interface Grid {
  /** Column edges, from the left. */
  readonly xs: readonly number[];
  /** Row edges, from the top. */
  readonly ys: readonly number[];
  /** The cell of each field, row by row; fields without a line between them have the same one. A cell's number is that of its first field. */
  readonly cells: readonly number[];
}

/** Maximum distance of lines that are one: borders are often drawn twice, or as thin bars. */
const SAME_LINE = 3.5;
/** Maximum distance of an end from a line at which it ends. */
const REACH = 4;
const THICKNESS_MAX = 3;
/** Maximum lines of one direction: a page with more is a drawing. */
const LINES_MAX = 300;
const COLUMNS_MAX = 40;
const LENGTH_MIN = 8;

interface Span {
  /** Its position across its direction: the height of a horizontal line. */
  at: number;
  from: number;
  to: number;
}

/** Finds the grids that the ruled lines of a page form. */
export function gridsOf(rules: readonly Rule[]): Grid[] {
  const level = merged(rules.flatMap(levelSpan));
  const upright = merged(rules.flatMap(uprightSpan));
  if (level.length > LINES_MAX || upright.length > LINES_MAX) return [];
  return connected(level, upright).flatMap((group) => gridOf(group) ?? []);
}

function levelSpan({ x0, x1, y0, y1 }: Rule): Span[] {
  return y1 - y0 <= THICKNESS_MAX && x1 - x0 > y1 - y0 ? [{ at: (y0 + y1) / 2, from: x0, to: x1 }] : [];
}

function uprightSpan({ x0, x1, y0, y1 }: Rule): Span[] {
  return x1 - x0 <= THICKNESS_MAX && y1 - y0 > x1 - x0 ? [{ at: (x0 + x1) / 2, from: y0, to: y1 }] : [];
}

/** Joins the pieces of a line, such as the borders of its cells. */
function merged(spans: readonly Span[]): Span[] {
  const lines: Span[][] = [];
  for (const span of [...spans].sort((a, b) => a.at - b.at)) {
    const line = lines.at(-1);
    if (line?.[0] !== undefined && span.at - line[0].at <= SAME_LINE) line.push(span);
    else lines.push([span]);
  }
  return lines.flatMap(joined).filter(({ from, to }) => to - from >= LENGTH_MIN);
}

function joined(line: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of [...line].sort((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last !== undefined && span.from <= last.to + REACH) last.to = Math.max(last.to, span.to);
    else out.push({ ...span });
  }
  return out;
}

interface Lines {
  readonly level: Span[];
  readonly upright: Span[];
}

/** Groups lines that meet. */
function connected(level: readonly Span[], upright: readonly Span[]): Lines[] {
  const groups: Lines[] = [];
  const left = new Set(upright);
  const open = new Set(level);
  for (const first of level) {
    if (!open.delete(first)) continue;
    const group: Lines = { level: [first], upright: [] };
    for (let i = 0, j = 0; i < group.level.length || j < group.upright.length; ) {
      const one = i < group.level.length ? group.level[i++] : undefined;
      const other = one === undefined ? group.upright[j++] : undefined;
      if (one !== undefined) take(left, (span) => meet(one, span), group.upright);
      if (other !== undefined) take(open, (span) => meet(span, other), group.level);
    }
    groups.push(group);
  }
  return groups;
}

function take(from: Set<Span>, isMeant: (span: Span) => boolean, to: Span[]): void {
  for (const span of from) {
    if (!isMeant(span)) continue;
    from.delete(span);
    to.push(span);
  }
}

function meet(level: Span, upright: Span): boolean {
  return (
    level.at >= upright.from - REACH &&
    level.at <= upright.to + REACH &&
    upright.at >= level.from - REACH &&
    upright.at <= level.to + REACH
  );
}

function gridOf({ level, upright }: Lines): Grid | undefined {
  if (level.length < 2 || upright.length === 0) return undefined;
  // a table may be open at its sides
  const xs = edges([...upright.map(({ at }) => at), ...level.flatMap(({ from, to }) => [from, to])]);
  const ys = edges([...level.map(({ at }) => at), ...upright.flatMap(({ from, to }) => [from, to])]);
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  if (columns < 2 || columns > COLUMNS_MAX || rows < 1) return undefined;
  return { xs, ys, cells: cellsOf({ xs, ys }, { level, upright }) };
}

function edges(places: readonly number[]): number[] {
  const out: number[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = out.at(-1);
    if (last === undefined || place - last > SAME_LINE) out.push(place);
  }
  return out;
}

/** Joins a field with the field left of it or above it if no line is between them. */
function cellsOf({ xs, ys }: Pick<Grid, "xs" | "ys">, { level, upright }: Lines): number[] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const cells: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = middle(xs, column);
      const y = middle(ys, row);
      const isLeftOpen = column > 0 && !isCrossed(upright, xs[column] ?? 0, y);
      const isAboveOpen = row > 0 && !isCrossed(level, ys[row] ?? 0, x);
      const own = row * columns + column;
      const above = isAboveOpen ? cells[own - columns] : undefined;
      cells.push(above ?? (isLeftOpen ? cells[own - 1] : undefined) ?? own);
    }
  }
  return cells;
}

function middle(places: readonly number[], at: number): number {
  return ((places[at] ?? 0) + (places[at + 1] ?? 0)) / 2;
}

function isCrossed(lines: readonly Span[], at: number, place: number): boolean {
  return lines.some((line) => Math.abs(line.at - at) <= SAME_LINE && line.from <= place && line.to >= place);
}

/** Returns the cell at a point; undefined outside the grid. */
export function cellAt({ xs, ys, cells }: Grid, x: number, y: number): number | undefined {
  const column = indexAt(xs, x);
  const row = indexAt(ys, y);
  return column === undefined || row === undefined ? undefined : cells[row * (xs.length - 1) + column];
}

function indexAt(places: readonly number[], place: number): number | undefined {
  if (!(place >= (places[0] ?? Number.POSITIVE_INFINITY)) || place > (places.at(-1) ?? 0)) return undefined;
  let low = 0;
  let high = places.length - 2;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if ((places[half] ?? 0) <= place) low = half;
    else high = half - 1;
  }
  return low;
}
