import { LoredexError } from "../model/errors.ts";
import type { Logger } from "../platform/log-event.ts";
import type { Sliced, TimeSlices } from "../scheduling/time-slices.ts";

/** The most restarts of a document that is written again while it is indexed. Then the version that was begun is finished first. */
const RESTARTS_MAX = 4;

/** The document that is being indexed. */
interface Current {
  readonly id: string;
  readonly number: number;
  /** `newer`: it was written again. `gone`: it was removed. */
  state: "wanted" | "newer" | "gone";
  restarts: number;
}

/** A caller that waits until all documents up to a number are indexed. */
interface Waiter {
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: LoredexError) => void;
}

export interface IndexQueueDeps {
  /** Makes the newest version of a document searchable, as sliced work. */
  readonly index: (id: string) => Sliced<void>;
  readonly slices: TimeSlices;
  readonly logger: Logger;
  /** The length from which on writers wait. */
  readonly lengthMax: number;
  /** Default: unlimited. */
  readonly memory?: IndexingMemory | undefined;
  /** Called when there is not enough memory for any document. */
  readonly onStalled?: (message: string) => void;
}

/** The memory that indexing may use. */
export interface IndexingMemory {
  /** Reserves the memory that indexing a document needs. Returns a function that releases it; undefined if there is not enough now. */
  readonly takeFor: (id: string) => (() => void) | undefined;
  /** Resolves when there may be memory again, or the signal is aborted. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
}

/** The most documents that are tried after one that lacks memory. */
const TRIED_MAX = 16;

/**
 * Indexes written documents in the background, in order, in time slices.
 *
 *     a document that                   is indexed
 *     waits, and is written again       once, in its newest version, in its old place
 *     is indexed, and is written again  again from the start, in its place; after four restarts,
 *                                       that version is finished, and the newest one waits behind all others
 *     lacks memory                      after up to 16 others that do not; if all lack it, the queue stalls
 *     is removed                        no more
 *
 * Chores run between two documents. Invariant: numbers only rise, so a caller waits for a number.
 */
export class IndexQueue {
  readonly #deps: IndexQueueDeps;
  /** The waiting documents in order, with their numbers. The current document is among them if it was written again. */
  readonly #waiting = new Map<string, number>();
  /** Sliced work that runs before the next document. */
  readonly #chores: Sliced<void>[] = [];
  #current: Current | undefined;
  #running: Promise<void> | undefined;
  #last = 0;
  #failures = 0;
  #waiters: Waiter[] = [];
  #closed = false;
  readonly #closing = new AbortController();
  #isStalled = false;
  #isTaking = false;
  /** The callers of {@link between}. Resolving one twice is harmless. */
  readonly #told = new Set<() => void>();

  constructor(deps: IndexQueueDeps) {
    this.#deps = deps;
  }

  /** The number of documents that wait or are being indexed. */
  get length(): number {
    const { id, state } = this.#current ?? {};
    const isBesides = id !== undefined && state !== "gone" && !this.#waiting.has(id);
    return this.#waiting.size + (isBesides ? 1 : 0);
  }

  /** Whether a document waits or is being indexed. */
  has(id: string): boolean {
    return this.#waiting.has(id) || (this.#current?.id === id && this.#current.state !== "gone");
  }

  /** The number of versions that could not be indexed. */
  get failures(): number {
    return this.#failures;
  }

