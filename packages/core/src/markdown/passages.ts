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

/** A stretch of a document's markdown. Offsets are UTF-16 units; the end is exclusive. */
interface Span {
  readonly startLine: number;
  readonly stopLine: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** A piece is what is quoted: a paragraph, a list item, a row, a fence, or whole sentences of a line that is too long. */
export interface Fragment extends Span {
  /** How it is read, which a part of a block does not tell by itself. */
  readonly reading: FragmentReading;
}

/** A piece is no question. */
export type FragmentReading = Exclude<Reading, "question">;

function readingOf(kind: BlockKind): FragmentReading {
  return kind === "code" || kind === "html" ? kind : "text";
}

/** A passage is what is retrieved: one piece, or a few short ones that follow each other under the same headings. */
export interface Passage {
  /** At least one, in order. */
  readonly fragments: readonly Fragment[];
  /** The headings above it, outermost first, without marks; for rows the header row comes last. */
  readonly headings: readonly string[];
  /** The same as their words are searched: see {@link searchedText}. */
  readonly searchedHeadings: readonly string[];
}

/** A heading or header row, without marks and as its words are searched. */
interface Heading {
  readonly text: string;
  readonly searched: string;
}

/** How markdown is cut; see docs/decisions for the measurements behind the defaults. UTF-16 units. */
export interface PassageSizes {
  /** Pieces are joined until the passage has this many. */
  readonly targetCharacters: number;
  /** The same for rows of a table: each has the header to be understood by, and a row seldom tells anything of the next. */
  readonly rowsTargetCharacters: number;
  /** A block of more lines than fit in this is cut between lines. */
  readonly blockCharactersMax: number;
  /** A single line longer than this is cut between sentences. */
  readonly lineCharactersMax: number;
  /** Length of the pieces of such a line. */
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

/** The markdown whose lines a document's spans count: its blocks joined by one newline. */
export function joinContent(content: readonly ContentBlock[]): string {
  const only = content.length === 1 ? content[0] : undefined;
  return only !== undefined ? only.md : content.map((block) => block.md).join("\n");
}

/** Cuts a document into passages with exact lines. Every non-blank line that is no mere mark stands in at most one passage, unless the line is cut. */
export function passagesOf(content: readonly ContentBlock[], sizes: PassageSizes = PASSAGE_SIZES): PassageSet {
  return finished(passagesInSlices(content, sizes));
}

/** The same, a step at a time. */
export function* passagesInSlices(
  content: readonly ContentBlock[],
  sizes: PassageSizes = PASSAGE_SIZES,
): Sliced<PassageSet> {
  const markdown = joinContent(content);
  const lines = yield* Lines.inSlices(markdown);
  const cutter = new Cutter(markdown, lines, sizes);
  let linesBefore = 0;
  // Each content block is markdown of its own: a fence left open on one page of a PDF must not swallow the next page.
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

/** Lines of one block that are looked at in a step. */
const SLICE_LINES = 4_096;

/** Headings and header rows are taken up to this many UTF-16 units. */
const HEADING_CHARACTERS_MAX = 500;

/** Collects blocks into passages. */
class Cutter {
  readonly #passages: Passage[] = [];
  readonly #markdown: string;
  readonly #lines: Lines;
  readonly #sizes: PassageSizes;
  /** The header row of the table that is being taken; undefined outside of tables, and where it has no text. */
  #header: Heading | undefined;
  /** Headings in force, outermost first. */
  #path: (Heading & { readonly level: number })[] = [];
  /** A heading that no text has followed yet: without any, it is a passage itself. */
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

  /** Lines without marks, cut short: every passage below repeats them, however many there are. */
  #headingOf(startLine: number, stopLine: number): Heading {
    const markdown = this.#lines.slice(startLine, stopLine).slice(0, HEADING_CHARACTERS_MAX);
    const plain = plainText(markdown);
    return { text: plain.trim(), searched: searchedText(markdown, "text", plain).trim() };
  }

  #wholeLines(startLine: number, stopLine: number): Span {
    const startOffset = this.#lines.startOffset(startLine);
    return { startLine, stopLine, startOffset, endOffset: this.#lines.endOffset(stopLine) };
  }

  /** A block as pieces: whole if it is short enough, else cut between lines, and a long line between sentences. Undefined between two steps. */
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

  /** Whole lines without the blank ones at either end; nothing if all are blank. */
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
    // A line is long by its characters, not its UTF-16 units: one that fits is quoted whole, whatever it is made of.
    if (!isLonger(this.#markdown.slice(start, end), this.#sizes.lineCharactersMax)) {
      yield { startLine: line, stopLine: line, startOffset: start, endOffset: end };
      return;
    }
    for (const stretch of sentencesOfLine(this.#markdown, start, end, this.#sizes.sentencesCharactersMax)) {
      yield { startLine: line, stopLine: line, startOffset: stretch.start, endOffset: stretch.end };
    }
  }
}

/** A line is cut into sentences so many UTF-16 units at a time: where its sentences end is looked for a while before one is found. */
const STRETCH_UNITS = 131_072;

/** The sentences of a line, however long it is: the last of each stretch is cut again, with what follows it. */
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
      // The stretch has nothing but white space behind its only sentence.
      yield last;
      from = last.end;
    }
  }
}
