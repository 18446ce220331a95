import { finished, type Sliced } from "../scheduling/time-slices.ts";

/** Line starts are stored in chunks of this many. A single array would be copied whenever it grows. */
const CHUNK_LINES = 4_096;

/** UTF-16 units that are searched for line breaks between two yields. */
const SLICE_UNITS = 1_048_576;

/**
 * The lines of a text, with their offsets. A line ends at `\n`; a `\r` right before it belongs to the line break; a lone `\r` ends no line.
 * Lines are numbered from 1. A text that ends in `\n` has an empty last line.
 */
export class Lines {
  readonly #text: string;
  /** Offset of the first character of every line, in UTF-16 units. */
  readonly #starts: Uint32Array[] = [];
  #count = 0;

  private constructor(text: string) {
    this.#text = text;
    this.#add(0);
  }

  static of(text: string): Lines {
    return finished(Lines.inSlices(text));
  }

  static *inSlices(text: string): Sliced<Lines> {
    const lines = new Lines(text);
    for (let from = 0; from < text.length; from += SLICE_UNITS) {
      const step = text.length <= SLICE_UNITS ? text : text.slice(from, from + SLICE_UNITS);
      for (let at = step.indexOf("\n"); at >= 0; at = step.indexOf("\n", at + 1)) {
        lines.#add(from + at + 1);
        if (lines.#count % CHUNK_LINES === 0) yield;
      }
      yield;
    }
    return lines;
  }

  get text(): string {
    return this.#text;
  }

  /** Number of lines, at least 1. */
  get count(): number {
    return this.#count;
  }

  /** Offset of the first character of a line. */
  startOffset(line: number): number {
    return this.#startOf(line) ?? this.#text.length;
  }

  /** Offset just after the last character of a line, before its line break. */
  endOffset(line: number): number {
    const next = this.#startOf(line + 1);
    if (next === undefined) return this.#text.length;
    const breakAt = next - 1;
    return breakAt > this.startOffset(line) && this.#text.charCodeAt(breakAt - 1) === 13 ? breakAt - 1 : breakAt;
  }

  /** The text of the lines `start` to `stop`, inclusive, without the last line break. */
  slice(start: number, stop: number): string {
    return this.#text.slice(this.startOffset(start), this.endOffset(stop));
  }

  /** Whether a line has only white space. */
  isBlank(line: number): boolean {
    return this.slice(line, line).trim() === "";
  }

  #add(start: number): void {
    const at = this.#count % CHUNK_LINES;
    if (at === 0) this.#starts.push(new Uint32Array(CHUNK_LINES));
    const chunk = this.#starts[this.#starts.length - 1];
    if (chunk !== undefined) chunk[at] = start;
    this.#count++;
  }

  #startOf(line: number): number | undefined {
    const at = line - 1;
    return line > this.#count ? undefined : this.#starts[Math.floor(at / CHUNK_LINES)]?.[at % CHUNK_LINES];
  }
}
