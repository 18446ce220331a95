import type { MarkdownIt, StateBlock } from "markdown-it";
import { must } from "../model/must.ts";

/** Token types of a table's rows, which follow a `table_open` token and have their lines. */
export const HEADER_ROW = "table_header_row";
export const BODY_ROW = "table_row";

/**
 * Replaces the parser's rule for tables by one that finds the same tables, but makes tokens of rows only. The parser's own rule makes tokens of every
 * cell, also of cells that a short row lacks. In a text of 2,300 characters these were 65,536 tokens, as much work as a megabyte.
 */
export function readTableRows(parser: MarkdownIt): void {
  parser.block.ruler.at("table", tableRule, { alt: ["paragraph", "reference"] });
}

/** @param isAsking only tests whether a table begins here, since it would end a paragraph */
function tableRule(state: StateBlock, first: number, end: number, isAsking: boolean): boolean {
  if (!beginsTable(state, first, end)) return false;
  if (isAsking) return true;
  const { parentType } = state;
  state.parentType = "table";
  const table = state.push("table_open", "table", 1);
  pushRow(state, HEADER_ROW, first);
  let next = first + 2;
  for (; next < end && !endsTable(state, next, end); next++) pushRow(state, BODY_ROW, next);
  state.push("table_close", "table", -1);
  table.map = [first, next];
  state.parentType = parentType;
  state.line = next;
  return true;
}

function pushRow(state: StateBlock, type: string, line: number): void {
  state.push(type, "tr", 0).map = [line, line + 1];
}

/** Whether a table begins: a header row, and below it a row of dashes with as many cells. A line that is too deep is code. */
function beginsTable(state: StateBlock, first: number, end: number): boolean {
  const dashes = first + 1;
  if (dashes >= end || depthOf(state, dashes) < 0 || depthOf(state, dashes) >= CODE_DEPTH) return false;
  const count = dashCellsIn(textOf(state, dashes));
  return count > 0 && depthOf(state, first) < CODE_DEPTH && headerCellsIn(textOf(state, first)) === count;
}

/** Whether a line below the dashes is no row: it belongs to a block around the table, is blank, or begins another block. */
function endsTable(state: StateBlock, line: number, end: number): boolean {
  if (depthOf(state, line) < 0) return true;
  // Blocks that may interrupt a quote may interrupt a table.
  if (state.md.block.ruler.getRules("blockquote").some((begins) => begins(state, line, end, true))) return true;
  return textOf(state, line).trim() === "" || depthOf(state, line) >= CODE_DEPTH;
}

/** The least indentation of a line of code, in columns, within the block around it. */
const CODE_DEPTH = 4;

const LINE = "a line of the parser";

/** Indentation of a line in columns, within the current list item or quote. */
function depthOf(state: StateBlock, line: number): number {
  return must(state.sCount[line], LINE) - state.blkIndent;
}

/** The text of a line from its first character that is no white space. */
function textOf(state: StateBlock, line: number): string {
  return state.src.slice(
    must(state.bMarks[line], LINE) + must(state.tShift[line], LINE),
    must(state.eMarks[line], LINE),
  );
}

// A dash with a space behind it is a list item.
const DASH_ROW = /^(?!-[ \t])[-:|][-:| \t]+$/;
const DASH_CELL = /^:?-+:?$/;

/** The number of cells in a row of dashes; 0 for another line. */
function dashCellsIn(text: string): number {
  if (!DASH_ROW.test(text)) return 0;
  const cells = text.split("|").map((cell) => cell.trim());
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells.every((cell) => DASH_CELL.test(cell)) ? cells.length : 0;
}

/** The number of cells in a header, between bars without a backslash before them; 0 without any bar. */
function headerCellsIn(line: string): number {
  const text = line.trim();
  if (!text.includes("|")) return 0;
  let cells = 1;
  for (let bar = text.indexOf("|"); bar >= 0; bar = text.indexOf("|", bar + 1)) {
    if (text[bar - 1] !== "\\") cells++;
  }
  if (text.startsWith("|")) cells--;
  if (text.endsWith("|") && !text.endsWith("\\|")) cells--;
  return cells;
}
