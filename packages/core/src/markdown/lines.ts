/**
 * Lines of a text. A line ends at `\n`; a `\r` right before belongs to that line break; a lone `\r` ends no line.
 * Lines are numbered from 1. A text that ends in `\n` has an empty last line.
 */
export class Lines {
  readonly #text: string;
  /** Offset of the first character of every line, in UTF-16 units. */
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** Number of lines, at least 1. */
  get count(): number {
    return this.#starts.length;
  }

  /** Offset of the first character of a line. */
  startOffset(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  /** Offset just after the last character of a line, before its line break. */
  endOffset(line: number): number {
    const next = this.#starts[line];
    if (next === undefined) return this.#text.length;
    const breakAt = next - 1;
    return breakAt > this.startOffset(line) && this.#text.charCodeAt(breakAt - 1) === 13 ? breakAt - 1 : breakAt;
  }

  /** The lines `start` to `stop`, inclusive, as they stand, without the last line break. */
  slice(start: number, stop: number): string {
    return this.#text.slice(this.startOffset(start), this.endOffset(stop));
  }

  /** Whether a line has nothing but white space. */
  isBlank(line: number): boolean {
    return this.slice(line, line).trim() === "";
  }
}
