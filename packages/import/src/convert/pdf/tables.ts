import type { Line } from "./lines.ts";
import { isRightToLeft } from "./right-to-left.ts";
import { namesFigures } from "./ruled-tables.ts";
import type { LevelRule } from "./running.ts";
import type { Span, TableRows } from "./table.ts";
import { rowsOfLines } from "./table-rows.ts";
import type { Words } from "./words.ts";

export interface FoundTable extends TableRows {
  /** Number of column lines that the table takes. */
  readonly lines: number;
}

interface ColumnLines {
  readonly lines: readonly Line[];
  readonly rules: readonly LevelRule[];
  readonly words: Words;
  readonly leading: number;
  gapAbove(at: number): number;
}

const COLUMNS_MAX = 30;
const ROWS_MIN = 3;
/** More lines than fit on a page. */
const LINES_MAX = 300;
/** A line in letters larger by this factor is a heading between two tables. */
const LARGER = 1.13;
const RULES_BETWEEN_ROWS_MIN = 2;

/** Finds a table that begins with this line: lines whose words stand in columns. */
export function tableAt(column: ColumnLines, at: number): FoundTable | undefined {
  const { lines } = column;
  if ((lines[at]?.segments.length ?? 0) < 2) return undefined;
  const stop = runEnd(column, at);
  for (let end = stop; end - at >= 2; end = lastOfMany(lines, at, end - 1)) {
    const found = asTable(lines.slice(at, end), column);
    if (found !== undefined) return found;
    if (stop - end > 3) return undefined;
  }
  return undefined;
}

/** Finds the end of a run: lines with several cells, and the lines between two of them. */
function runEnd({ lines, leading }: ColumnLines, at: number): number {
  let stop = at + 1;
  let last = at;
  for (; stop < Math.min(lines.length, at + LINES_MAX) && stop - last <= 4; stop++) {
    const line = lines[stop];
    const before = lines[stop - 1];
    if (line === undefined || before === undefined || line.y - before.y > 2.6 * Math.max(leading, line.size)) break;
    if (line.table !== undefined) break;
    if (line.segments.length > 1) last = stop;
    else if (line.size > LARGER * (lines[at]?.size ?? line.size)) break;
    else if (!isInside(lines.slice(at, last + 1), line)) break;
  }
  return tail(lines, { at, last, leading });
}

/** Finds lines that hang below the last row's cells, and belong to them. */
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
    if (line.table !== undefined) break;
    if (!isInside(rows, line) || line.segments.length > 1) break;
  }
  return stop;
}

function lastOfMany(lines: readonly Line[], at: number, stop: number): number {
  let end = stop;
  while (end > at && (lines[end - 1]?.segments.length ?? 0) < 2) end--;
  return end;
}

/** True if the line stands within one column of the rows. */
function isInside(rows: readonly Line[], line: Line): boolean {
  const spans = spansOf(rows.filter((row) => row.segments.length > 1));
  return spans.filter((span) => line.x0 < span.x1 && line.x1 > span.x0).length === 1;
}

/** Finds the columns: the joined extents of the segments. */
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

function asTable(lines: readonly Line[], { rules, words }: ColumnLines): FoundTable | undefined {
  const several = lines.filter((line) => line.segments.length > 1);
  const spans = spansOf(several);
  const needed = spans.length > 2 ? 2 : ROWS_MIN;
  if (several.length < needed || spans.length < 2 || spans.length > COLUMNS_MAX) return undefined;
  const ruled = lines.map((line, i) => i > 0 && isRuledAbove(line, lines[i - 1], rules));
  const ruledCount = ruled.filter(Boolean).length;
  const isRuled = ruledCount >= RULES_BETWEEN_ROWS_MIN && ruledCount >= 0.35 * (lines.length - 1);
  const rows = rowsOfLines(lines, { spans, words, ruled: isRuled ? ruled : undefined });
  if (rows === undefined || rows.length < 2 || isListOrPlain(rows, spans)) return undefined;
  const isHeadRuled = ruledCount > 0 && ruledCount <= 3 && ruled[1] === true;
  const isReversed = isRightToLeft(rows.flat().join(" "));
  return {
    rows: isReversed ? rows.map((row) => [...row].reverse()) : rows,
    hasHeader: hasHeader(rows, lines, isHeadRuled),
    spans: isReversed ? [...spans].reverse() : spans,
    lines: lines.length,
  };
}

/** True if a ruled line stands between two lines. */
function isRuledAbove(line: Line, before: Line | undefined, rules: readonly LevelRule[]): boolean {
  if (before === undefined) return false;
  return rules.some(({ x0, x1, y }) => y > before.y && y < line.y - 0.2 * line.size && x0 < line.x1 && x1 > line.x0);
}

/** True for markers with text beside them, which are a list, and for a column of whole lines beside a few others, which is running text. */
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
  return namesFigures(rows);
}
