/** Where bytes go: a file, a pipe, a terminal. It is given one piece at a time. */
export interface Sink {
  /** Calls `done` once: with how many bytes were taken, or why none were. A place that has no room at the moment takes its time. */
  write(bytes: Buffer, done: (result: number | Error) => void): void;
  /** Takes what it can at once, and leaves the rest: for the end of the process. */
  writeNow(bytes: Buffer): void;
}

export interface OutputQueueOptions {
  /** Most bytes that wait; what is written beyond them is dropped. Default 1 MiB. */
  readonly bytesMax?: number;
  /** Called with how many lines were dropped as soon as others could be written again. */
  readonly onResumed?: (dropped: number) => void;
}

const BYTES_MAX = 1_048_576;
/** What is written in one go. */
const PIECE_BYTES = 65_536;

/**
 * Lines on their way out. Whoever writes one never waits and never fails: lines wait here while the place is slow, those that find no room are dropped and counted, and
 * so are those that the place refuses.
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
  /** Said to be dropped, in a line that may not be written either. */
  #told = 0;
  #refusal: Error | undefined;
  /** Only a part of a line was taken: what comes next begins a new one. */
  #isLineOpen = false;

  constructor(sink: Sink, { bytesMax = BYTES_MAX, onResumed = () => undefined }: OutputQueueOptions = {}) {
    this.#sink = sink;
    this.#bytesMax = bytesMax;
    this.#onResumed = onResumed;
  }

  set onResumed(tell: (dropped: number) => void) {
    this.#onResumed = tell;
  }

  /** Why the latest lines were refused; undefined if the place took them. */
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

  /** Resolves when nothing waits any more. */
  settled(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.add(resolve);
    });
  }

  /** Hands over what still waits, without waiting. */
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

  /** Some lines: they count as waiting until they are written. */
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
        // What is told finds room for itself when nothing waits any more.
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
