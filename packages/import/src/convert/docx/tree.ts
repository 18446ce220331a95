import { gridOf } from "../tables/grid.ts";
import { headed } from "../tables/header.ts";

/** The used part of mammoth's document tree, which has no types. */
interface Node {
  readonly type?: unknown;
  readonly children?: readonly Node[];
  readonly numbering?: unknown;
  readonly styleId?: unknown;
  readonly value?: unknown;
  readonly isBold?: unknown;
  readonly isHeader?: unknown;
}

const HEADING_UNITS_MAX = 100;

/** Gives `style` to each bold line that stands alone: it is a heading of an author who knew no styles. A document all in bold has none. */
export function withBoldHeadings<Document extends Node>(document: Document, style: string): Document {
  const all = document.children ?? [];
  const bold = all.filter(isBoldLine);
  if (
    bold.length * 2 >
    all.filter(({ type, children }) => type === "paragraph" && textOf(children).trim() !== "").length
  )
    return document;
  const children = all.map((child) => (isBoldLine(child) ? { ...child, styleId: style } : child));
  return { ...document, children };
}

/** Marks header rows by the content of the rows: tables seldom name theirs. */
export function withTableHeaders<Document extends Node>(document: Document): Document {
  const children = document.children?.map((child) => (child.type === "table" ? withHeader(child) : child));
  return children === undefined ? document : { ...document, children };
}

function withHeader(table: Node): Node {
  const rows = table.children ?? [];
  if (rows.length < 2 || rows.some(({ isHeader }) => isHeader === true)) return table;
  const texts = rows.map(({ children = [] }, i) => ({
    number: i + 1,
    cells: children.map((cell) => textOf([cell]).trim()),
  }));
  const grid = gridOf(texts);
  const isHeader = grid[0]?.number === 1 && headed(grid).header !== undefined;
  return isHeader ? { ...table, children: rows.map((row, i) => (i === 0 ? { ...row, isHeader } : row)) } : table;
}

function isBoldLine({ type, children = [], numbering, styleId }: Node): boolean {
  if (type !== "paragraph" || (numbering !== null && numbering !== undefined)) return false;
  if (typeof styleId === "string" && styleId.startsWith("Loredex")) return false;
  const text = textOf(children).trim();
  if (text === "" || text.length > HEADING_UNITS_MAX || /[.,;!]$/.test(text) || !/\p{L}/u.test(text)) return false;
  return children.every((run) => textOf([run]).trim() === "" || (run.type === "run" && run.isBold === true));
}

function textOf(children: readonly Node[] = []): string {
  return children.map(({ value, children: own }) => (typeof value === "string" ? value : textOf(own))).join("");
}
