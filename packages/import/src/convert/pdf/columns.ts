import { linesOf, median } from "./lines.ts";
import type { Segment } from "./segments.ts";

/** Segments of one column, or of text across all columns. Regions are in reading order. */
export type Region = readonly Segment[];

const DEPTH_MAX = 4;
const CANDIDATES_MAX = 16;
const LINES_A_COLUMN_MIN = 4;
/**
 * Maximum share of segments across the gutter in reference cards. Their columns hold lists, with nothing across the gutter, and their lines have their own
 * heights.
 */
const ACROSS_FEW = 0.02;
const LINES_ALONE_MIN = 20;
const SHARED_ALONE_MAX = 0.75;

/** Orders a page's segments for reading. Text across all columns divides them into bands. */
export function regionsOf(segments: readonly Segment[], depth = 0): Region[] {
  const gutter = depth < DEPTH_MAX ? gutterOf(segments) : undefined;
  if (gutter === undefined) return segments.length > 0 ? [segments] : [];
  return bandsOf(segments, gutter).flatMap((band) =>
    band.isColumns ? [...regionsOf(band.left, depth + 1), ...regionsOf(band.right, depth + 1)] : [band.whole],
  );
}

interface Band {
  readonly isColumns: boolean;
  readonly left: Segment[];
  readonly right: Segment[];
  /** All segments, from the top. */
  readonly whole: Segment[];
}

type Side = "left" | "right" | "across";

/** `gutter` is the left edge of the right column. */
function sideOf(segment: Segment, gutter: number): Side {
  if (segment.x0 >= gutter - 1.5) return "right";
  return segment.x1 <= gutter - 0.35 * segment.size ? "left" : "across";
}

function bandsOf(segments: readonly Segment[], gutter: number): Band[] {
  const bands: Band[] = [];
  let columns: { left: Segment[]; right: Segment[]; whole: Segment[] } = { left: [], right: [], whole: [] };
  const flush = (): void => {
    const { left, right, whole } = columns;
    if (whole.length === 0) return;
    const isColumns = left.length > 0 && right.length > 0 && left.length + right.length >= LINES_A_COLUMN_MIN;
    add({ isColumns, left, right, whole });
    columns = { left: [], right: [], whole: [] };
  };
  const add = (band: Band): void => {
    const last = bands.at(-1);
    if (last !== undefined && !last.isColumns && !band.isColumns) last.whole.push(...band.whole);
    else bands.push(band);
  };
  for (const segment of [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const side = sideOf(segment, gutter);
    if (side === "across") {
      flush();
      add({ isColumns: false, left: [], right: [], whole: [segment] });
    } else {
      columns[side].push(segment);
      columns.whole.push(segment);
    }
  }
  flush();
  return bands;
}

/** Returns the left edge of a column with another one left of it; undefined if the text has one column, or is a table. */
function gutterOf(segments: readonly Segment[]): number | undefined {
  if (segments.length < 2 * LINES_A_COLUMN_MIN) return undefined;
  let best: number | undefined;
  let most = 0;
  for (const gutter of leftEdges(segments)) {
    const bands = bandsOf(segments, gutter).filter(({ isColumns }) => isColumns);
    const left = bands.flatMap((band) => band.left);
    const right = bands.flatMap((band) => band.right);
    const across = segments.length - left.length - right.length;
    const worth = areColumns(left, right, across) ? left.length + right.length : 0;
    if (worth > most) {
      most = worth;
      best = gutter;
    }
  }
  return best;
}

/** Returns edges at which many segments begin, the most frequent first, without the leftmost. */
function leftEdges(segments: readonly Segment[]): number[] {
  const least = segments.reduce((edge, { x0 }) => Math.min(edge, x0), Number.POSITIVE_INFINITY);
  const counts = new Map<number, { count: number; edge: number }>();
  for (const { x0, size } of segments) {
    if (x0 < least + 8 * size) continue;
    const key = Math.round(x0 / 2);
    const entry = counts.get(key) ?? { count: 0, edge: x0 };
    counts.set(key, { count: entry.count + 1, edge: Math.min(entry.edge, x0) });
  }
  return [...counts.values()]
    .filter(({ count }) => count >= LINES_A_COLUMN_MIN - 1)
    .sort((a, b) => b.count - a.count || a.edge - b.edge)
    .slice(0, CANDIDATES_MAX)
    .map(({ edge }) => edge);
}

/** True for columns. They are full of words from edge to edge, while cells are short and stand side by side. */
function areColumns(left: readonly Segment[], right: readonly Segment[], across: number): boolean {
  const a = sideShape(left);
  const b = sideShape(right);
  if (Math.min(a.lines, b.lines) < LINES_A_COLUMN_MIN) return false;
  const shared = alignedShare(left, right);
  if (across <= ACROSS_FEW * (left.length + right.length) && Math.min(a.lines, b.lines) >= LINES_ALONE_MIN) {
    const isText = Math.min(a.characters, b.characters) >= 14 && Math.max(a.figures, b.figures) <= 0.3;
    if (isText && shared < SHARED_ALONE_MAX) return true;
  }
  if (Math.min(a.fill, b.fill) < (across > a.lines + b.lines ? 0.75 : 0.5)) return false;
  if (Math.min(a.characters, b.characters) < 14 || Math.max(a.figures, b.figures) > 0.3) return false;
  const evenness = Math.min(a.lines, b.lines) / Math.max(a.lines, b.lines);
  return evenness >= 0.45 ? shared < 0.9 || Math.min(a.fill, b.fill) > 0.7 : shared < 0.4;
}

interface SideShape {
  readonly lines: number;
  /** Share of the side's width that the median line takes. */
  readonly fill: number;
  readonly characters: number;
  /** Share of digits. */
  readonly figures: number;
}

function sideShape(segments: readonly Segment[]): SideShape {
  const lines = linesOf(segments);
  const x0 = lines.reduce((least, line) => Math.min(least, line.x0), Number.POSITIVE_INFINITY);
  const x1 = lines.reduce((most, line) => Math.max(most, line.x1), 0);
  const text = segments.map((segment) => segment.text).join("");
  return {
    lines: lines.length,
    fill: median(lines.map((line) => (line.x1 - line.x0) / Math.max(1, x1 - x0))),
    characters: median(lines.map((line) => line.text.length)),
    figures: (text.match(/\d/g)?.length ?? 0) / Math.max(1, text.length),
  };
}

/** Share of lines with another line beside them, on the side with fewer lines. */
function alignedShare(left: readonly Segment[], right: readonly Segment[]): number {
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  const heights = new Set(many.flatMap(({ y }) => [Math.round(y) - 1, Math.round(y), Math.round(y) + 1]));
  return few.filter(({ y }) => heights.has(Math.round(y))).length / Math.max(1, few.length);
}
