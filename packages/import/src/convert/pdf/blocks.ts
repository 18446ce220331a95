import type { Block, Typography } from "./block.ts";
import { headingLength } from "./headings.ts";
import { type Line, median } from "./lines.ts";
import { listMarker } from "./list-markers.ts";
import { arePairs } from "./pair-lines.ts";
import type { LevelRule } from "./running.ts";
import { listedRows } from "./table-lists.ts";
import { tableAt } from "./tables.ts";
import type { Words } from "./words.ts";

/** Maximum lines of a paragraph: a longer one would be longer than a page. */
const LINES_MAX = 500;

/** Divides the lines of one column into paragraphs, headings, items, tables and code. */
export function blocksOf(
  lines: readonly Line[],
  {
    typography,
    ...page
  }: { readonly typography: Typography; readonly rules: readonly LevelRule[]; readonly words: Words },
): Block[] {
  const column = new Column(lines, page);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const ruled = lines[at]?.table;
    if (ruled !== undefined) {
      blocks.push({ kind: "table", ...ruled });
      at += 1;
      continue;
    }
    const code = typography.isBodyMono ? 0 : codeLength(column, at);
    if (code > 0) {
      blocks.push({ kind: "code", lines: lines.slice(at, at + code) });
      at += code;
      continue;
    }
    const table = isLarge(lines[at], typography) ? undefined : tableAt(column, at);
    if (table !== undefined) {
      const { rows, hasHeader, spans } = table;
      const items = hasHeader ? undefined : listedRows(rows);
      blocks.push(items === undefined ? { kind: "table", rows, hasHeader, spans } : { kind: "list", items });
      at += table.lines;
      continue;
    }
    const heading = headingLength(column, at, typography);
    if (heading > 0) {
      blocks.push({ kind: "heading", lines: lines.slice(at, at + heading) });
      at += heading;
      continue;
    }
    const length = paragraphLength(column, at, typography);
    blocks.push(...paragraph(lines.slice(at, at + length)));
    at += length;
  }
  return withDepths(blocks);
}

/** True for a line in large letters. Headings may stand in columns, and are no table. */
function isLarge(line: Line | undefined, { bodySize }: Typography): boolean {
  return line !== undefined && line.size > 1.13 * bodySize;
}

/** The lines of one column, with their usual measures. */
class Column {
  readonly lines: readonly Line[];
  readonly rules: readonly LevelRule[];
  readonly words: Words;
  readonly x0: number;
  readonly x1: number;
  /** The usual distance of two baselines. */
  readonly leading: number;

  constructor(
    lines: readonly Line[],
    { rules, words }: { readonly rules: readonly LevelRule[]; readonly words: Words },
  ) {
    this.lines = lines;
    this.rules = rules;
    this.words = words;
    const text = lines.filter(({ table }) => table === undefined);
    this.x0 = text.reduce((least, line) => Math.min(least, line.x0), Number.POSITIVE_INFINITY);
    this.x1 = text.reduce((most, line) => Math.max(most, line.x1), 0);
    this.leading = usualLeading(text);
  }

  /** Distance to the line before; infinite at the beginning. */
  gapAbove(at: number): number {
    const line = this.lines[at];
    const before = this.lines[at - 1];
    return line === undefined || before === undefined ? Number.POSITIVE_INFINITY : line.y - before.y;
  }

  /** Distance to the next line; infinite at the end. */
  gapBelow(at: number): number {
    return this.gapAbove(at + 1);
  }
}

function usualLeading(lines: readonly Line[]): number {
  const gaps: number[] = [];
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before === undefined || Math.abs(before.size - line.size) > 0.1 * line.size) continue;
    const gap = line.y - before.y;
    if (gap > 0.8 * line.size && gap < 2.2 * line.size) gaps.push(gap);
  }
  return gaps.length > 0 ? median(gaps) : 1.25 * (lines[0]?.size ?? 10);
}

/** Returns the number of monospaced lines from here. */
function codeLength({ lines, leading }: Column, at: number): number {
  let stop = at;
  for (let line = lines[stop]; line?.isMono; line = lines[++stop]) {
    const before = lines[stop - 1];
    if (stop > at && before !== undefined && line.y - before.y > 3 * leading) break;
  }
  const own = lines.slice(at, stop);
  return own.some(({ text }) => /\p{L}|\d/u.test(text)) ? stop - at : 0;
}

