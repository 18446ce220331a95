import type { Segment } from "./segments.ts";

const LEADERS = /(?:[.·…‥] ?){4,}/g;
/** A dot is about half as wide as a letter. */
const DOT_WIDTH = 0.5;

/** Splits `Coffee ...... 2.80` into two segments: the text before the leaders and the text after them. */
export function withoutLeaders(segment: Segment): Segment[] {
  if (segment.isMono || segment.table !== undefined) return [segment];
  for (const { 0: leaders, index } of segment.text.matchAll(LEADERS)) {
    const before = segment.text.slice(0, index).trimEnd();
    const behind = segment.text.slice(index + leaders.length).trimStart();
    if (!/[\p{L}\p{N}]/u.test(before) || !/[\p{L}\p{N}]/u.test(behind)) continue;
    const width = (segment.x1 - segment.x0) / (before.length + DOT_WIDTH * leaders.length + behind.length);
    const own = width * behind.length;
    // the leaders' width is part of the text after them, so that short and long prices stand in one column
    const x0 = segment.x1 - own - 0.5 * DOT_WIDTH * leaders.length * width;
    return [
      { ...segment, text: before, x1: segment.x0 + width * before.length },
      { ...segment, text: behind, x0, firstWordWidth: own },
    ];
  }
  return [segment];
}
