import type { Typography } from "./block.ts";
import type { Line } from "./lines.ts";
import { withoutSigns } from "./links.ts";

const HEADING_LINES_MAX = 4;
const HEADING_CHARACTERS_MAX = 250;
const BOLD_HEADING_CHARACTERS_MAX = 120;
const LARGE = 1.13;
const NUMBERED =
  /^(?:(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,5}\.?|[IVX]{1,5}\.|(?:chapter|appendix|part|section|kapitel|chapitre)\s+[\dA-Z]{1,5}[.:]?)\s+\S/i;

/** The column's data for the search for headings. */
interface ColumnLines {
  readonly lines: readonly Line[];
  readonly leading: number;
  gapAbove(at: number): number;
  gapBelow(at: number): number;
}

/** Returns the number of lines of the heading that begins here; 0 if none does. */
export function headingLength(column: ColumnLines, at: number, typography: Typography): number {
  const first = column.lines[at];
  if (first === undefined || !/\p{L}|\d/u.test(first.text)) return 0;
  const told = toldLength(column, at, typography);
  if (told > 0) return told;
  const isLarge = first.size >= LARGE * typography.bodySize;
  if (!isLarge && !mayBeBoldHeading(column, at, typography)) return 0;
  let stop = at + 1;
  for (; stop < column.lines.length && stop - at < HEADING_LINES_MAX; stop++) {
    const line = column.lines[stop];
    if (line === undefined || !isSameStyle(first, line)) break;
    if (column.gapAbove(stop) > 1.6 * Math.max(first.size, line.size)) break;
    if (!isLarge && NUMBERED.test(line.text.slice(0, 60))) break;
  }
  const goesOn = isSameStyle(first, column.lines[stop] ?? null) && column.gapAbove(stop) < 1.6 * first.size;
  const text = column.lines
    .slice(at, stop)
    .map((line) => line.text)
    .join(" ");
  if (goesOn || text.length > (isLarge ? HEADING_CHARACTERS_MAX : BOLD_HEADING_CHARACTERS_MAX)) return 0;
  if (isLarge && (!/\p{L}/u.test(text) || isSentence(text))) return 0;
  if (!isLarge && /[,;]$/.test(text)) return 0;
  return stop - at;
}

/** Returns the number of lines here that equal a bookmark and stand apart from their surroundings. */
function toldLength(column: ColumnLines, at: number, { outline }: Typography): number {
  const { lines, leading } = column;
  let text = "";
  for (let stop = at + 1; stop <= at + HEADING_LINES_MAX && stop <= lines.length; stop++) {
    const line = lines[stop - 1];
    const first = lines[at];
    if (line === undefined || first === undefined || !isSameStyle(first, line)) return 0;
    text = `${text} ${line.text}`.trim();
    if (outline.levelOf(withoutSigns(text)) === undefined) continue;
    const isApart = column.gapAbove(at) > 1.2 * leading && column.gapBelow(stop - 1) > 1.1 * leading;
    return isApart || !isSameStyle(line, lines[stop] ?? null) ? stop - at : 0;
  }
  return 0;
}

/** True for running text. In slightly larger letters, as in an abstract, it is still no heading. */
function isSentence(text: string): boolean {
  return text.length > 80 && /[.!?]$/.test(text);
}

function isSameStyle(a: Line, b: Line | null): boolean {
  return b !== null && b.table === undefined && Math.abs(a.size - b.size) <= 0.05 * a.size && a.isBold === b.isBold;
}

/** True for a bold line of about the body's size that stands alone. */
function mayBeBoldHeading(column: ColumnLines, at: number, typography: Typography): boolean {
  const line = column.lines[at];
  if (line === undefined || !line.isBold || typography.isBodyBold || line.isMono) return false;
  if (line.size < 0.85 * typography.bodySize || !/\p{L}{2}/u.test(line.text)) return false;
  const isNumbered = NUMBERED.test(line.text.slice(0, 60));
  const hasRoom = column.gapAbove(at) > 1.2 * column.leading;
  if (/[.,;]$/.test(line.text) && !isNumbered) return false;
  return isNumbered || hasRoom;
}

/** The style of a heading. Headings of the same style have the same rank. */
export function headingStyle(line: Line): string {
  return `${(Math.round(line.size * 2) / 2).toFixed(1)} ${line.isBold ? "bold" : "plain"}`;
}

/** A heading style: its number of headings by bookmark level. */
export type StyleLevels = ReadonlyMap<number, number>;

/** Returns the level of each heading style, from 1. Bookmarks decide; else larger styles rank above smaller ones, and bold ones above plain ones. */
export function headingLevels(styles: ReadonlyMap<string, StyleLevels>): ReadonlyMap<string, number> {
  const sorted = [...styles].sort(([a], [b]) => sizeOf(b) - sizeOf(a) || a.localeCompare(b));
  let before = 0;
  return new Map(
    sorted.map(([style, levels]) => {
      before = mostSeen(levels) ?? Math.min(6, before + 1);
      return [style, before];
    }),
  );
}

function mostSeen(levels: StyleLevels): number | undefined {
  return [...levels].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
}

function sizeOf(style: string): number {
  return Number.parseFloat(style);
}
