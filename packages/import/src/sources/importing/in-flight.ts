/** Limits of running work, in number and in bytes. A piece larger than the bytes runs alone. */
export interface InFlightLimits {
  readonly countMax: number;
  readonly bytesMax: number;
}

/**
 * Runs work in parallel, so that the disk can take many writes with one flush. Two pieces of work on the same id run one after the other, in the order of the
 * calls.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #running = new Set<Promise<void>>();
  readonly #ids = new Set<string>();
  #bytes = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** Waits until the limits permit, then starts the work and returns. The work must not reject. */
  async start(id: string | undefined, bytes: number, work: () => Promise<void>): Promise<void> {
    while (!this.#hasRoom(id, bytes)) await Promise.race(this.#running);
    if (id !== undefined) this.#ids.add(id);
    this.#bytes += bytes;
    const running = work().finally(() => {
      this.#running.delete(running);
      this.#bytes -= bytes;
      if (id !== undefined) this.#ids.delete(id);
    });
    this.#running.add(running);
  }

  /** Resolves when all started work is done. */
  async whenEmpty(): Promise<void> {
    await Promise.all(this.#running);
  }

  #hasRoom(id: string | undefined, bytes: number): boolean {
    if (this.#running.size === 0) return true;
    const { countMax, bytesMax } = this.#limits;
    const isFree = id === undefined || !this.#ids.has(id);
    return isFree && this.#running.size < countMax && this.#bytes + bytes <= bytesMax;
  }
}
