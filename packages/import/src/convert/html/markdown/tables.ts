import { attribute, childrenOf, classesOf, elementsBelow, elementsIn, type HtmlElement, textIn } from "../tree.ts";
import type { Block, Place, Writer } from "./block.ts";

/** Maximum columns that spans may create: some pages ask for thousands. */
const COLUMNS_MAX = 200;
/** A longer cell is not repeated in the rows that it spans. */
const REPEATED_CHARACTERS_MAX = 200;
/** No cell of a data table is longer. */
const CELL_CHARACTERS_MAX = 3_000;

/** Writes a `<table>` as a markdown table, or cell by cell if it only lays out the page. */
export function tableBlocks(table: HtmlElement, place: Place, writer: Writer): Block[] {
  const rows = rowsOf(table);
  const captions = elementsIn(table).filter(({ tagName }) => tagName === "caption");
  const caption = captions.flatMap((found) => writer.blocks(childrenOf(found), place));
  if (isLayout(table, rows)) return [...caption, ...rows.flatMap((row) => layoutRow(row, place, writer))];
  const grid = withoutEmpty(gridOf(rows, (cell) => cellText(cell, place, writer)));
  const [header, ...body] = withHeader(grid);
  if (header === undefined) return caption;
  const lines = [rowLine(header), `|${" --- |".repeat(header.length)}`, ...body.map(rowLine)];
  return [...caption, { kind: "table", text: lines.join("\n") }];
}

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

function rowsOf(table: HtmlElement): Row[] {
  return elementsIn(table).flatMap((section) => {
    if (section.tagName === "tr") return [rowOf(section, false)];
    if (!SECTIONS.has(section.tagName)) return [];
    const rows = elementsIn(section).filter(({ tagName }) => tagName === "tr");
    return rows.map((row) => rowOf(row, section.tagName === "thead"));
  });
}
const SECTIONS = new Set(["thead", "tbody", "tfoot"]);

function rowOf(row: HtmlElement, isHead: boolean): Row {
  // Line numbers beside code are no content.
  const cells = elementsIn(row).filter(
    (cell) => isCell(cell) && !isPicture(cell) && !classesOf(cell).some((name) => LINE_NUMBERS.has(name)),
  );
  const isTitled = cells.length > 1 && cells.every(({ tagName }) => tagName === "th");
  return { cells, isHead: isHead || isTitled };
}

/** The icon beside a note. */
function isPicture(cell: HtmlElement): boolean {
  return attribute(cell, "rowspan") !== undefined && textIn(cell).trim() === "";
}

const LINE_NUMBERS = new Set(["linenos", "gutter", "lineno", "line-numbers", "blob-num"]);

function isCell({ tagName }: HtmlElement): boolean {
  return tagName === "td" || tagName === "th";
}

/** True if the table lays out the page, and its cells are parts of the page. */
export function isLayoutTable(table: HtmlElement): boolean {
  const rows = rowsOf(table);
  if (rows.length < 2 || rows.some(({ cells }) => cells.length > 1)) return isLayout(table, rows);
  if (isPresentation(table)) return true;
  // A table of one column: the page if a cell holds more than words, else a column of values.
  return rows.some(({ cells }) => cells.some((cell) => holdsParts(cell) || textIn(cell).length > PART_CHARACTERS_MIN));
}
const PART_CHARACTERS_MIN = 300;
const PARTS = new Set("h1 h2 h3 h4 h5 h6 table form pre ul ol dl".split(" "));

function holdsParts(cell: HtmlElement): boolean {
  for (const { tagName } of elementsBelow(cell)) if (PARTS.has(tagName)) return true;
  return false;
}

function isPresentation(table: HtmlElement): boolean {
  return /^(?:presentation|none)$/.test(attribute(table, "role") ?? "");
}

function isLayout(table: HtmlElement, rows: readonly Row[]): boolean {
  if (isPresentation(table)) return true;
  if (rows.every(({ cells }) => cells.length <= 1)) return true;
  const cells = rows.flatMap((row) => row.cells);
  const hasHeads = cells.some(({ tagName }) => tagName === "th");
  if (rows.length === 1 && !hasHeads) return true;
  const holds = new Set<string>();
  for (const cell of cells) for (const { tagName } of elementsBelow(cell)) holds.add(tagName);
  if (hasHeads) return holds.has("table") && holds.has("h1");
  if (["table", "h1", "h2", "h3", "form"].some((name) => holds.has(name))) return true;
  return cells.some((cell) => textIn(cell).length > CELL_CHARACTERS_MAX);
}

