import { blocksOf } from "../markdown/blocks.ts";
import { Lines } from "../markdown/lines.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { fragmentAt, fragmentsOfPassage, type IndexedDocument } from "./indexed-document.ts";

/** Passages that are gone back for headings. */
const PASSAGES_BACK_MAX = 64;
/** UTF-16 units before a passage that are read for headings: as many as a heading has terms of. */
const BETWEEN_MAX = 500;

/** Operations of a search in the time in which a UTF-16 unit is parsed. */
const UNIT_OPERATIONS = 16;

const MAY_BE_HEADING = /#|^[ \t]*[=-]/m;
/** One below the deepest. */
const LEVEL_OF_TEXT = 7;

/**
 * The headings above a passage, the nearest first, as they stand in the markdown. Headings are no pieces: they are read from between the passages before it. Those more than
 * {@link PASSAGES_BACK_MAX} passages before are not found.
 */
export function* headingsAbove(document: IndexedDocument, passage: number, meter: OperationMeter): Sliced<string[]> {
  const headings: string[] = [];
  let level = LEVEL_OF_TEXT;
  for (let at = passage; at >= Math.max(0, passage - PASSAGES_BACK_MAX) && level > 1; at--) {
    const [first] = fragmentsOfPassage(document, at);
    const end = fragmentAt(document, first).startOffset;
    const start = Math.max(first === 0 ? 0 : fragmentAt(document, first - 1).endOffset, end - BETWEEN_MAX);
    const between = document.markdown.slice(start, end);
    if (meter.shouldYield(between.length * UNIT_OPERATIONS)) yield;
    if (!MAY_BE_HEADING.test(between)) continue;
    const lines = Lines.of(between);
    for (const { headingLevel, startLine, stopLine } of blocksOf(lines).reverse()) {
      if (headingLevel === 0 || headingLevel >= level) continue;
      level = headingLevel;
      headings.push(lines.slice(startLine, stopLine));
    }
  }
  return headings;
}
