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
 * Reads headings and plain paragraphs without a parser, which are most of most texts. The lines of a plain paragraph begin no other block.
 * Behind a blank line, no rule of markdown can make anything else of them, so the first characters of a line tell its kind.
 */

/** Blocks that were read without the parser, and the line behind them. */
export interface PlainBlocks {
  readonly blocks: readonly Block[];
  readonly next: number;
}

/** Reads plain blocks from `first` on, where no block is open. `next` is `first` if there are none. Reads at most `linesMax` lines. */
export function plainBlocks(lines: Lines, first: number, linesMax: number): PlainBlocks {
  const blocks: Block[] = [];
  const last = Math.min(lines.count, first + linesMax - 1);
  let next = first;
  /** First line of the current paragraph. It is plain if a blank line, a heading or the end follows. */
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
 * The last line for the parser, from `first` on, where no block is open: the blank line before a plain block that closes all
 * open blocks. The last line of the text if `linesMax` lines do not show it.
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

/** Whether a heading or a plain paragraph begins at `first`. */
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
