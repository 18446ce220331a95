import type { ContentBlock } from "../model/types.ts";
import { GrowingUint32 } from "../platform/growing-array.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { blocksInSlices } from "./blocks.ts";
import { Lines } from "./lines.ts";
import { HEADING_CHARACTERS_MAX } from "./passages.ts";
import { plainText } from "./plain-text.ts";

/** A heading of a document. Offsets are UTF-16 units of the joined content blocks: of the first line's begin, and behind the last line's text. */
export interface OutlineHeading {
  readonly startOffset: number;
  readonly endOffset: number;
  /** 1 to 6. A lower level is a higher rank. */
  readonly level: number;
}

const HEADING_NUMBERS = 3;
/** Operations of a search that take as long as parsing one UTF-16 unit. */
const UNIT_OPERATIONS = 16;

/** The headings of a document, in order. They are those that passages repeat, of the same blocks. */
export class Outline {
  /** Three numbers a heading: start offset, end offset, level. */
  readonly #numbers = new GrowingUint32();

  /** Reads the headings of a document in linear time. Each content block is read alone, as passages are cut. */
  static *inSlices(content: readonly ContentBlock[], meter: OperationMeter): Sliced<Outline> {
    const outline = new Outline();
    let before = 0;
    for (const { md } of content) {
      const lines = yield* Lines.inSlices(md);
      let read = 0;
      for (const blocks of blocksInSlices(lines)) {
        for (const { headingLevel, startLine, stopLine } of blocks) {
          if (headingLevel === 0) continue;
          outline.#add(before + lines.startOffset(startLine), before + lines.endOffset(stopLine), headingLevel);
        }
        const last = blocks.at(-1);
        const until = last === undefined ? read : lines.endOffset(last.stopLine);
        if (meter.shouldYield((until - read) * UNIT_OPERATIONS)) yield;
        read = until;
      }
      before += md.length + 1;
    }
    return outline;
  }

  get count(): number {
    return this.#numbers.length / HEADING_NUMBERS;
  }

  get bytes(): number {
    return this.#numbers.bytes;
  }

  /** Heading `at`, counted from 0; undefined if there is none. */
  heading(at: number): OutlineHeading | undefined {
    if (at < 0 || at >= this.count) return undefined;
    const first = at * HEADING_NUMBERS;
    const [startOffset, endOffset] = [this.#numbers.get(first), this.#numbers.get(first + 1)];
    return { startOffset, endOffset, level: this.#numbers.get(first + 2) };
  }

  /** The number of the last heading that begins at `offset` or before; -1 if there is none. O(log headings). */
  lastUntil(offset: number): number {
    let [low, high] = [-1, this.count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#numbers.get(middle * HEADING_NUMBERS) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #add(startOffset: number, endOffset: number, level: number): void {
    for (const number of [startOffset, endOffset, level]) this.#numbers.push(number);
  }
}

/** The text of a heading as a reader sees it, in one line. A long one is cut, as passages repeat it. */
export function headingText(markdown: string, { startOffset, endOffset }: OutlineHeading): string {
  const text = markdown.slice(startOffset, Math.min(endOffset, startOffset + HEADING_CHARACTERS_MAX));
  // The cut may have halved the last character.
  return plainText(text.isWellFormed() ? text : text.slice(0, -1))
    .trim()
    .replace(/\s+/g, " ");
}