/** Returns the number of lines from here that are one paragraph, or one list item. */
function paragraphLength(column: Column, at: number, typography: Typography): number {
  const { lines } = column;
  const first = lines[at];
  if (first === undefined) return 0;
  const leading = paragraphLeading(column, at);
  let stop = at + 1;
  for (; stop < Math.min(lines.length, at + LINES_MAX); stop++) {
    const line = lines[stop];
    const before = lines[stop - 1];
    if (line === undefined || before === undefined || line.table !== undefined) break;
    if (line.y - before.y > 1.32 * leading || line.y <= before.y) break;
    if (Math.abs(line.size - before.size) > 0.12 * before.size) break;
    if (line.isMono && !typography.isBodyMono) break;
    if (listMarker(line, lines[stop + 1]) !== undefined || arePairs(before, line)) break;
    if (!goesOnLarge(column, stop, typography) && headingLength(column, stop, typography) > 0) break;
    if (isTableStart(column, stop)) break;
    if (beginsAnew({ column, at, stop, line, before })) break;
  }
  return stop - at;
}

/** True if a paragraph in large letters continues: its last lines are no heading. */
function goesOnLarge({ lines, leading }: Column, at: number, typography: Typography): boolean {
  const line = lines[at];
  const before = lines[at - 1];
  if (line === undefined || before === undefined || !isLarge(line, typography)) return false;
  return line.size === before.size && line.isBold === before.isBold && line.y - before.y <= 1.32 * leading;
}

function isTableStart(column: Column, at: number): boolean {
  return (column.lines[at]?.segments.length ?? 0) > 1 && tableAt(column, at) !== undefined;
}

/** Returns the distance to the next line if it is a usual one, so that a loosely set paragraph is kept together. */
function paragraphLeading({ lines, leading }: Column, at: number): number {
  const first = lines[at];
  const second = lines[at + 1];
  if (first === undefined || second === undefined) return leading;
  const own = (1.3 * leading * first.size) / Math.max(1, median([first.size, second.size]));
  const gap = second.y - first.y;
  return gap > 0 && gap < Math.min(own, 1.9 * first.size) ? Math.max(gap, 0.8 * leading) : leading;
}

/** True if a new paragraph begins with this line, by its indent or by the space left on the line before. */
function beginsAnew(where: {
  readonly column: Column;
  readonly at: number;
  readonly stop: number;
  readonly line: Line;
  readonly before: Line;
}): boolean {
  const { column, at, stop, line, before } = where;
  const size = line.size;
  const first = column.lines[at] ?? before;
  const body = stop - at >= 2 ? (column.lines[at + 1] ?? before) : undefined;
  const isHanging = listMarker(first, column.lines[at + 1]) !== undefined;
  const next = column.lines[stop + 1];
  if (isHanging) return line.x0 <= first.x0 + 0.3 * size && roomLeft(column, before, line);
  // an indented line below lines that begin further left
  if (line.x0 - before.x0 > 0.7 * size && line.x0 - before.x0 < 5 * size) {
    const isFirstOfMany = body !== undefined || (next !== undefined && next.x0 < line.x0 - 0.5 * size);
    if (isFirstOfMany && !isCentered(column, line)) return true;
  }
  // a line further left than a paragraph whose lines hang
  if (body !== undefined && body.x0 - line.x0 > 0.7 * size && first.x0 < body.x0 - 0.5 * size) return true;
  return roomLeft(column, before, line);
}

function isCentered({ x0, x1 }: Column, line: Line): boolean {
  return Math.abs(line.x0 - x0 - (x1 - line.x1)) < line.size && line.x0 - x0 > 2 * line.size;
}

/** True if the next line's first word would have fitted on the line before, so that line ended a paragraph. */
function roomLeft(column: Column, before: Line, line: Line): boolean {
  const word = line.segments[0]?.firstWordWidth ?? 0;
  const room = column.x1 - before.x1;
  if (isCentered(column, before) && isCentered(column, line)) return false;
  if (/[-\u00ad,]$/.test(before.text)) return false;
  const isEnd = /[.!?:;…。！？”"»)]$/.test(before.text);
  return room > word + (isEnd ? 1.2 : 4) * line.size && room > (isEnd ? 0.05 : 0.25) * (column.x1 - column.x0);
}

function paragraph(lines: readonly Line[]): Block[] {
  const first = lines[0];
  if (first === undefined) return [];
  const marker = listMarker(first, lines[1]);
  if (marker === undefined) return [{ kind: "paragraph", lines }];
  return [{ kind: "item", marker, depth: 0, lines }];
}

/** Nests items that are indented more than the one before. */
function withDepths(blocks: readonly Block[]): Block[] {
  let edges: number[] = [];
  return blocks.map((block) => {
    if (block.kind !== "item") {
      if (block.kind === "heading" || block.kind === "table") edges = [];
      return block;
    }
    const x0 = block.lines[0]?.x0 ?? 0;
    const size = block.lines[0]?.size ?? 10;
    edges = edges.filter((edge) => edge < x0 - 0.6 * size);
    const depth = Math.min(edges.length, 5);
    edges.push(x0);
    return { ...block, depth };
  });
}
