/** The destination of bytes: a file, a pipe or a terminal. It gets one piece at a time. */
export interface Sink {
  /** Writes bytes. Calls `done` once: with the number of bytes taken, or with the error. A full place may take its time. */
  write(bytes: Buffer, done: (result: number | Error) => void): void;
  /** Writes as much as possible at once, and drops the rest. For the end of the process. */
  writeNow(bytes: Buffer): void;
}

export interface OutputQueueOptions {
  /** The most waiting bytes. Lines beyond it are dropped. Default 1 MiB. */
  readonly bytesMax?: number;
  /** Called with the number of dropped lines, as soon as others could be written again. */
  readonly onResumed?: (dropped: number) => void;
}

const BYTES_MAX = 1_048_576;
/** The bytes of one write. */
const PIECE_BYTES = 65_536;

/**
 * A queue of lines to be written. A writer never waits and never fails: lines wait here while the place is slow.
 * Lines beyond the capacity of the queue, and lines that the place refuses, are dropped and counted.
 */
export class OutputQueue {
  readonly #sink: Sink;
  readonly #bytesMax: number;
  readonly #idle = new Set<() => void>();
  #onResumed: (dropped: number) => void;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isWriting = false;
  #dropped = 0;
  /** The number of dropped lines that was reported, in a line that may not be written either. */
  #told = 0;
  #refusal: Error | undefined;
  /** Whether the place took only a part of a line. Then the next write begins a new line. */
  #isLineOpen = false;

  constructor(sink: Sink, { bytesMax = BYTES_MAX, onResumed = () => undefined }: OutputQueueOptions = {}) {
    this.#sink = sink;
    this.#bytesMax = bytesMax;
    this.#onResumed = onResumed;
  }

  set onResumed(tell: (dropped: number) => void) {
    this.#onResumed = tell;
  }

  /** The error for the latest lines; undefined if the place took them. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#bytes + bytes.length > this.#bytesMax) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (!this.#isWriting) this.#writeNext();
  }

  /** Resolves when no line waits any more. */
  settled(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.add(resolve);
    });
  }

  /** Hands over all waiting lines, without waiting. */
  flushNow(): void {
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0) this.#sink.writeNow(Buffer.concat(waiting));
  }

  #writeNext(): void {
    const lines = this.#taken();
    if (lines.length === 0) {
      for (const resolve of this.#idle) resolve();
      this.#idle.clear();
      return;
    }
    this.#isWriting = true;
    const bytes = Buffer.concat(this.#isLineOpen ? [Buffer.from("\n"), ...lines] : lines);
    this.#writeRest(bytes, lines.length, false);
  }

  /** Takes the lines of the next write. They count as waiting until they are written. */
  #taken(): Buffer[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((line, at) => {
      bytes += line.length;
      return at > 0 && bytes > PIECE_BYTES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  #writeRest(bytes: Buffer, lines: number, isBegun: boolean): void {
    this.#sink.write(bytes, (result) => {
      if (typeof result === "number" && result < bytes.length) {
        this.#writeRest(bytes.subarray(result), lines, isBegun || result > 0);
        return;
      }
      this.#isWriting = false;
      this.#bytes = this.#waiting.reduce((sum, line) => sum + line.length, 0);
      this.#refusal = typeof result === "number" ? undefined : result;
      if (typeof result === "number") {
        this.#isLineOpen = false;
        this.#told = 0;
        // The report about dropped lines fits into the queue when nothing else waits.
        if (this.#waiting.length === 0) this.#tellDropped();
      } else {
        this.#isLineOpen ||= isBegun;
        this.#dropped += lines + this.#told;
        this.#told = 0;
      }
      if (!this.#isWriting) this.#writeNext();
    });
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#told = this.#dropped;
    this.#dropped = 0;
    this.#onResumed(this.#told);
  }
}
