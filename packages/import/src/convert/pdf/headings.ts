import type { Typography } from "./block.ts";
import type { Line } from "./lines.ts";

const HEADING_LINES_MAX = 4;
const HEADING_CHARACTERS_MAX = 250;
const BOLD_HEADING_CHARACTERS_MAX = 120;
const LARGE = 1.13;
const NUMBERED =
  /^(?:(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,5}\.?|[IVX]{1,5}\.|(?:chapter|appendix|part|section|kapitel|chapitre)\s+[\dA-Z]{1,5}[.:]?)\s+\S/i;

/** What the search for headings needs of a column. */
interface ColumnLines {
  readonly lines: readonly Line[];
  readonly leading: number;
  gapAbove(at: number): number;
  gapBelow(at: number): number;
}

/** How many lines from here on are a heading; 0 where none begins. */
export function headingLength(column: ColumnLines, at: number, typography: Typography): number {
  const first = column.lines[at];
  if (first === undefined || !/\p{L}|\d/u.test(first.text)) return 0;
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

/** Running text that is set a little larger, such as an abstract, is no heading. */
function isSentence(text: string): boolean {
  return text.length > 80 && /[.!?]$/.test(text);
}

function isSameStyle(a: Line, b: Line | null): boolean {
  return b !== null && b.table === undefined && Math.abs(a.size - b.size) <= 0.05 * a.size && a.isBold === b.isBold;
}

/** A bold line of the body's size, or a little less, that stands alone. */
function mayBeBoldHeading(column: ColumnLines, at: number, typography: Typography): boolean {
  const line = column.lines[at];
  if (line === undefined || !line.isBold || typography.isBodyBold || line.isMono) return false;
  if (line.size < 0.85 * typography.bodySize || !/\p{L}{2}/u.test(line.text)) return false;
  const isNumbered = NUMBERED.test(line.text.slice(0, 60));
  const hasRoom = column.gapAbove(at) > 1.2 * column.leading;
  if (/[.,;]$/.test(line.text) && !isNumbered) return false;
  return isNumbered || hasRoom;
}

/** What makes two headings of the same rank. */
export function headingStyle(line: Line): string {
  return `${(Math.round(line.size * 2) / 2).toFixed(1)} ${line.isBold ? "bold" : "plain"}`;
}

/** The level of each style of heading, from 1: larger ones stand above smaller ones, bold ones above plain ones. */
export function headingLevels(styles: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sorted = [...styles.keys()].sort((a, b) => sizeOf(b) - sizeOf(a) || a.localeCompare(b));
  return new Map(sorted.map((style, i) => [style, Math.min(6, i + 1)]));
}

function sizeOf(style: string): number {
  return Number.parseFloat(style);
}
