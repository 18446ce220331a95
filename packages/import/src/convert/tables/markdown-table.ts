import type { Row } from "./grid.ts";
import type { Headed } from "./header.ts";

/** A line of markdown, and the row that it comes of. */
export interface TableLine {
  readonly text: string;
  readonly row?: number;
}

/** A table in markdown: a line each for the header, the dashes below it, and every row. Without a header its cells are empty. */
export function* tableLines({ header, headerRow, rows }: Headed): Generator<TableLine> {
  const width = header?.length ?? rows[0]?.cells.length ?? 0;
  const used = Array.from(
    { length: width },
    (_, i) => (header?.[i] ?? "") !== "" || rows.some(({ cells }) => cells[i] !== ""),
  );
  const isUsed = (_: unknown, i: number): boolean => used[i] === true;
  const names = (header ?? new Array<string>(width).fill("")).filter(isUsed);
  yield { text: line(names), ...(headerRow === undefined ? {} : { row: headerRow }) };
  yield { text: `|${" --- |".repeat(names.length)}` };
  for (const row of rows) yield { text: line(onceEach(row).filter(isUsed)), row: row.number };
}

/** A wide cell's text stands in all of its columns: in a row it is told once. */
function onceEach({ cells, wide }: Row): readonly string[] {
  if (wide.length === 0) return cells;
  return cells.map((text, i) => (wide.some(([first, last]) => i > first && i <= last) ? "" : text));
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cellMarkdown).join(" | ")} |`;
}

/** A cell's text, so that it is shown as it stands: it may hold bars, line breaks, and what looks like a tag. */
function cellMarkdown(text: string): string {
  return lineMarkdown(text).replaceAll("|", "\\|").replaceAll("\n", "<br>");
}

/** A text that may have several lines, as markdown that shows it. */
export function lineMarkdown(text: string): string {
  return text.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\").replace(/<(?=[A-Za-z/!?])/g, "\\<");
}
