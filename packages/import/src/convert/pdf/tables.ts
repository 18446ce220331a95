import { type Line, median } from "./lines.ts";
import type { LevelRule } from "./running.ts";
import type { Segment } from "./segments.ts";

export interface FoundTable {
  readonly rows: readonly (readonly string[])[];
  /** The first row names the columns. */
  readonly hasHeader: boolean;
  /** Lines of the column that it takes. */
  readonly lines: number;
}

interface ColumnLines {
  readonly lines: readonly Line[];
  readonly rules: readonly LevelRule[];
  readonly leading: number;
  gapAbove(at: number): number;
}

interface Span {
  x0: number;
  x1: number;
}

const COLUMNS_MAX = 30;
const ROWS_MIN = 3;
/** More lines than a page has room for. */
const LINES_MAX = 300;
const RULES_BETWEEN_ROWS_MIN = 2;

/** A table that begins with this line: lines whose words stand in columns. */
export function tableAt(column: ColumnLines, at: number): FoundTable | undefined {
  const { lines } = column;
  if ((lines[at]?.segments.length ?? 0) < 2) return undefined;
  const stop = runEnd(column, at);
  for (let end = stop; end - at >= 2; end = lastOfMany(lines, at, end - 1)) {
    const found = asTable(lines.slice(at, end), column.rules);
    if (found !== undefined) return found;
    if (stop - end > 3) return undefined;
  }
  return undefined;
}

/** Lines with several cells, and what stands between two of them, are taken together. */
function runEnd({ lines, leading }: ColumnLines, at: number): number {
  let stop = at + 1;
  let last = at;
  for (; stop < Math.min(lines.length, at + LINES_MAX) && stop - last <= 4; stop++) {
    const line = lines[stop];
    const before = lines[stop - 1];
    if (line === undefined || before === undefined || line.y - before.y > 2.6 * Math.max(leading, line.size)) break;
    if (line.segments.length > 1) last = stop;
    else if (!isInside(lines.slice(at, last + 1), line)) break;
  }
  return tail(lines, { at, last, leading });
}

/** What hangs below the last row's cells belongs to them. */
function tail(
  lines: readonly Line[],
  { at, last, leading }: { readonly at: number; readonly last: number; readonly leading: number },
): number {
  let stop = last + 1;
  const rows = lines.slice(at, stop);
  const edge = rows.reduce((least, line) => Math.min(least, line.x0), Number.POSITIVE_INFINITY);
  for (let line = lines[stop]; line !== undefined; line = lines[++stop]) {
    const before = lines[stop - 1];
    if (before === undefined || line.y - before.y > 1.25 * leading || line.x0 < edge + 2 * line.size) break;
    if (!isInside(rows, line) || line.segments.length > 1) break;
  }
  return stop;
}

function lastOfMany(lines: readonly Line[], at: number, stop: number): number {
  let end = stop;
  while (end > at && (lines[end - 1]?.segments.length ?? 0) < 2) end--;
  return end;
}

/** Whether the line stands within one column of the rows. */
function isInside(rows: readonly Line[], line: Line): boolean {
  const spans = spansOf(rows.filter((row) => row.segments.length > 1));
  return spans.filter((span) => line.x0 < span.x1 && line.x1 > span.x0).length === 1;
}

/** Where the columns are: what the segments cover together. */
function spansOf(rows: readonly Line[]): Span[] {
  const segments = rows.flatMap((row) => row.segments).sort((a, b) => a.x0 - b.x0);
  const spans: Span[] = [];
  for (const { x0, x1 } of segments) {
    const span = spans.at(-1);
    if (span !== undefined && x0 < span.x1 + 1) span.x1 = Math.max(span.x1, x1);
    else spans.push({ x0, x1 });
  }
  return spans;
}

