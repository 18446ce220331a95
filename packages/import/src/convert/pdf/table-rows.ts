import { type Line, median } from "./lines.ts";
import type { Segment } from "./segments.ts";

/** Where a column is. */
export interface Span {
  x0: number;
  x1: number;
}

/** Lines as rows of cells: ruled lines divide rows, else a line that begins no cell of the first column goes on with the row above. */
export function rowsOfLines(
  lines: readonly Line[],
  spans: readonly Span[],
  ruled?: readonly boolean[],
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
