import type MarkdownIt from "markdown-it";
import { must } from "../model/must.ts";
import { marksIn } from "./line-marks.ts";
import type { Lines } from "./lines.ts";
import { BODY_ROW } from "./table-rows.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

/** The sizes of parser windows, in UTF-16 units. A window takes a millisecond or two. */
export interface WindowSizes {
  readonly units: number;
  /** A longer block is read in several windows. */
  readonly unitsMax: number;
  /** Cost of a line besides its length: the parser tries all rules at every line, and again behind each mark. */
  readonly lineUnits: number;
  /** Of a longer line the parser gets only the two ends, which show its kind. */
  readonly lineUnitsMax: number;
  /** Lines that are checked at a time for whether they need the parser; 0 gives all lines to the parser. */
  readonly plainLines: number;
}

export const WINDOW_SIZES: WindowSizes = {
  units: 65_536,
  unitsMax: 262_144,
  lineUnits: 128,
  lineUnitsMax: 16_384,
  plainLines: 512,
};

/** Adjacent lines for one run of the parser, below the first lines of all blocks that are still open. */
export interface Window {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  /** Lines of the open blocks above it. */
  readonly above: readonly number[];
}

/** Marks of a line that cost nothing extra: quotes and lists that people write are seldom deeper. */
const MARKS_FREE = 2;
/** Marks are counted in this many first units of a line. The parser nests about fifty marks at most. */
const MARKED_UNITS_MAX = 512;

/** The next window from `first` on: at least one line, none behind `end`. */
export function windowOf(
  lines: Lines,
  first: number,
  end: number,
  above: readonly number[],
  units: number,
  sizes: WindowSizes,
): Window {
  const { lineUnits, lineUnitsMax: max } = sizes;
  let last = first;
  let room = units;
  let isLong = false;
  for (let line = first; line <= end; line++) {
    const start = lines.startOffset(line);
    const length = lines.startOffset(line + 1) - start;
    isLong ||= length > max;
    const marks = marksIn(lines.text.slice(start, start + Math.min(length, MARKED_UNITS_MAX)));
    room -= Math.min(length, max) + lineUnits * Math.max(1, marks - MARKS_FREE);
    if (room < 0 && line > first) break;
    last = line;
  }
  const own = isLong ? between(first, last).map((line) => endsOf(lines, line, max)) : [lines.slice(first, last)];
  // With a line break behind it the parser counts a blank last line too.
  return { text: [...above.map((line) => endsOf(lines, line, max)), ...own, ""].join("\n"), first, last, above };
}

/** Maps a line of the window, which the parser counts from 0, to a line of the document. */
export function lineOf({ above, first }: Window, parsed: number): number {
  return above[parsed] ?? parsed - above.length + first;
}

/** The end of a window: its tokens below `tokens` are used, and the next window begins at line `next`. */
export interface WindowEnd {
  readonly tokens: number;
  readonly next: number;
  readonly above: readonly number[];
}

/**
 * The settled tokens of a window, which no later line can change: all but its last block. The parser reads forward only, so the last block is
 * parsed again in the next window. Undefined if the window is one indivisible block.
 */
export function settledWindow(window: Window, tokens: readonly Token[]): WindowEnd | undefined {
  if (tokens.length === 0) return { tokens: 0, next: window.last + 1, above: [] };
  const last = lastOpening(tokens, 0);
  const kind = must(tokens[0], "the first token").type;
  // The rest of a list or quote has the same blocks if it is parsed as a list or quote of its own.
  const at = last > 0 || !CONTAINERS.has(kind) ? last : lastOpening(tokens, 1);
  if (at <= 0) return undefined;
  const [first] = must(tokens[at]?.map, "the lines of a token that opens a block");
  const line = lineOf(window, first);
  return line > window.first ? { tokens: at, next: line, above: [] } : undefined;
}

/**
 * Uses all tokens of a window that ends in an open block. The next window begins with the first lines of the open blocks, as if the text
 * stood together. The last line is parsed again there, and shows whether the block was closed.
 */
export function openEnd(window: Window, tokens: readonly Token[]): WindowEnd {
  const open: Token[] = [];
  let path: readonly Token[] = [];
  for (const token of tokens) {
    if (token.nesting === 1) open.push(token);
    if (token.nesting === 0) path = [...open, token];
    if (token.nesting === -1) open.pop();
  }
  const next = window.last > window.first ? window.last : window.last + 1;
  const above = new Set<number>();
  for (const { type, map } of path) {
    if (map === null || type === BODY_ROW || type === "inline") continue;
    above.add(lineOf(window, map[0]));
    if (type === "table_open") above.add(lineOf(window, map[0] + 1));
  }
  const leaf = path.at(-1);
  // A fence that was closed before the blank lines at the end must not be opened again.
  if (leaf !== undefined && CLOSED_BY_MARKS.has(leaf.type) && leaf.map !== null) {
    if (lineOf(window, leaf.map[1]) <= window.last) above.delete(lineOf(window, leaf.map[0]));
  }
  const lines = [...above].filter((line) => line < next).sort((a, b) => a - b);
  return { tokens: tokens.length, next, above: path.some(({ type }) => type === "heading_open") ? [] : lines };
}

const CLOSED_BY_MARKS: ReadonlySet<string> = new Set(["fence", "html_block"]);

const CONTAINERS: ReadonlySet<string> = new Set(["bullet_list_open", "ordered_list_open", "blockquote_open"]);

/** Index of the last token that opens a block at this depth; -1 if there is none. */
function lastOpening(tokens: readonly Token[], level: number): number {
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token !== undefined && token.level === level && token.nesting >= 0 && token.map !== null) return at;
  }
  return -1;
}

function endsOf(lines: Lines, line: number, max: number): string {
  const [start, end] = [lines.startOffset(line), lines.endOffset(line)];
  const text = lines.slice(line, line);
  return end - start <= max ? text : text.slice(0, max / 2) + text.slice(text.length - max / 2);
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