/** Cells with words alone become one line, as their row was one. */
function layoutRow({ cells }: Row, place: Place, writer: Writer): Block[] {
  const parts = cells.map((cell) => writer.blocks(childrenOf(cell), place)).filter((blocks) => blocks.length > 0);
  const isLine = parts.every(([first, ...others]) => first?.kind === "paragraph" && others.length === 0);
  if (!isLine) return parts.flat();
  const text = parts
    .flat()
    .map((block) => block.text)
    .join(" ");
  return text === "" ? [] : [{ kind: "paragraph", text }];
}

function cellText(cell: HtmlElement, place: Place, writer: Writer): string {
  const blocks = writer.blocks(childrenOf(cell), { ...place, depth: place.depth + 1 });
  const lines = blocks.flatMap(({ kind, text }) => {
    if (kind === "code") return text.split("\n").slice(1, -1).map(codeLine);
    if (kind === "heading") return [text.replace(/^#+ /, "")];
    if (kind === "table")
      return text
        .split("\n")
        .filter((line) => !/^\|(?: --- \|)+$/.test(line))
        .map(plainRow);
    return text.split("\n");
  });
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  return filled.join("<br>").replace(/(\\?)\|/g, "\\|");
}

function codeLine(line: string): string {
  const code = line.trim();
  if (code === "") return "";
  return code.includes("`") ? `\`\` ${code} \`\`` : `\`${code}\``;
}

function plainRow(line: string): string {
  return line
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(" ");
}

interface Grid {
  readonly rows: string[][];
  /** Header rows at the top. */
  readonly heads: number;
}

/** Returns each row with all of its columns. A cell that spans rows is repeated in each of them, so that a row is understood alone. */
function gridOf(rows: readonly Row[], textOf: (cell: HtmlElement) => string): Grid {
  const grid: string[][] = [];
  const firstBody = rows.findIndex(({ isHead }) => !isHead);
  const heads = firstBody < 0 ? Math.min(1, rows.length) : firstBody;
  /** By column: text that continues from the rows above, and in how many rows. */
  const open: { text: string; rows: number }[] = [];
  for (const [at, { cells }] of rows.entries()) {
    const row: string[] = [];
    const takeOpen = (): void => {
      for (let above = open[row.length]; above !== undefined && above.rows > 0; above = open[row.length]) {
        above.rows--;
        row.push(above.text);
      }
    };
    for (const cell of cells) {
      takeOpen();
      const text = textOf(cell);
      const columns = spanOf(cell, "colspan", COLUMNS_MAX - row.length);
      const below = spanOf(cell, "rowspan", rows.length - at) - 1;
      for (let column = 0; column < columns; column++) {
        const said = column === 0 || at < heads ? text : "";
        open[row.length] = { text: said.length > REPEATED_CHARACTERS_MAX ? "" : said, rows: below };
        row.push(said);
      }
      if (row.length >= COLUMNS_MAX) break;
    }
    takeOpen();
    grid.push(row);
  }
  return { rows: grid, heads };
}

function spanOf(cell: HtmlElement, name: "colspan" | "rowspan", max: number): number {
  const written = attribute(cell, name)?.trim() ?? "1";
  // A row span of 0 reaches to the end of the table.
  const span = /^\d{1,6}$/.test(written) ? Number(written) : 1;
  return Math.max(1, Math.min(span === 0 && name === "rowspan" ? max : span, max));
}

/** Removes empty rows and columns. */
function withoutEmpty({ rows, heads }: Grid): Grid {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const filled = Array.from({ length: width }, () => false);
  for (const row of rows) for (const [column, text] of row.entries()) filled[column] ||= text !== "";
  const kept = rows.map((row) => filled.flatMap((isFilled, column) => (isFilled ? [row[column] ?? ""] : [])));
  const isSaying = kept.map((row) => row.some((text) => text !== ""));
  return {
    rows: kept.filter((_, at) => isSaying[at]),
    heads: isSaying.slice(0, heads).filter(Boolean).length,
  };
}

/** Returns the rows with one header: several header rows are joined. Without any, a first row that alone is all bold is the header, else an empty one. */
function withHeader({ rows, heads }: Grid): string[][] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  if (heads === 0) {
    const isNames = isBold(first) && first.every((text) => text !== "") && !others.some(isBold);
    return isNames ? rows : [first.map(() => ""), ...rows];
  }
  const header = first.map((_, column) => {
    const names = rows.slice(0, heads).map((row) => row[column] ?? "");
    return [...new Set(names)].filter((name) => name !== "").join(" ");
  });
  return [header, ...rows.slice(heads)];
}

function isBold(row: readonly string[]): boolean {
  return row.every((text) => text === "" || (text.length > 4 && text.startsWith("**") && text.endsWith("**")));
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
