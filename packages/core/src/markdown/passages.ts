import { TEXT_PART_CHARACTERS_MAX } from "../model/limits.ts";
import type { ContentBlock } from "../model/types.ts";
import { isLonger } from "../model/validation.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import type { Block, BlockKind } from "./block.ts";
import { blocksInSlices } from "./blocks.ts";
import { Lines } from "./lines.ts";
import { plainText, type Reading } from "./plain-text.ts";
import { searchedText } from "./searched-text.ts";
import { cutIntoSentences, type Stretch } from "./sentences.ts";

/** A range of a document's markdown. Lines are inclusive; offsets are UTF-16 units, with an exclusive end. */
interface Span {
  readonly startLine: number;
  readonly stopLine: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** The unit that is quoted: a paragraph, a list item, a table row, a fence, or whole sentences of a line that is too long. */
export interface Fragment extends Span {
  /** How its text is read. A cut block does not show its kind by itself. */
  readonly reading: FragmentReading;
}

/** The readings of fragments: all but that of a question. */
export type FragmentReading = Exclude<Reading, "question">;

function readingOf(kind: BlockKind): FragmentReading {
  return kind === "code" || kind === "html" ? kind : "text";
}

/** The unit that BM25 retrieves: one fragment, or a few short adjacent ones under the same headings. */
export interface Passage {
  /** At least one, in order. */
  readonly fragments: readonly Fragment[];
  /** The headings above it, outermost first, without marks. For table rows the header row comes last. */
  readonly headings: readonly string[];
  /** The headings as they are searched; see {@link searchedText}. */
  readonly searchedHeadings: readonly string[];
}

/** A heading or header row, without marks and as its words are searched. */
interface Heading {
  readonly text: string;
  readonly searched: string;
}

/** Sizes of cuts, in UTF-16 units. docs/decisions has the measurements behind the defaults. */
export interface PassageSizes {
  /** Fragments are joined until the passage has this many. */
  readonly targetCharacters: number;
  /** The same for table rows. Each row has its header for context, and rows are seldom related. */
  readonly rowsTargetCharacters: number;
  /** A block of more lines than fit in this is cut between lines. */
  readonly blockCharactersMax: number;
  /** A single line longer than this is cut between sentences. */
  readonly lineCharactersMax: number;
  /** Most units of a fragment of such a line. */
  readonly sentencesCharactersMax: number;
}

const PASSAGE_SIZES: PassageSizes = {
  targetCharacters: 600,
  rowsTargetCharacters: 150,
  blockCharactersMax: 1_800,
  lineCharactersMax: TEXT_PART_CHARACTERS_MAX,
  sentencesCharactersMax: 1_000,
};

/** A document's markdown and its passages. */
export interface PassageSet {
  readonly markdown: string;
  readonly passages: readonly Passage[];
}

/** The markdown whose lines a document's spans count: its content blocks joined by one newline. */
export function joinContent(content: readonly ContentBlock[]): string {
  const only = content.length === 1 ? content[0] : undefined;
  return only !== undefined ? only.md : content.map((block) => block.md).join("\n");
}

/** Cuts a document into passages with exact lines. Each non-blank line that is not only a mark is in at most one passage, unless the line itself is cut. */
export function passagesOf(content: readonly ContentBlock[], sizes: PassageSizes = PASSAGE_SIZES): PassageSet {
  return finished(passagesInSlices(content, sizes));
}

/** The same in time slices. */
export function* passagesInSlices(
  content: readonly ContentBlock[],
  sizes: PassageSizes = PASSAGE_SIZES,
): Sliced<PassageSet> {
  const markdown = joinContent(content);
  const lines = yield* Lines.inSlices(markdown);
  const cutter = new Cutter(markdown, lines, sizes);
  let linesBefore = 0;
  // Each content block is parsed alone: an open fence on one page of a PDF must not swallow the next page.
  for (const { md } of content) {
    const own = content.length === 1 ? lines : yield* Lines.inSlices(md);
    for (const blocks of blocksInSlices(own)) {
      for (const block of blocks) yield* cutter.take(shift(block, linesBefore));
      yield;
    }
    linesBefore += own.count;
  }
  return { markdown, passages: cutter.finish() };
}

function shift(block: Block, linesBefore: number): Block {
  if (linesBefore === 0) return block;
  return {
    ...block,
    startLine: block.startLine + linesBefore,
    stopLine: block.stopLine + linesBefore,
    headerLine: block.headerLine === 0 ? 0 : block.headerLine + linesBefore,
  };
}

function passageOf(fragments: readonly Fragment[], above: readonly Heading[]): Passage {
  return {
    fragments,
    headings: above.map(({ text }) => text),
    searchedHeadings: above.map(({ searched }) => searched),
  };
}

/** Lines of one block between two yields. */
const SLICE_LINES = 4_096;

/** Headings and header rows are cut to this many UTF-16 units. */
export const HEADING_CHARACTERS_MAX = 500;

/** Cuts blocks into fragments, and joins them into passages. */
class Cutter {
  readonly #passages: Passage[] = [];
  readonly #markdown: string;
  readonly #lines: Lines;
  readonly #sizes: PassageSizes;
  /** The header row of the current table; undefined outside tables, and if it has no text. */
  #header: Heading | undefined;
  /** The current headings, outermost first. */
  #path: (Heading & { readonly level: number })[] = [];
  /** A heading without text below it so far. If none follows, the heading is a passage itself. */
  #bareHeading: Block | undefined;
  #fragments: Fragment[] = [];
  #fragmentsCharacters = 0;
  #headerLine = 0;

