import type { Block } from "./block.ts";
import {
  BLANK,
  closesOpenFence,
  FENCE,
  fenceOf,
  HEADING,
  headingLevel,
  type LineKind,
  lineKind,
  OPENING,
  type OpenFence,
  TAG,
  TEXT,
} from "./line-kinds.ts";
import type { Lines } from "./lines.ts";

/**
 * Most of most texts needs no parser: headings, and paragraphs whose lines all begin with what begins nothing else. No rule of markdown makes anything else of
 * them behind a blank line, so that each line is known by its first characters.
 */

/** Blocks that need no parser, and the line behind them. */
export interface PlainBlocks {
  readonly blocks: readonly Block[];
  readonly next: number;
}

/** Those from `first` on, where nothing is open. `next` is `first` if there are none. At most so many lines are looked at. */
export function plainBlocks(lines: Lines, first: number, linesMax: number): PlainBlocks {
  const blocks: Block[] = [];
  const last = Math.min(lines.count, first + linesMax - 1);
  let next = first;
  /** The first line of the paragraph that is being read. It is one if a blank line, a heading or the end follows. */
  let start = 0;
  for (let line = first; line <= last; line++) {
    const kind = kindOf(lines, line);
    if (kind === TEXT) {
      if (start === 0) start = line;
      continue;
    }
    if (kind !== BLANK && kind !== HEADING) return { blocks, next };
    if (start > 0) blocks.push(plainBlock("paragraph", start, line - 1));
    start = 0;
    if (kind === HEADING) blocks.push(plainBlock("heading", line, line, levelOf(lines, line)));
    next = line + 1;
  }
  if (start === 0 || last < lines.count) return { blocks, next };
  blocks.push(plainBlock("paragraph", start, last));
  return { blocks, next: last + 1 };
}

/**
 * The line up to which the parser reads what begins at `first`, where nothing is open: the last blank one before a block that needs no parser and closes whatever
 * is open by then. The last line of the text where that is not told by so many lines.
 */
export function lastForParser(lines: Lines, first: number, linesMax: number): number {
  const last = Math.min(lines.count, first + linesMax - 1);
  let isBlankBefore = false;
  let isInTag = false;
  let fence: OpenFence | undefined;
  for (let line = first; line <= last; line++) {
    const [start, end] = [lines.startOffset(line), lines.startOffset(line + 1)];
    if (fence !== undefined) {
      if (closesOpenFence(fence, lines.text, start, end)) fence = undefined;
      continue;
    }
    const kind = lineKind(lines.text, start, end);
    if (kind === OPENING || (kind === FENCE && isInTag)) return lines.count;
    if (isBlankBefore && isPlainFrom(lines, line, last)) return line - 1;
    isBlankBefore = kind === BLANK;
    isInTag = kind === TAG || (isInTag && !isBlankBefore);
    if (kind === FENCE) fence = fenceOf(lines.text, start, end);
  }
  return lines.count;
}

/** Whether a heading begins there, or a paragraph that needs no parser. */
function isPlainFrom(lines: Lines, first: number, last: number): boolean {
  for (let line = first; line <= last; line++) {
    const kind = kindOf(lines, line);
    if (kind === TEXT) continue;
    return kind === HEADING || (kind === BLANK && line > first);
  }
  return last === lines.count;
}

function kindOf(lines: Lines, line: number): LineKind {
  return lineKind(lines.text, lines.startOffset(line), lines.startOffset(line + 1));
}

function levelOf(lines: Lines, line: number): number {
  return headingLevel(lines.text, lines.startOffset(line), lines.startOffset(line + 1));
}

function plainBlock(kind: "paragraph" | "heading", startLine: number, stopLine: number, level = 0): Block {
  return { kind, startLine, stopLine, headingLevel: level, headerLine: 0 };
}
