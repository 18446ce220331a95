import type { Row } from "./grid.ts";
import type { Headed } from "./header.ts";

/** A line of markdown, and its row of the sheet. */
export interface TableLine {
  readonly text: string;
  readonly row?: number;
}

/** Writes a table as markdown: one line each for the header, the dashes below it, and every row. A missing header has empty cells. */
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

/** Keeps the text of a wide cell in one of its columns only. */
function onceEach({ cells, wide }: Row): readonly string[] {
  if (wide.length === 0) return cells;
  return cells.map((text, i) => (wide.some(([first, last]) => i > first && i <= last) ? "" : text));
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cellMarkdown).join(" | ")} |`;
}

/** Escapes a cell's text so that it is shown unchanged: it may hold bars, line breaks, and text like tags. */
function cellMarkdown(text: string): string {
  return lineMarkdown(text).replaceAll("|", "\\|").replaceAll("\n", "<br>");
}

/** Escapes a text, which may have several lines. */
export function lineMarkdown(text: string): string {
  return text.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\").replace(/<(?=[A-Za-z/!?])/g, "\\<");
}
