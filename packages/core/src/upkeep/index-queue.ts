import { LoredexError } from "../domain/errors.ts";
import type { Logger } from "../runtime/log-event.ts";
import type { Steps, Turns } from "../runtime/steps.ts";

/** A document that is written again while it is indexed restarts this often; then the version that was begun is finished first. */
const RESTARTS_MAX = 4;

/** The document that is being indexed. */
interface Current {
  readonly id: string;
  readonly number: number;
  /** `newer`: it has been written again. `gone`: it has been taken out. */
  state: "wanted" | "newer" | "gone";
  restarts: number;
}

/** Waits until nothing up to a number is left. */
interface Waiter {
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: LoredexError) => void;
}

export interface IndexQueueParts {
  /** Makes the newest version of a document searchable, in steps. */
  readonly index: (id: string) => Steps<void>;
  readonly turns: Turns;
  readonly logger: Logger;
  /** Writers are asked to wait beyond this. */
  readonly lengthMax: number;
  /** Default: there always is enough. */
  readonly memory?: IndexingMemory | undefined;
  /** Told when there is not enough for any document. */
  readonly onStalled?: (message: string) => void;
}

export interface IndexingMemory {
  /** Takes what a document needs while it is indexed. Returns what gives it back; undefined where there is not enough now. */
  readonly takeFor: (id: string) => (() => void) | undefined;
  /** Resolves when that may have changed, or the signal is aborted. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
}

/** For a document that lacks memory so many after it are tried. */
const TRIED_MAX = 16;

/**
 * Indexes what was written, in the background and in order, in turns that never hold up the rest. A document that is written again
 * while it waits keeps its place and is indexed once, in its newest version. One that is written again while it is indexed is begun anew, and
 * after some times finished as it was begun: what it has become meanwhile waits behind all others, or they would wait for ever.
 */
export class IndexQueue {
  readonly #parts: IndexQueueParts;
  /** What waits, in order, each with a number that is higher than all before it. What is being indexed is in it if it has been written again. */
  readonly #waiting = new Map<string, number>();
  /** What is to be done besides, before the next document. */
  readonly #chores: Steps<void>[] = [];
  #current: Current | undefined;
  #running: Promise<void> | undefined;
  #last = 0;
  #failures = 0;
  #waiters: Waiter[] = [];
  #closed = false;
  readonly #closing = new AbortController();
  #isStalled = false;
  #isTaking = false;
  /** Callers of {@link between}. Resolving one twice is harmless. */
  readonly #told = new Set<() => void>();

  constructor(parts: IndexQueueParts) {
    this.#parts = parts;
  }

  /** Documents that wait or are being indexed. */
  get length(): number {
    const { id, state } = this.#current ?? {};
    const isBesides = id !== undefined && state !== "gone" && !this.#waiting.has(id);
    return this.#waiting.size + (isBesides ? 1 : 0);
  }

  /** Whether a document waits or is being indexed. */
  has(id: string): boolean {
    return this.#waiting.has(id) || (this.#current?.id === id && this.#current.state !== "gone");
  }

  /** Versions that could not be indexed. */
  get failures(): number {
    return this.#failures;
  }

