import { setImmediate } from "node:timers/promises";
import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log-event.ts";

/** Indexing goes on for this long before others get their turn. */
const SLICE_MS = 8;

/**
 * Indexes what was written, in the background and in order. A document that is written again while it waits keeps its
 * place and is indexed once, in its newest version.
 */
export class IndexQueue {
  readonly #index: (id: string) => void;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lengthMax: number;
  /** What waits, in order, each with a number that is higher than all before it. */
  readonly #waiting = new Map<string, number>();
  #running: Promise<void> | undefined;
  #last = 0;
  #failures = 0;
  /** Each waits until nothing up to a number is left. */
  #waiters: { readonly until: number; readonly resolve: () => void }[] = [];
  #closed = false;

  /**
   * @param index makes the newest version of a document searchable
   * @param lengthMax writers are asked to wait beyond this
   */
  constructor(index: (id: string) => void, clock: Clock, logger: Logger, lengthMax: number) {
    this.#index = index;
    this.#clock = clock;
    this.#logger = logger;
    this.#lengthMax = lengthMax;
  }

  /** Documents that wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Versions that could not be indexed. */
  get failures(): number {
    return this.#failures;
  }

  add(id: string): void {
    if (this.#closed) return;
    if (!this.#waiting.has(id)) this.#waiting.set(id, ++this.#last);
    this.#running ??= this.#run();
  }

  remove(id: string): void {
    if (this.#waiting.delete(id)) this.#advance();
  }

  /** Resolves when all that waits now is indexed. */
  whenIdle(): Promise<void> {
    return this.#whenAtMost(0);
  }

  /** Resolves when the queue has room; at once if it has. */
  whenRoom(): Promise<void> {
    return this.#waiting.size < this.#lengthMax ? Promise.resolve() : this.#whenAtMost(this.#lengthMax - 1);
  }

  /** Drops what waits: it is indexed after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const { resolve } of this.#waiters.splice(0)) resolve();
    await this.#running;
  }

  /** Resolves when all but `left` of what waits now is done: what comes later does not count. */
  #whenAtMost(left: number): Promise<void> {
    let missing = this.#waiting.size - left;
    for (const until of this.#waiting.values()) {
      missing -= 1;
      if (missing === 0) return new Promise((resolve) => this.#waiters.push({ until, resolve }));
    }
    return Promise.resolve();
  }

  async #run(): Promise<void> {
    await setImmediate();
    while (this.#waiting.size > 0) {
      const end = this.#clock.monotonicMs() + SLICE_MS;
      for (const id of this.#waiting.keys()) {
        this.#waiting.delete(id);
        this.#indexOne(id);
        this.#advance();
        if (this.#clock.monotonicMs() >= end) break;
      }
      await setImmediate();
    }
    this.#running = undefined;
  }

  #indexOne(id: string): void {
    try {
      this.#index(id);
    } catch (error) {
      this.#failures += 1;
      this.#logger({ level: "error", event: "indexFailed", message: `Document ${id} could not be indexed.`, error });
    }
  }

  #advance(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#waiting.values();
    const ready = this.#waiters.filter(({ until }) => until < oldest);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter(({ until }) => until >= oldest);
    for (const { resolve } of ready) resolve();
  }
}
