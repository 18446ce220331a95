import type { Line } from "./lines.ts";

/** Minimum gap, in font sizes: wider than the spaces of justified lines. */
const PAIR_GAP = 1.5;
const LABEL = /^\p{Lu}[^:]{0,40}:\s+\S/u;
const LABELLED_CHARACTERS_MAX = 90;
const FIELD = /_{3}/;

/** True if two lines are pairs of a name and its value, as in forms and invoices, and no running text. */
export function arePairs(before: Line, line: Line): boolean {
  if (/[-\u00ad]$/.test(before.text)) return false;
  if (hasGap(before) || hasGap(line)) return true;
  if (FIELD.test(before.text) || FIELD.test(line.text)) return true;
  return isLabelled(before) && isLabelled(line) && isBelow(before, line);
}

function hasGap({ segments, size }: Line): boolean {
  return segments.some((segment, i) => i > 0 && segment.x0 - (segments[i - 1]?.x1 ?? segment.x0) > PAIR_GAP * size);
}

function isLabelled({ text }: Line): boolean {
  return text.length <= LABELLED_CHARACTERS_MAX && LABEL.test(text.slice(0, LABELLED_CHARACTERS_MAX));
}

function isBelow(before: Line, { x0, x1, size }: Line): boolean {
  return Math.abs(x0 - before.x0) < 0.5 * size || Math.abs(x1 - before.x1) < 0.5 * size;
}
