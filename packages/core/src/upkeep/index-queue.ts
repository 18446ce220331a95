import type { Logger } from "../runtime/log-event.ts";
import type { Steps, Turns } from "../runtime/steps.ts";

/** A document that is written again while it is indexed is begun anew so often; then the version that was begun is finished first. */
const RESTARTS_MAX = 4;

/** The document that is being indexed. */
interface Current {
  readonly id: string;
  /** `newer`: it has been written again. `gone`: it has been taken out. */
  state: "wanted" | "newer" | "gone";
}

export interface IndexQueueParts {
  /** Makes the newest version of a document searchable, in steps. */
  readonly index: (id: string) => Steps<void>;
  readonly turns: Turns;
  readonly logger: Logger;
  /** Writers are asked to wait beyond this. */
  readonly lengthMax: number;
}

/**
 * Indexes what was written, in the background and in order, in turns that never hold up the rest. A document that is written again
 * while it waits keeps its place and is indexed once, in its newest version.
 */
export class IndexQueue {
  readonly #parts: IndexQueueParts;
  /** What waits or is being indexed, in order, each with a number that is higher than all before it. */
  readonly #waiting = new Map<string, number>();
  /** What is to be done besides, before the next document. */
  readonly #chores: Steps<void>[] = [];
  #current: Current | undefined;
  #restarts = 0;
  #running: Promise<void> | undefined;
  #last = 0;
  #failures = 0;
  /** Each waits until nothing up to a number is left. */
  #waiters: { readonly until: number; readonly resolve: () => void }[] = [];
  #closed = false;

  constructor(parts: IndexQueueParts) {
    this.#parts = parts;
  }

  /** Documents that wait or are being indexed. */
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
    if (this.#current?.id === id && this.#current.state === "wanted") this.#current.state = "newer";
    this.#running ??= this.#run();
  }

  /** Does this as well, before the next document. Nobody waits for it. */
  addChore(steps: Steps<void>): void {
    if (this.#closed) return;
    this.#chores.push(steps);
    this.#running ??= this.#run();
  }

  remove(id: string): void {
    if (this.#current?.id === id) this.#current.state = "gone";
    if (this.#waiting.delete(id)) this.#advance();
  }

  /** Resolves when all that waits now is indexed. */
  whenIdle(): Promise<void> {
    return this.#whenAtMost(0);
  }

  /** Resolves when the queue has room; at once if it has. */
  whenRoom(): Promise<void> {
    return this.#waiting.size < this.#parts.lengthMax ? Promise.resolve() : this.#whenAtMost(this.#parts.lengthMax - 1);
  }

  /** Drops what waits: it is indexed after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    this.#chores.length = 0;
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
    const { turns } = this.#parts;
    await turns.rest();
    for (;;) {
      const chore = this.#chores.shift();
      const [id] = this.#waiting.keys();
      if (chore !== undefined) await turns.take(chore, () => !this.#closed);
      else if (id !== undefined) await this.#indexOne(id);
      else break;
      await turns.restIfOver();
    }
    this.#running = undefined;
  }

  async #indexOne(id: string): Promise<void> {
    const current: Current = { id, state: "wanted" };
    this.#current = current;
    const mayRestart = this.#restarts < RESTARTS_MAX;
    const isWanted = (): boolean =>
      !this.#closed && (current.state === "wanted" || (current.state === "newer" && !mayRestart));
    let isDone = true;
    try {
      isDone = (await this.#parts.turns.take(toTheEnd(this.#parts.index(id)), isWanted)) === true;
    } catch (error) {
      this.#failures += 1;
      const message = `Document ${id} could not be indexed.`;
      this.#parts.logger({ level: "error", event: "indexFailed", message, error });
    }
    this.#current = undefined;
    this.#restarts = isDone ? 0 : this.#restarts + 1;
    // What is gone has left the queue already; what has been written again keeps its place.
    if (current.state !== "wanted" || !isDone) return;
    this.#waiting.delete(id);
    this.#advance();
  }

  #advance(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#waiting.values();
    const ready = this.#waiters.filter(({ until }) => until < oldest);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter(({ until }) => until >= oldest);
    for (const { resolve } of ready) resolve();
  }
}

function* toTheEnd(steps: Steps<void>): Steps<true> {
  yield* steps;
  return true;
}