  constructor(markdown: string, lines: Lines, sizes: PassageSizes) {
    this.#markdown = markdown;
    this.#lines = lines;
    this.#sizes = sizes;
  }

  *take(block: Block): Sliced<void> {
    if (block.kind === "heading") {
      this.#flush();
      const deeper = this.#bareHeading !== undefined && block.headingLevel > this.#bareHeading.headingLevel;
      if (!deeper) this.#flushBareHeading();
      this.#path = this.#path.filter((heading) => heading.level < block.headingLevel);
      this.#path.push({ level: block.headingLevel, ...this.#headingOf(block.startLine, block.stopLine) });
      this.#bareHeading = block;
      return;
    }
    this.#bareHeading = undefined;
    if (block.headerLine !== this.#headerLine) {
      this.#flush();
      this.#headerLine = block.headerLine;
      const header = block.headerLine === 0 ? undefined : this.#headingOf(block.headerLine, block.headerLine);
      this.#header = header?.text === "" ? undefined : header;
    }
    for (const fragment of this.#fragmentsOf(block)) {
      if (fragment === undefined) {
        yield;
        continue;
      }
      const characters = fragment.endOffset - fragment.startOffset;
      const { targetCharacters, rowsTargetCharacters } = this.#sizes;
      const target = this.#headerLine === 0 ? targetCharacters : rowsTargetCharacters;
      if (this.#fragmentsCharacters + characters > target) {
        this.#flush();
        yield;
      }
      this.#fragments.push(fragment);
      this.#fragmentsCharacters += characters;
    }
  }

  finish(): Passage[] {
    this.#flush();
    this.#flushBareHeading();
    return this.#passages;
  }

  #flush(): void {
    if (this.#fragments.length === 0) return;
    this.#passages.push(
      passageOf(this.#fragments, this.#header === undefined ? this.#path : [...this.#path, this.#header]),
    );
    this.#fragments = [];
    this.#fragmentsCharacters = 0;
  }

  #flushBareHeading(): void {
    const heading = this.#bareHeading;
    if (heading === undefined) return;
    this.#bareHeading = undefined;
    const above = this.#path.filter((other) => other.level < heading.headingLevel);
    for (const fragment of this.#fragmentsOf(heading)) {
      if (fragment !== undefined) this.#passages.push(passageOf([fragment], above));
    }
  }