  add(id: string): void {
    if (this.#closed) return;
    // Whoever asks from now on waits for this number, and so for what is written now.
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

  /** Does this before the next document as well; settles with it. Resolves without it when the queue is closed. */
  between(steps: () => Steps<void>): Promise<void> {
    if (this.#closed) return Promise.resolve();
    let told: (() => void) | undefined;
    const done = new Promise<void>((resolve, reject) => {
      told = resolve;
      this.#told.add(resolve);
      this.addChore(toldOf(steps, { resolve, reject }));
    });
    return done.finally(() => told !== undefined && this.#told.delete(told));
  }

  /** Whether it does nothing any more. */
  get isClosed(): boolean {
    return this.#closed;
  }

  remove(id: string): void {
    this.#waiting.delete(id);
    if (this.#current?.id === id) this.#current.state = "gone";
    this.#advance();
  }

  /** Whether there is no memory for the next document: nothing is indexed until there is. */
  get isStalled(): boolean {
    // A bot is not evicted for its own sake.
    return this.#isStalled && !this.#isTaking;
  }

  /** Resolves when all that waits now is indexed. Rejects with `OUT_OF_MEMORY` while there is no memory for it. */
  whenIdle(): Promise<void> {
    return this.#whenAtMost(0);
  }

  /** Resolves when the queue has room; at once if it has, or if it stands still: then writes are refused for want of memory. */
  async whenRoom(): Promise<void> {
    if (this.#isStalled || this.length < this.#parts.lengthMax) return;
    await this.#whenAtMost(this.#parts.lengthMax - 1).catch(() => undefined);
  }

  /** Drops what waits: it is indexed after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    this.#waiting.clear();
    this.#chores.length = 0;
    for (const { resolve } of this.#waiters.splice(0)) resolve();
    await this.#running;
    for (const resolve of this.#told) resolve();
    this.#told.clear();
  }

  /** Resolves when all but `left` of what waits now is done: what comes later does not count. */
  #whenAtMost(left: number): Promise<void> {
    const numbers = this.#numbers();
    const until = numbers[numbers.length - left - 1];
    if (until === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ until, resolve, reject }));
  }

  /** Of all that is not done, in order. */
  #numbers(): number[] {
    const waiting = [...this.#waiting.values()];
    if (this.#current === undefined || this.#current.state === "gone") return waiting;
    const { number } = this.#current;
    // Where the first lacked memory, a later one is indexed before it.
    const isFirst = number < (waiting[0] ?? Number.POSITIVE_INFINITY);
    return isFirst ? [number, ...waiting] : [...waiting, number].sort((a, b) => a - b);
  }

  async #run(): Promise<void> {
    const { turns } = this.#parts;
    await turns.rest();
    for (;;) {
      const chore = this.#chores.shift();
      if (chore !== undefined) await this.#doChore(chore);
      else if (this.#current === undefined && this.#waiting.size === 0) break;
      else await this.#indexNext();
      await turns.restIfOver();
    }
    this.#running = undefined;
  }

  async #indexNext(): Promise<void> {
    const taken = this.#taken();
    if (taken === undefined) return this.#stall();
    this.#isStalled = false;
    this.#current = taken.current;
    try {
      await this.#indexOne(taken.current);
    } finally {
      taken.release();
    }
  }

  /** The first document for which there is memory, which is taken; undefined if there is none for any. */
  #taken(): { readonly current: Current; readonly release: () => void } | undefined {
    const { memory } = this.#parts;
    const current = this.#current;
    if (current !== undefined && (current.state === "gone" || this.#closed)) return { current, release: NOTHING };
    this.#isTaking = true;
    try {
      // One that is begun again keeps its place.
      for (const next of current === undefined ? this.#firstWaiting() : [current]) {
        const release = memory === undefined ? NOTHING : memory.takeFor(next.id);
        if (release !== undefined) return { current: next, release };
      }
      return undefined;
    } finally {
      this.#isTaking = false;
    }
  }

  *#firstWaiting(): Generator<Current> {
    let tried = 0;
    for (const [id, number] of this.#waiting) {
      if (tried++ > TRIED_MAX) return;
      yield { id, number, state: "wanted", restarts: 0 };
    }
  }

  /** Rejects all waiters: a stall may last for ever. */
  async #stall(): Promise<void> {
    if (!this.#isStalled) this.#parts.onStalled?.(STALLED);
    this.#isStalled = true;
    for (const { reject } of this.#waiters.splice(0)) reject(new LoredexError("OUT_OF_MEMORY", STALLED));
    await this.#parts.memory?.pause(this.#closing.signal);
  }

  /** What cannot be done is left: documents must not wait for it. */
  async #doChore(chore: Steps<void>): Promise<void> {
    try {
      await this.#parts.turns.take(chore, () => !this.#closed);
    } catch (error) {
      const message = "What was to be done for the index besides documents could not be done: it goes on as it is.";
      this.#parts.logger({ level: "error", event: "indexChoreFailed", message, error });
    }
  }

  async #indexOne(current: Current): Promise<void> {
    const { id } = current;
    this.#begin(current);
    const mayRestart = current.restarts < RESTARTS_MAX;
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
    current.restarts++;
    // Begun anew in its place: nobody before it has been told that it is there.
    if (!isDone && current.state === "newer" && !this.#closed) return;
    this.#current = undefined;
    this.#advance();
  }

  /** What is indexed now is the newest version: nothing of it waits. */
  #begin(current: Current): void {
    if (current.state === "gone") return;
    current.state = "wanted";
    this.#waiting.delete(current.id);
  }

  #advance(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#numbers();
    const ready = this.#waiters.filter(({ until }) => until < oldest);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter(({ until }) => until >= oldest);
    for (const { resolve } of ready) resolve();
  }
}

const NOTHING = (): void => undefined;

const STALLED =
  "The service is short of memory: what was written is kept, and is indexed as soon as there is memory for it. The operator can give it more memory, a larger heap (--max-old-space-size), or a higher --memory-max.";

/** The same work; whoever waits for it hears how it ended. */
function* toldOf(
  steps: () => Steps<void>,
  { resolve, reject }: { readonly resolve: () => void; readonly reject: (error: unknown) => void },
): Steps<void> {
  try {
    yield* steps();
    resolve();
  } catch (error) {
    reject(error);
  }
}

function* toTheEnd(steps: Steps<void>): Steps<true> {
  yield* steps;
  return true;
}
