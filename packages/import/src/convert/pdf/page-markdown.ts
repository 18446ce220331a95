import type { Block } from "./block.ts";
import type { Line } from "./lines.ts";
import { median } from "./lines.ts";
import { withoutSigns } from "./links.ts";
import { escaped, escapedCell, escapedParagraph } from "./markdown-text.ts";
import type { Words } from "./words.ts";

export interface Writing {
  readonly words: Words;
  /** The level of a heading, from 1. */
  levelOf(heading: readonly Line[], text: string): number;
}

/** Writes the blocks of a page as markdown. */
export function pageMarkdown(blocks: readonly Block[], writing: Writing): string {
  const out: string[] = [];
  let before: Block | undefined;
  for (const block of blocks) {
    const isTight = before?.kind === "item" && block.kind === "item";
    if (before !== undefined && !isTight) out.push("");
    out.push(blockMarkdown(block, writing));
    before = block;
  }
  return out.join("\n");
}

function blockMarkdown(block: Block, writing: Writing): string {
  switch (block.kind) {
    case "heading": {
      const text = joinedLines(block.lines, writing.words);
      return `${"#".repeat(writing.levelOf(block.lines, text))} ${escaped(text)}`;
    }
    case "paragraph":
      return escapedParagraph(joinedLines(block.lines, writing.words));
    case "item": {
      const text = joinedLines(block.lines, writing.words).slice(block.marker.length).trimStart();
      return `${"   ".repeat(block.depth)}${itemMark(block.marker)} ${escapedParagraph(text)}`;
    }
    case "list":
      return block.items.map((item) => `- ${escapedParagraph(item)}`).join("\n");
    case "code":
      return codeMarkdown(block.lines);
    case "table":
      return tableMarkdown(block);
  }
}

/** Returns the item's mark. Numbers stay; letters and other marks become text after a dash, because markdown has no other lists. */
function itemMark(marker: string): string {
  const number = /^\(?(\d{1,3})[.)]$/.exec(marker)?.[1];
  if (number !== undefined) return `${number}.`;
  return /[\p{L}\d]/u.test(marker) ? `- ${escaped(marker)}` : "-";
}

/** Joins the lines of a paragraph. */
export function joinedLines(lines: readonly Line[], words: Words): string {
  let text = "";
  for (const line of lines) text = text === "" ? line.text : words.joined(text, line.text);
  return text.replace(/\u00ad/g, "");
}

/** Keeps the columns of code: every letter has the same width. */
function codeMarkdown(lines: readonly Line[]): string {
  const widths = lines.flatMap(({ segments }) =>
    segments.flatMap(({ text, x0, x1 }) => (text.length >= 3 ? [(x1 - x0) / text.length] : [])),
  );
  const width = median(widths) || 0.6 * (lines[0]?.size ?? 10);
  const left = lines.reduce((least, line) => Math.min(least, line.x0), Number.POSITIVE_INFINITY);
  const leading = median(lines.slice(1).map((line, i) => line.y - (lines[i]?.y ?? 0)));
  const out: string[] = [];
  let y: number | undefined;
  for (const line of lines) {
    if (y !== undefined && leading > 0 && line.y - y > 1.6 * leading) out.push("");
    out.push(codeLine(line, left, width));
    y = line.y;
  }
  const longest =
    out
      .join("\n")
      .match(/`{3,}/g)
      ?.reduce((most, marks) => Math.max(most, marks.length), 0) ?? 0;
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [fence, ...out, fence].join("\n");
}

const CODE_COLUMNS_MAX = 400;

function codeLine({ segments }: Line, left: number, width: number): string {
  let text = "";
  for (const segment of segments) {
    const column = Math.min(CODE_COLUMNS_MAX, Math.round((segment.x0 - left) / width));
    text = text.padEnd(text === "" ? column : Math.max(column, text.length + 1)) + withoutSigns(segment.text);
  }
  return text;
}

function tableMarkdown({
  rows,
  hasHeader,
}: {
  readonly rows: readonly (readonly string[])[];
  readonly hasHeader: boolean;
}): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => escapedCell(cell)).join(" | ")} |`;
  const blank = Array.from({ length: width }, () => "");
  const [head = blank, ...rest] = hasHeader ? rows : [blank, ...rows];
  return [line(head), `|${" --- |".repeat(width)}`, ...rest.map(line)].join("\n");
}
