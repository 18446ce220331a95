import { blocksOf } from "../markdown/blocks.ts";
import { Lines } from "../markdown/lines.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { fragmentAt, fragmentsOfPassage, type IndexedDocument } from "./indexed-document.ts";

/** Maximum number of passages before this one that are searched for headings. */
const PASSAGES_BACK_MAX = 64;
/** UTF-16 units before a passage that are read for headings: as many as a heading is indexed with. */
const BETWEEN_MAX = 500;

/** Operations of a search that take as long as parsing one UTF-16 unit. */
const UNIT_OPERATIONS = 16;

const MAY_BE_HEADING = /#|^[ \t]*[=-]/m;
/** One level below the deepest heading. */
const LEVEL_OF_TEXT = 7;

/**
 * The headings above a passage as they stand in the markdown, the nearest first. Headings are no fragments: they are parsed from the text between
 * the passages before it. Headings more than {@link PASSAGES_BACK_MAX} passages before are not found.
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
