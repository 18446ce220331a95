import { fragmentAt, fragmentsOfPassage, type IndexedDocument, passageOfFragment } from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { headingText, type Outline } from "../markdown/outline.ts";
import type { Fragment } from "../markdown/passages.ts";
import { characterCount } from "../model/characters.ts";
import type { Context, PartContext, TextPart } from "../model/types.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import type { ScoredFragment } from "./fragment-worths.ts";
import { textPartOf } from "./quote.ts";
import type { SearchRequest } from "./request.ts";

type Wanted = Pick<SearchRequest, "context" | "contextCharacters">;

/** The quotes of a document as text parts with their contexts. Of equal contexts only the better text part has it. */
export function* textPartsWithContexts(
  index: SearchIndex,
  document: IndexedDocument,
  quotes: readonly ScoredFragment[],
  { context: unit, contextCharacters }: Wanted,
): Sliced<TextPart[]> {
  const { effort } = index;
  const outline = yield* index.outlines.of(document, effort);
  const parts: TextPart[] = [];
  for (const quote of quotes) {
    const part = textPartOf(document, quote);
    const fragment = fragmentAt(document, quote.fragment);
    const extent = yield* extentOf(document, quote.fragment, unit, outline, effort);
    const lines = linesAround(document.markdown, fragment, extent, contextCharacters) ?? part;
    const { text, start, stop } = lines;
    const isKnown = parts.some((other) => other.context?.start === start && other.context.text === text);
    const headings = isKnown ? [] : yield* headingsAt(document, fragment, outline, effort);
    parts.push(isKnown ? part : { ...part, context: { text, start, stop, headings } });
    if (effort.shouldYield(contextCharacters)) yield;
  }
  return parts;
}

/** The part of a document that a context may take lines from. A line belongs to it if it begins before `to` and ends behind `from`. */
interface Extent {
  readonly from: number;
  readonly to: number;
}

function* extentOf(
  document: IndexedDocument,
  fragment: number,
  unit: Context,
  outline: Outline,
  meter: OperationMeter,
): Sliced<Extent> {
  if (unit === "passage") {
    const [first, behind] = fragmentsOfPassage(document, passageOfFragment(document, fragment));
    return { from: fragmentAt(document, first).startOffset, to: fragmentAt(document, behind - 1).endOffset };
  }
  const { startOffset } = fragmentAt(document, fragment);
  if (unit === "page" && document.document.type === "PDF") return yield* pageAt(document, startOffset, meter);
  return yield* sectionAt(document, startOffset, outline, meter);
}

/** The content block that holds an offset. */
function* pageAt({ document, markdown }: IndexedDocument, offset: number, meter: OperationMeter): Sliced<Extent> {
  let from = 0;
  for (const { md } of document.content) {
    const to = from + md.length + 1;
    if (offset < to) return { from, to };
    from = to;
    if (meter.shouldYield(1)) yield;
  }
  return { from: 0, to: markdown.length + 1 };
}

/** From the nearest heading above an offset to before the next heading of the same or a higher rank. */
function* sectionAt(
  { markdown }: IndexedDocument,
  offset: number,
  outline: Outline,
  meter: OperationMeter,
): Sliced<Extent> {
  const nearest = outline.lastUntil(offset);
  const { startOffset: from, level } = outline.heading(nearest) ?? { startOffset: 0, level: LEVEL_OF_ALL };
  for (let at = nearest + 1; ; at++) {
    const next = outline.heading(at);
    if (next === undefined) return { from, to: markdown.length + 1 };
    if (next.level <= level) return { from, to: next.startOffset };
    if (meter.shouldYield(1)) yield;
  }
}

/** The level of the text above the first heading: any heading ends it. */
const LEVEL_OF_ALL = 6;

/** The headings above a fragment, itself included, from the highest rank to the nearest. Headings without text are left out. */
function* headingsAt(
  { markdown }: IndexedDocument,
  { startOffset }: Fragment,
  outline: Outline,
  meter: OperationMeter,
): Sliced<string[]> {
  const headings: string[] = [];
  let rank = LEVEL_OF_ALL + 1;
  for (let at = outline.lastUntil(startOffset); at >= 0 && rank > 1; at--) {
    const heading = outline.heading(at);
    if (heading !== undefined && heading.level < rank) {
      rank = heading.level;
      const text = headingText(markdown, heading);
      if (text !== "") headings.unshift(text);
    }
    if (meter.shouldYield(1)) yield;
  }
  return headings;
}

/**
 * The lines of a fragment, and the lines around it in an extent: as many as there are characters for, about the same number above and below.
 * Undefined if the lines of the fragment alone have more. Reads a few times `charactersMax` units, however long the lines are.
 */
function linesAround(
  markdown: string,
  { startOffset, endOffset, startLine, stopLine }: Fragment,
  { from, to }: Extent,
  charactersMax: number,
): Omit<PartContext, "headings"> | undefined {
  // A character has one or two units. A line break has up to two more, which count where a line follows.
  const reach = 2 * charactersMax + 2;
  let start = lineStart(markdown, startOffset, reach);
  let line = lineEnd(markdown, endOffset, reach);
  if (start === undefined || line === undefined) return undefined;
  let left = charactersMax - characterCount(markdown.slice(start, line.end));
  if (left < 0) return undefined;
  const added = { above: 0, below: 0 };
  let [first, last] = [startLine, stopLine];
  let [isAboveOpen, isBelowOpen] = [true, true];
  while (isAboveOpen || isBelowOpen) {
    if (isBelowOpen && (!isAboveOpen || added.below <= added.above)) {
      const next: LineEnd | undefined = line.next < to ? lineEnd(markdown, line.next, reach) : undefined;
      const characters = next === undefined ? left + 1 : characterCount(markdown.slice(line.end, next.end));
      isBelowOpen = next !== undefined && characters <= left;
      if (next === undefined || !isBelowOpen) continue;
      [line, last] = [next, last + 1];
      added.below += characters;
      left -= characters;
    } else {
      const above: number | undefined = start > from ? lineStart(markdown, start - 1, reach) : undefined;
      const characters = above === undefined ? left + 1 : characterCount(markdown.slice(above, start));
      isAboveOpen = above !== undefined && characters <= left;
      if (above === undefined || !isAboveOpen) continue;
      [start, first] = [above, first - 1];
      added.above += characters;
      left -= characters;
    }
  }
  return { text: markdown.slice(start, line.end), start: first, stop: last };
}

/** Offset of the first character of the line that holds `offset`; undefined if it is more than `reach` units before. */
function lineStart(markdown: string, offset: number, reach: number): number | undefined {
  for (let at = offset; at >= Math.max(0, offset - reach); at--) {
    if (at === 0 || markdown.charCodeAt(at - 1) === LINE_FEED) return at;
  }
  return undefined;
}

/** The end of a line's text before its line break, and the offset of the next line. */
interface LineEnd {
  readonly end: number;
  readonly next: number;
}

/** The end of the line that holds `offset`; undefined if it is more than `reach` units behind. */
function lineEnd(markdown: string, offset: number, reach: number): LineEnd | undefined {
  for (let at = offset; at <= offset + reach; at++) {
    if (at >= markdown.length) return { end: markdown.length, next: markdown.length + 1 };
    if (markdown.charCodeAt(at) !== LINE_FEED) continue;
    const isReturn = at > 0 && markdown.charCodeAt(at - 1) === CARRIAGE_RETURN;
    return { end: isReturn ? at - 1 : at, next: at + 1 };
  }
  return undefined;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
