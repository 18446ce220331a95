import { type Line, median } from "./lines.ts";
import type { Segment } from "./segments.ts";
import type { Span } from "./table.ts";
import type { Words } from "./words.ts";

/** Factor of the usual row distance: much closer lines belong to one cell. */
const WRAPPED = 0.85;

/** Groups lines to rows of cells. Ruled lines divide rows; without them, a line without a cell in the first column continues the row above. */
export function rowsOfLines(
  lines: readonly Line[],
  {
    spans,
    words,
    ruled,
  }: { readonly spans: readonly Span[]; readonly words: Words; readonly ruled?: readonly boolean[] | undefined },
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
    const isWrapped = gap <= WRAPPED * usual && row !== undefined && Math.min(filled(row), filled(cells)) === 1;
    const goesOn = row !== undefined && (ruled === undefined ? isHanging || isWrapped : !ruled[i]);
    if (goesOn) for (const [at, cell] of cells.entries()) row[at] = joined(row[at] ?? "", cell, words);
    else rows.push(cells);
  }
  return rows;
}

function filled(cells: readonly string[]): number {
  return cells.filter((cell) => cell !== "").length;
}

function joined(text: string, cell: string, words: Words): string {
  return text === "" || cell === "" ? text + cell : words.joined(text, cell);
}

function spanOf({ x0, x1 }: Segment, spans: readonly Span[]): number | undefined {
  const middle = (x0 + x1) / 2;
  const at = spans.findIndex((span) => middle >= span.x0 - 1 && middle <= span.x1 + 1);
  return at < 0 ? undefined : at;
}
