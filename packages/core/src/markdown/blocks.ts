import MarkdownIt from "markdown-it";
import type { Block, BlockKind } from "./block.ts";
import type { Lines } from "./lines.ts";
import { lastForParser, type PlainBlocks, plainBlocks } from "./plain-lines.ts";
import { BODY_ROW, HEADER_ROW, readTableRows } from "./table-rows.ts";
import {
  lineOf,
  openEnd,
  settledWindow,
  WINDOW_SIZES,
  type Window,
  type WindowEnd,
  type WindowSizes,
  windowOf,
} from "./windows.ts";

// Only block rules run, since inline marks do not change lines. Link definitions stay text, so that no line is lost.
const parser = new MarkdownIt("default", { html: true }).disable(["reference"]);
parser.core.ruler.enableOnly(["normalize", "block"]);
readTableRows(parser);

/** A lone `\r`, which the parser takes for a line end. Replaced by a space, it keeps the parser's lines equal to ours. */
const LONE_CARRIAGE_RETURN = /\r(?!\n)/g;

/** The blocks of one markdown text, in order. */
export function blocksOf(lines: Lines, sizes: WindowSizes = WINDOW_SIZES): Block[] {
  return [...blocksInSlices(lines, sizes)].flat();
}

/**
 * The same in time slices: each yield has the next blocks, or none after work of the parser alone. Plain lines are read without the parser, all others
 * window by window. The blocks equal those of parsing the whole text at once, with one exception: a single block in a list or a quote that is longer
 * than `unitsMax` may get another kind. No line is ever lost.
 */
export function* blocksInSlices(lines: Lines, sizes: WindowSizes = WINDOW_SIZES): Generator<readonly Block[], void> {
  const reader = new BlockReader(lines);
  let [next, units] = [1, sizes.units];
  let above: readonly number[] = [];
  while (next <= lines.count) {
    const isClosed = above.length === 0 && sizes.plainLines > 0;
    const plain = isClosed ? plainBlocks(lines, next, sizes.plainLines) : NO_BLOCKS;
    if (plain.next > next) {
      yield plain.blocks;
      [next, units] = [plain.next, sizes.units];
      reader.passTo(next);
      continue;
    }
    const last = isClosed ? lastForParser(lines, next, sizes.plainLines) : lines.count;
    const window = windowOf(lines, next, last, above, units, sizes);
    const tokens = parser.parse(withoutLoneReturns(window.text), {});
    let end: WindowEnd | undefined = { tokens: tokens.length, next: last + 1, above: [] };
    if (window.last < last) end = settledWindow(window, tokens);
    if (end === undefined && above.length === 0 && units < sizes.unitsMax) {
      units *= 2;
      yield NONE;
      continue;
    }
    yield NONE;
    end ??= openEnd(window, tokens);
    reader.take(window, tokens.slice(0, end.tokens));
    yield* reader.ready(end.next, end.above.length > 0);
    [next, above, units] = [end.next, end.above, sizes.units];
  }
}

const NONE: readonly Block[] = [];
const NO_BLOCKS: PlainBlocks = { blocks: NONE, next: 0 };

function withoutLoneReturns(text: string): string {
  return text.includes("\r") ? text.replace(LONE_CARRIAGE_RETURN, " ") : text;
}

type Token = ReturnType<typeof parser.parse>[number];

/** Turns the parser's tokens into blocks. */
class BlockReader {
  readonly #lines: Lines;
  #blocks: Block[] = [];
  #lastLine = 0;
  /** The first line that may belong to no block yet. */
  #nextLine = 1;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Skips the lines above `next`, which were read without the parser. */
  passTo(next: number): void {
    this.#lastLine = next - 1;
    this.#nextLine = next;
  }

  /** Takes the tokens of a window. All blocks are whole, except the last one, which may be open. */
  take(window: Window, tokens: readonly Token[]): void {
    let headingLevel = 0;
    let headerLine = 0;
    for (const { type, tag, map } of tokens) {
      const add = (kind: BlockKind, level = 0, header = 0): void => {
        if (map !== null)
          this.#add(kind, lineOf(window, map[0]), lineOf(window, map[1] - 1), level, header, window.first);
      };
      switch (type) {
        case "heading_open":
          headingLevel = Number(tag.slice(1));
          add("heading", headingLevel);
          break;
        case "heading_close":
          headingLevel = 0;
          break;
        case HEADER_ROW:
          add("row");
          if (map !== null) headerLine = lineOf(window, map[0]);
          break;
        case BODY_ROW:
          add("row", 0, headerLine);
          break;
        case "table_close":
          headerLine = 0;
          break;
        case "inline":
          if (headingLevel === 0) add("paragraph");
          break;
        case "fence":
        case "code_block":
          add("code");
          break;
        case "html_block":
          add("html");
          break;
      }
    }
  }

  /** The blocks above line `next`, including those of lines that the parser skipped. An open block is kept until it is whole. */
  *ready(next: number, isOpen: boolean): Generator<readonly Block[], void> {
    const kept = isOpen ? this.#blocks.splice(-1) : [];
    const all: Block[] = [];
    for (const block of this.#blocks) {
      yield* this.#fill(block.startLine, all);
      all.push(block);
      this.#nextLine = block.stopLine + 1;
    }
    yield* this.#fill(kept[0]?.startLine ?? next, all);
    this.#blocks = kept;
    yield all;
  }

  #add(kind: BlockKind, first: number, last: number, headingLevel: number, headerLine: number, read: number): void {
    const lines = this.#lines;
    const open = this.#blocks.at(-1);
    const goesOn = open !== undefined && open.kind === kind && open.startLine === first && kind !== "row";
    // Lines of an earlier block are never used twice. Lines that earlier windows left out of a continued block are blank.
    let start = Math.max(goesOn ? read : first, this.#lastLine + 1);
    let stop = Math.min(last, lines.count);
    while (start <= stop && lines.isBlank(start)) start++;
    while (stop >= start && lines.isBlank(stop)) stop--;
    if (start > stop) return;
    if (goesOn) this.#blocks[this.#blocks.length - 1] = { ...open, stopLine: stop };
    else this.#blocks.push({ kind, startLine: start, stopLine: stop, headingLevel, headerLine });
    this.#lastLine = stop;
  }

  /** Makes paragraphs of lines with words that no block has. The parser skips nesting that is too deep. */
  *#fill(end: number, all: Block[]): Generator<readonly Block[], void> {
    let start = 0;
    for (let line = this.#nextLine; line <= end; line++) {
      if (line % SLICE_LINES === 0) yield NONE;
      const isText = line < end && WORD.test(this.#lines.slice(line, line));
      if (isText && start === 0) start = line;
      if (isText || start === 0) continue;
      all.push({ kind: "paragraph", startLine: start, stopLine: line - 1, headingLevel: 0, headerLine: 0 });
      start = 0;
    }
    this.#nextLine = Math.max(this.#nextLine, end);
  }
}

/** Skipped lines between two yields. */
const SLICE_LINES = 4_096;

const WORD = /[\p{L}\p{N}]/u;