  /** Queues the newest version of a document. A document that already waits keeps its place. */
  add(id: string): void {
    if (this.#closed) return;
    // Callers from now on wait for this number, and so for this write.
    if (!this.#waiting.has(id)) this.#waiting.set(id, ++this.#last);
    if (this.#current?.id === id && this.#current.state === "wanted") this.#current.state = "newer";
    this.#running ??= this.#run();
  }

  /** Adds sliced work that runs before the next document. Nobody waits for it. */
  addChore(steps: Sliced<void>): void {
    if (this.#closed) return;
    this.#chores.push(steps);
    this.#running ??= this.#run();
  }

  /** Runs sliced work before the next document, and settles with it. Resolves without it when the queue is closed. */
  between(steps: () => Sliced<void>): Promise<void> {
    if (this.#closed) return Promise.resolve();
    let told: (() => void) | undefined;
    const done = new Promise<void>((resolve, reject) => {
      told = resolve;
      this.#told.add(resolve);
      this.addChore(toldOf(steps, { resolve, reject }));
    });
    return done.finally(() => told !== undefined && this.#told.delete(told));
  }

  /** Whether the queue is closed. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Removes a document from the queue, and stops indexing it. */
  remove(id: string): void {
    this.#waiting.delete(id);
    if (this.#current?.id === id) this.#current.state = "gone";
    this.#advance();
  }

  /** Whether there is no memory for any document that was tried: nothing is indexed until there is. */
  get isStalled(): boolean {
    // While the queue asks for memory, its own bot must not be evicted for it.
    return this.#isStalled && !this.#isTaking;
  }

  /** Resolves when all documents that wait now are indexed. Rejects with `OUT_OF_MEMORY` while there is no memory for them. */
  whenIdle(): Promise<void> {
    return this.#whenAtMost(0);
  }

  /** The number of the version of a document that waits or is being indexed; 0 if none does. */
  numberOf(id: string): number {
    return this.#waiting.get(id) ?? (this.has(id) ? (this.#current?.number ?? 0) : 0);
  }

  /** Whether all versions up to this number are indexed. */
  isIndexed(until: number): boolean {
    return until < this.#oldest;
  }

  /** Resolves when they are. Rejects as {@link whenIdle}. */
  async whenIndexed(until: number): Promise<void> {
    if (!this.isIndexed(until)) await this.#when(until);
  }

  /** Resolves when the queue is shorter than `lengthMax`; at once if it is, or if it is stalled: then writes are refused for lack of memory. */
  async whenNotFull(): Promise<void> {
    if (this.#isStalled || this.length < this.#deps.lengthMax) return;
    await this.#whenAtMost(this.#deps.lengthMax - 1).catch(() => undefined);
  }

  /** Closes the queue. Waiting documents are indexed after the next start. */
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

  /** Resolves when all but `left` of the documents that wait now are indexed; later ones do not count. */
  #whenAtMost(left: number): Promise<void> {
    const numbers = this.#numbers();
    const until = numbers[numbers.length - left - 1];
    return until === undefined ? Promise.resolve() : this.#when(until);
  }

  #when(until: number): Promise<void> {
    return new Promise((resolve, reject) => this.#waiters.push({ until, resolve, reject }));
  }

  /** The lowest number of an unfinished document. */
  get #oldest(): number {
    const [waiting = Number.POSITIVE_INFINITY] = this.#waiting.values();
    const current = this.#current;
    return current === undefined || current.state === "gone" ? waiting : Math.min(current.number, waiting);
  }

  /** The numbers of all unfinished documents, in order. */
  #numbers(): number[] {
    const waiting = [...this.#waiting.values()];
    if (this.#current === undefined || this.#current.state === "gone") return waiting;
    const { number } = this.#current;
    // If the first document lacked memory, a later one is indexed before it.
    const isFirst = number < (waiting[0] ?? Number.POSITIVE_INFINITY);
    return isFirst ? [number, ...waiting] : [...waiting, number].sort((a, b) => a - b);
  }

  async #run(): Promise<void> {
    const { slices } = this.#deps;
    await slices.yield();
    for (;;) {
      const chore = this.#chores.shift();
      if (chore !== undefined) await this.#doChore(chore);
      else if (this.#current === undefined && this.#waiting.size === 0) break;
      else await this.#indexNext();
      await slices.yieldIfOver();
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

  /** The first document for which there is memory, with its reservation; undefined if there is none for any. */
  #taken(): { readonly current: Current; readonly release: () => void } | undefined {
    const { memory } = this.#deps;
    const current = this.#current;
    if (current !== undefined && (current.state === "gone" || this.#closed)) return { current, release: NOTHING };
    this.#isTaking = true;
    try {
      // A restarted document keeps its place.
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

  /** Marks the queue as stalled, rejects all waiting callers, as a stall may last for ever, and pauses. */
  async #stall(): Promise<void> {
    if (!this.#isStalled) this.#deps.onStalled?.(STALLED);
    this.#isStalled = true;
    for (const { reject } of this.#waiters.splice(0)) reject(new LoredexError("OUT_OF_MEMORY", STALLED));
    await this.#deps.memory?.pause(this.#closing.signal);
  }

  /** Runs a chore. A failed chore is logged and dropped: documents must not wait for it. */
  async #doChore(chore: Sliced<void>): Promise<void> {
    try {
      await this.#deps.slices.run(chore, () => !this.#closed);
    } catch (error) {
      const message =
        "What was to be done for the index besides documents could not be done: the index stays as it is.";
      this.#deps.logger({ level: "error", event: "indexChoreFailed", message, error });
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
      isDone = (await this.#deps.slices.run(toTheEnd(this.#deps.index(id)), isWanted)) === true;
    } catch (error) {
      this.#failures += 1;
      const message = `Document ${id} could not be indexed.`;
      this.#deps.logger({ level: "error", event: "indexFailed", message, error });
    }
    current.restarts++;
    // The restart keeps its place, so no waiting caller is told yet.
    if (!isDone && current.state === "newer" && !this.#closed) return;
    this.#current = undefined;
    this.#advance();
  }

  /** Marks the document as current: its newest version is being indexed, and none waits. */
  #begin(current: Current): void {
    if (current.state === "gone") return;
    current.state = "wanted";
    this.#waiting.delete(current.id);
  }

  #advance(): void {
    const oldest = this.#oldest;
    const ready = this.#waiters.filter(({ until }) => until < oldest);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter(({ until }) => until >= oldest);
    for (const { resolve } of ready) resolve();
  }
}

const NOTHING = (): void => undefined;

const STALLED =
  "The service is short of memory: what was written is kept, and is indexed as soon as there is memory for it. The operator can give it more memory, a larger heap (--max-old-space-size), or a higher --memory-max.";

/** The same work; settles a promise when it ends. */
function* toldOf(
  steps: () => Sliced<void>,
  { resolve, reject }: { readonly resolve: () => void; readonly reject: (error: unknown) => void },
): Sliced<void> {
  try {
    yield* steps();
    resolve();
  } catch (error) {
    reject(error);
  }
}

function* toTheEnd(steps: Sliced<void>): Sliced<true> {
  yield* steps;
  return true;
}
