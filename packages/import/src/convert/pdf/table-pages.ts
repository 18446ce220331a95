import type { Block } from "./block.ts";
import type { Line } from "./lines.ts";
import type { Span, TableRows } from "./table.ts";
import type { Words } from "./words.ts";

/** Maximum lines at the top of a page that continue the last row of the page before. */
const REST_LINES_MAX = 4;

/** Joins tables that continue on the next page: each part gets the header, so that its rows can be understood alone. */
export function withTablesContinued(pages: readonly (readonly Block[])[], words: Words): Block[][] {
  const out: Block[][] = [];
  let open: TableRows | undefined;
  for (const page of pages) {
    const blocks = [...page];
    if (open !== undefined) goOn(open, blocks, { before: out.at(-1) ?? [], words });
    const last = blocks.at(-1);
    open = last?.kind === "table" ? last : undefined;
    out.push(blocks);
  }
  return out;
}

/** Changes the blocks of a page on which an open table continues, and of the page before. */
function goOn(
  open: TableRows,
  blocks: Block[],
  { before, words }: { readonly before: Block[]; readonly words: Words },
): void {
  const [first, second] = blocks;
  const cells = first?.kind === "paragraph" && second?.kind === "table" ? restOfRow(open, first.lines) : undefined;
  const at = cells === undefined ? 0 : 1;
  const table = blocks[at];
  if (table?.kind !== "table") return;
  const mapped = columnsOf(table.spans, open.spans);
  if (mapped === undefined) return;
  if (cells !== undefined) {
    const rows = open.rows.map((row, i) => (i === open.rows.length - 1 ? joinedRow(row, cells, words) : row));
    before.splice(-1, 1, { kind: "table", ...open, rows });
    blocks.shift();
  }
  const [header] = open.rows;
  if (!open.hasHeader || header === undefined || table.hasHeader) return;
  const rows = table.rows.map((row) => open.spans.map((_, column) => row[mapped.indexOf(column)] ?? ""));
  blocks[0] = { kind: "table", rows: [header, ...rows], hasHeader: true, spans: open.spans };
}

/** Returns the additions to a table's last row. They are lines at a page's top, each within one column of the table, but not the first column. */
function restOfRow({ spans }: TableRows, lines: readonly Line[]): string[][] | undefined {
  if (lines.length > REST_LINES_MAX) return undefined;
  const cells: string[][] = spans.map(() => []);
  for (const { segments } of lines) {
    for (const { text, x0, x1 } of segments) {
      const column = spans.findIndex(
        (span, i) => x0 >= span.x0 - 2 && x0 < span.x1 && x1 < (spans[i + 1]?.x0 ?? x1 + 1),
      );
      if (column < 1) return undefined;
      cells[column]?.push(text);
    }
  }
  return cells;
}

function joinedRow(row: readonly string[], cells: readonly (readonly string[])[], words: Words): string[] {
  return row.map((cell, i) =>
    (cells[i] ?? []).reduce((text, rest) => (text === "" ? rest : words.joined(text, rest)), cell),
  );
}

/** Returns for each column of one table the column of the other at the same place; undefined if one has none or two share one. */
function columnsOf(spans: readonly Span[], others: readonly Span[]): number[] | undefined {
  const columns = spans.map(({ x0, x1 }) => {
    const found = others.flatMap((other, i) => (x0 < other.x1 && x1 > other.x0 ? [i] : []));
    return found.length === 1 ? found[0] : undefined;
  });
  const known = columns.filter((column) => column !== undefined);
  return known.length === spans.length && new Set(known).size === spans.length ? known : undefined;
}