function asTable(lines: readonly Line[], rules: readonly LevelRule[]): FoundTable | undefined {
  const several = lines.filter((line) => line.segments.length > 1);
  const spans = spansOf(several);
  const needed = spans.length > 2 ? 2 : ROWS_MIN;
  if (several.length < needed || spans.length < 2 || spans.length > COLUMNS_MAX) return undefined;
  const ruled = lines.map((line, i) => i > 0 && isRuledAbove(line, lines[i - 1], rules));
  const ruledCount = ruled.filter(Boolean).length;
  const isRuled = ruledCount >= RULES_BETWEEN_ROWS_MIN && ruledCount >= 0.35 * (lines.length - 1);
  const rows = rowsOf(lines, spans, isRuled ? ruled : undefined);
  if (rows === undefined || rows.length < 2 || isListOrPlain(rows, spans)) return undefined;
  const isHeadRuled = ruledCount > 0 && ruledCount <= 3 && ruled[1] === true;
  return { rows, hasHeader: hasHeader(rows, lines, isHeadRuled), lines: lines.length };
}

/** Whether a ruled line stands between two lines. */
function isRuledAbove(line: Line, before: Line | undefined, rules: readonly LevelRule[]): boolean {
  if (before === undefined) return false;
  return rules.some(({ x0, x1, y }) => y > before.y && y < line.y - 0.2 * line.size && x0 < line.x1 && x1 > line.x0);
}

/** Lines as rows of cells: ruled lines divide rows, else a line that begins no cell of the first column goes on with the row above. */
function rowsOf(
  lines: readonly Line[],
  spans: readonly Span[],
  ruled: readonly boolean[] | undefined,
): string[][] | undefined {
  const gaps = lines.slice(1).map((line, i) => line.y - (lines[i]?.y ?? 0));
  const least = Math.min(...gaps);
  const usual = median(gaps);
  const rows: string[][] = [];
  for (const [i, line] of lines.entries()) {
    const cells = spans.map(() => "");
    for (const segment of line.segments) {
      const at = spanOf(segment, spans);
      if (at === undefined) return undefined;
      cells[at] = `${cells[at] ?? ""} ${segment.text}`.trim();
    }
    const gap = gaps[i - 1] ?? Number.POSITIVE_INFINITY;
    const row = rows.at(-1);
    const isTight = gap <= 1.15 * least || gap <= 1.05 * usual;
    const isHanging = isTight && cells[0] === "" && (rows.length > 1 || line.segments.length === 1);
    const goesOn = row !== undefined && (ruled === undefined ? isHanging : !ruled[i]);
    if (goesOn) for (const [at, cell] of cells.entries()) row[at] = `${row[at] ?? ""} ${cell}`.trim();
    else rows.push(cells);
  }
  return rows;
}

function spanOf({ x0, x1 }: Segment, spans: readonly Span[]): number | undefined {
  const middle = (x0 + x1) / 2;
  const at = spans.findIndex((span) => middle >= span.x0 - 1 && middle <= span.x1 + 1);
  return at < 0 ? undefined : at;
}

/** Markers with text beside them are a list; a column of whole lines beside a few others is running text. */
function isListOrPlain(rows: readonly (readonly string[])[], spans: readonly Span[]): boolean {
  const first = rows.map((row) => row[0] ?? "").filter((cell) => cell !== "");
  const isMarked = first.filter((cell) => /^(?:\[?\(?[\d\p{L}]{1,3}[.)\]]|[^\p{L}\d\s]{1,2})$/u.test(cell)).length;
  if (spans.length === 2 && isMarked > 0.7 * first.length) return true;
  const filled = rows.filter((row) => row.filter((cell) => cell !== "").length > 1).length;
  return filled < 0.5 * rows.length;
}

function hasHeader(rows: readonly (readonly string[])[], lines: readonly Line[], isHeadRuled: boolean): boolean {
  const head = rows[0] ?? [];
  if (head.some((cell) => cell === "") || !head.some((cell) => /\p{L}/u.test(cell))) return false;
  const first = lines[0];
  if (isHeadRuled) return true;
  if (first?.isBold && !lines.slice(1).every((line) => line.isBold)) return true;
  const isFigures = (cell: string): boolean => /^[-+$€£]?[\d.,\s%]+$/.test(cell);
  const columns = head.map((_, at) => rows.slice(1).map((row) => row[at] ?? ""));
  if (head.some(isFigures)) return false;
  return columns.some((cells) => cells.filter(isFigures).length > 0.6 * cells.length);
}
