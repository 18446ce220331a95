import MarkdownIt from "markdown-it";
import type { Lines } from "./lines.ts";

/** What a block is. A table's header row is a `row` as well. */
export type BlockKind = "paragraph" | "heading" | "row" | "code" | "html";

/** A leaf of the document's structure: what a person would quote. No two blocks share a line. */
export interface Block {
  readonly kind: BlockKind;
  /** 1-based, inclusive. Neither the first nor the last line is blank. */
  readonly startLine: number;
  readonly stopLine: number;
  /** 1 to 6 for a heading, else 0. */
  readonly headingLevel: number;
  /** For a row of a table below its header: the line of the header row; else 0. */
  readonly headerLine: number;
}

// Only block rules run: inline marks do not move lines. Link definitions stay text, so that no line is lost.
const parser = new MarkdownIt("default", { html: true }).disable(["reference"]);
parser.core.ruler.enableOnly(["normalize", "block"]);

/** The parser takes a lone `\r` for a line end; as a space it keeps its lines equal to ours. */
const LONE_CARRIAGE_RETURN = /\r(?!\n)/g;

/** The blocks of one markdown text, in order. `lines` are the lines of the same text. */
export function blocksOf(markdown: string, lines: Lines): Block[] {
  const tokens = parser.parse(markdown.includes("\r") ? markdown.replace(LONE_CARRIAGE_RETURN, " ") : markdown, {});
  const blocks: Block[] = [];
  let lastLine = 0;
  let headingLevel = 0;
  let headerLine = 0;
  let insideHeader = false;
  let insideRow = false;

  const add = (kind: BlockKind, map: readonly [number, number], level = 0, header = 0): void => {
    // The parser counts from 0 and excludes the end. Lines that an earlier block has are never given twice.
    let start = Math.max(map[0] + 1, lastLine + 1);
    let stop = Math.min(map[1], lines.count);
    while (start <= stop && lines.isBlank(start)) start++;
    while (stop >= start && lines.isBlank(stop)) stop--;
    if (start > stop) return;
    blocks.push({ kind, startLine: start, stopLine: stop, headingLevel: level, headerLine: header });
    lastLine = stop;
  };

  for (const token of tokens) {
    switch (token.type) {
      case "heading_open":
        headingLevel = Number(token.tag.slice(1));
        if (token.map) add("heading", token.map, headingLevel);
        break;
      case "heading_close":
        headingLevel = 0;
        break;
      case "thead_open":
        insideHeader = true;
        break;
      case "thead_close":
        insideHeader = false;
        break;
      case "table_close":
        headerLine = 0;
        break;
      case "tr_open":
        insideRow = true;
        if (token.map) {
          add("row", token.map, 0, insideHeader ? 0 : headerLine);
          if (insideHeader) headerLine = token.map[0] + 1;
        }
        break;
      case "tr_close":
        insideRow = false;
        break;
      case "inline":
        if (token.map && headingLevel === 0 && !insideRow) add("paragraph", token.map);
        break;
      case "fence":
      case "code_block":
        if (token.map) add("code", token.map);
        break;
      case "html_block":
        if (token.map) add("html", token.map);
        break;
    }
  }
  return withLeftOverLines(blocks, lines);
}

const WORD = /[\p{L}\p{N}]/u;

/** The parser gives up on nesting that is too deep. Lines that no block has and that hold words are paragraphs all the same. */
function withLeftOverLines(blocks: readonly Block[], lines: Lines): Block[] {
  const all: Block[] = [];
  let next = 1;
  const fill = (end: number): void => {
    let start = 0;
    for (let line = next; line <= end; line++) {
      const isText = line < end && WORD.test(lines.slice(line, line));
      if (isText && start === 0) start = line;
      if (isText || start === 0) continue;
      all.push({ kind: "paragraph", startLine: start, stopLine: line - 1, headingLevel: 0, headerLine: 0 });
      start = 0;
    }
  };
  for (const block of blocks) {
    fill(block.startLine);
    all.push(block);
    next = block.stopLine + 1;
  }
  fill(lines.count + 1);
  return all;
}
