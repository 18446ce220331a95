import type { Block } from "./block.ts";
import type { Line } from "./lines.ts";
import { withoutSigns } from "./links.ts";
import { joinedLines } from "./page-markdown.ts";
import { isPartName, realTitle } from "./title.ts";
import type { Words } from "./words.ts";

const CHARACTERS_MAX = 300;
/** Minimum size of a title page's title, in sizes of the text. */
const LARGE_TITLE = 1.3;
/** Share of the author's title words that the first pages must contain. */
const WORDS_SEEN_MIN = 0.5;

export interface TitlePages {
  /** The title in the file's metadata. */
  readonly given: string | undefined;
  /** Blocks of the first page. */
  readonly blocks: readonly Block[];
  /** The text of the first pages, running heads too. */
  readonly text: string;
  readonly bodySize: number;
  readonly words: Words;
}

/**
 * Finds the title of a document: the one in the metadata if its first pages contain it, else the largest words of the first page. The metadata of many files
 * come from a file that they were once copied from.
 */
export function documentTitle({ given, blocks, text, bodySize, words }: TitlePages): string | undefined {
  const told = realTitle(given);
  if (told !== undefined && isSeen(told, text)) return told;
  const headings = blocks.flatMap((block) => (block.kind === "heading" ? [block.lines] : []));
  const named = nameOfManual(blocks, words);
  if (named !== undefined) return told ?? named;
  const largest = largestOf(headings.filter((lines) => !isPartName(textOf(lines, words))));
  if (largest === undefined) return told;
  if (told !== undefined && sizeOf(largest) < LARGE_TITLE * bodySize) return told;
  const own = textOf(largest, words);
  return own.length >= 3 ? own.slice(0, CHARACTERS_MAX) : told;
}

function isSeen(title: string, text: string): boolean {
  const seen = new Set(wordsOf(text));
  const own = wordsOf(title);
  return own.filter((word) => seen.has(word)).length >= WORDS_SEEN_MIN * own.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A manual page begins with `NAME`, followed by `tool - what it does`. */
function nameOfManual(blocks: readonly Block[], words: Words): string | undefined {
  const at = blocks.findIndex(({ kind }) => kind === "heading");
  const [heading, below] = [blocks[at], blocks[at + 1]];
  if (heading?.kind !== "heading" || !/^(?:name|nom|nombre|nome)$/i.test(textOf(heading.lines, words)))
    return undefined;
  const text = below?.kind === "paragraph" ? textOf(below.lines, words) : "";
  return text.length >= 3 ? text.slice(0, CHARACTERS_MAX) : undefined;
}

function largestOf(headings: readonly (readonly Line[])[]): readonly Line[] | undefined {
  return headings.reduce<readonly Line[] | undefined>(
    (most, lines) => (most === undefined || sizeOf(lines) > sizeOf(most) ? lines : most),
    undefined,
  );
}

function sizeOf(lines: readonly Line[]): number {
  return lines[0]?.size ?? 0;
}

function textOf(lines: readonly Line[], words: Words): string {
  return withoutSigns(joinedLines(lines, words));
}
