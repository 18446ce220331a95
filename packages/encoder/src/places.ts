/** A place in a line. */
export interface Turn {
  /** Resolves when the place is the caller's, who must give it back. */
  readonly taken: Promise<void>;
  /** Leaves the line, if still in it: `taken` rejects. */
  leave(reason: Error): void;
}

interface Waiting {
  resolve(): void;
  reject(reason: Error): void;
}

/** A fixed number of places. Who finds none free waits for one, in order of arrival: that is the backpressure. */
export class Places {
  #free: number;
  readonly #line: Waiting[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  take(): Turn {
    if (this.#free > 0) {
      this.#free -= 1;
      return { taken: Promise.resolve(), leave: () => undefined };
    }
    let waiting: Waiting | undefined;
    const taken = new Promise<void>((resolve, reject) => {
      waiting = { resolve, reject };
      this.#line.push(waiting);
    });
    const leave = (reason: Error) => {
      const at = waiting === undefined ? -1 : this.#line.indexOf(waiting);
      if (at < 0) return;
      this.#line.splice(at, 1);
      waiting?.reject(reason);
    };
    return { taken, leave };
  }

  /** Gives a taken place back: to the one who has waited longest, if anyone does. */
  give(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#free += 1;
    else next.resolve();
  }
}
