import type { Segment } from "./segments.ts";
import type { TableRows } from "./table.ts";

/** The segments on one baseline of a column. */
export interface Line {
  /** At least one, from the left. */
  readonly segments: readonly Segment[];
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly size: number;
  readonly isBold: boolean;
  readonly isMono: boolean;
  /** A whole table in place of a line. */
  readonly table?: TableRows | undefined;
}

/** Maximum distance of baselines that are one line, in font sizes. */
const SAME_LINE = 0.3;
/** More segments than any line of text or table has. */
const SEGMENTS_MAX = 200;

/** Groups the segments of one column to lines, from the top. */
export function linesOf(segments: readonly Segment[]): Line[] {
  const groups: Segment[][] = [];
  for (const segment of [...segments].sort((a, b) => a.y - b.y)) {
    const group = groups.at(-1);
    const first = group?.[0];
    const isLine = first?.table === undefined && segment.table === undefined;
    const isSame =
      isLine && first !== undefined && segment.y - first.y <= SAME_LINE * Math.min(first.size, segment.size);
    if (isSame && group !== undefined && group.length < SEGMENTS_MAX && !overlaps(group, segment)) group.push(segment);
    else groups.push([segment]);
  }
  return groups.map(lineOf);
}

function overlaps(group: readonly Segment[], segment: Segment): boolean {
  return group.some((other) => Math.min(other.x1, segment.x1) - Math.max(other.x0, segment.x0) > 0.5 * segment.size);
}

function lineOf(group: readonly Segment[]): Line {
  const segments = [...group].sort((a, b) => a.x0 - b.x0);
  const main = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  return {
    segments,
    text: segments.map(({ text }) => text).join(" "),
    x0: segments[0]?.x0 ?? 0,
    x1: segments.reduce((most, { x1 }) => Math.max(most, x1), 0),
    y: main.y,
    size: main.size,
    isBold: segments.every(({ isBold }) => isBold),
    isMono: segments.every(({ isMono }) => isMono),
    table: main.table,
  };
}

/** The median of some numbers; 0 if there are none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
