import type { Region } from "./columns.ts";
import type { Segment } from "./segments.ts";

/** Minimum lines of running text on a page with margin notes. */
const TEXT_LINES_MIN = 6;
const TEXT_CHARACTERS_MIN = 30;
const SAME_SIZE = 0.06;
/** Minimum gap, in sizes of the text. */
const GAP_MIN = 0.5;
/** Maximum width of a note, as a share of the text's width. */
const WIDTH_MAX = 0.4;
/** Maximum share of the lines of text: more notes are a column of a table. */
const SHARE_MAX = 0.6;

/** Separates margin notes from the rest. In place, a note would be read within the line beside it. */
export function withoutMarginNotes(
  segments: readonly Segment[],
  bodySize: number,
): { readonly text: readonly Segment[]; readonly notes: readonly Region[] } {
  const lines = segments.filter(
    ({ text, size, table }) =>
      table === undefined && text.length >= TEXT_CHARACTERS_MIN && Math.abs(size - bodySize) <= SAME_SIZE * bodySize,
  );
  if (lines.length < TEXT_LINES_MIN) return { text: segments, notes: [] };
  const left = lines.reduce((least, { x0 }) => Math.min(least, x0), Number.POSITIVE_INFINITY);
  const right = lines.reduce((most, { x1 }) => Math.max(most, x1), 0);
  const room = GAP_MIN * bodySize;
  const notes = [
    segments.filter(({ x1, size }) => x1 < left - room && size < (1 - SAME_SIZE) * bodySize),
    segments.filter(({ x0 }) => x0 > right + room),
  ].filter((side) => areNotes(side, lines.length, WIDTH_MAX * (right - left)));
  const taken = new Set(notes.flat());
  return { text: segments.filter((each) => !taken.has(each)), notes };
}

function areNotes(side: readonly Segment[], lines: number, widthMax: number): boolean {
  if (side.length === 0 || side.length > SHARE_MAX * lines) return false;
  return side.every(({ x0, x1, table }) => x1 - x0 <= widthMax && table === undefined);
}