  /** A heading without marks, cut short, since every passage below repeats it. */
  #headingOf(startLine: number, stopLine: number): Heading {
    const markdown = this.#lines.slice(startLine, stopLine).slice(0, HEADING_CHARACTERS_MAX);
    const plain = plainText(markdown);
    return { text: plain.trim(), searched: searchedText(markdown, "text", plain).trim() };
  }

  #wholeLines(startLine: number, stopLine: number): Span {
    const startOffset = this.#lines.startOffset(startLine);
    return { startLine, stopLine, startOffset, endOffset: this.#lines.endOffset(stopLine) };
  }

  /** The fragments of a block: the whole block if it is short enough, else cut between lines, and a long line between sentences. Undefined is a yield. */
  *#fragmentsOf(block: Block): Generator<Fragment | undefined> {
    const reading = readingOf(block.kind);
    for (const span of this.#spansOf(block)) yield span && { ...span, reading };
  }

  *#spansOf(block: Block): Generator<Span | undefined> {
    const whole = this.#wholeLines(block.startLine, block.stopLine);
    const isOneLine = block.startLine === block.stopLine;
    const charactersMax = isOneLine ? this.#sizes.lineCharactersMax : this.#sizes.blockCharactersMax;
    if (whole.endOffset - whole.startOffset <= charactersMax) {
      yield whole;
      return;
    }
    if (isOneLine) {
      yield* this.#sentencesOf(block.startLine);
      return;
    }
    let first = block.startLine;
    for (let line = first; line <= block.stopLine; line++) {
      if (line % SLICE_LINES === 0) yield undefined;
      const isLong = this.#lines.endOffset(line) - this.#lines.startOffset(line) > this.#sizes.lineCharactersMax;
      const characters = this.#lines.endOffset(line) - this.#lines.startOffset(first);
      if (line > first && (isLong || characters > this.#sizes.targetCharacters * 1.5)) {
        yield* this.#trimmed(first, line - 1);
        first = line;
      }
      if (isLong) {
        yield* this.#sentencesOf(line);
        first = line + 1;
      }
    }
    if (first <= block.stopLine) yield* this.#trimmed(first, block.stopLine);
  }

  /** A span of whole lines without blank ones at either end; none if all are blank. */
  *#trimmed(startLine: number, stopLine: number): Generator<Span> {
    let start = startLine;
    let stop = stopLine;
    while (start <= stop && this.#lines.isBlank(start)) start++;
    while (stop >= start && this.#lines.isBlank(stop)) stop--;
    if (start <= stop) yield this.#wholeLines(start, stop);
  }

  *#sentencesOf(line: number): Generator<Span> {
    const start = this.#lines.startOffset(line);
    const end = this.#lines.endOffset(line);
    // The limit of a line counts characters, not UTF-16 units: a line that fits is quoted whole.
    if (!isLonger(this.#markdown.slice(start, end), this.#sizes.lineCharactersMax)) {
      yield { startLine: line, stopLine: line, startOffset: start, endOffset: end };
      return;
    }
    for (const stretch of sentencesOfLine(this.#markdown, start, end, this.#sizes.sentencesCharactersMax)) {
      yield { startLine: line, stopLine: line, startOffset: stretch.start, endOffset: stretch.end };
    }
  }
}

/** UTF-16 units of a line that are cut into sentences at a time, since the search for an end of a sentence may be long. */
const STRETCH_UNITS = 131_072;

/** Cuts a line of any length into sentences. The last sentence of each stretch is cut again, together with the text behind it. */
function* sentencesOfLine(text: string, start: number, end: number, charactersMax: number): Generator<Stretch, void> {
  let from = start;
  for (;;) {
    const isLast = end - from <= STRETCH_UNITS;
    let last: Stretch | undefined;
    for (const stretch of cutIntoSentences(text, from, isLast ? end : from + STRETCH_UNITS, charactersMax)) {
      if (last !== undefined) yield last;
      last = stretch;
    }
    if (isLast) {
      if (last !== undefined) yield last;
      return;
    }
    if (last === undefined) from += STRETCH_UNITS;
    else if (last.start > from) from = last.start;
    else {
      // The stretch has only white space behind its only sentence.
      yield last;
      from = last.end;
    }
  }
}
