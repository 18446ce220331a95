import type { SerialQueue } from "../scheduling/serial-queue.ts";

/**
 * On a shared storage a purge follows a removal after this many milliseconds. By then the other nodes have applied the removal, so that none
 * of them must read the whole state again. Removals of this time share a purge.
 */
const PURGE_AFTER_MS = 30_000;
/** A node that closes before that gives the others this many milliseconds. */
const FOLLOWED_MS = 1_000;

/** Dependencies of {@link RecordedPurges}. */
export interface RecordedPurgesDeps {
  readonly isShared: boolean;
  /** Number of the last record that is applied here. */
  readonly sequence: () => number;
  /** What runs in it runs one after the other: purges, and what else copies the state. */
  readonly queue: SerialQueue;
  /** Purges the store. Records after `through` may be left; default: none is. */
  readonly purge: (through?: number) => Promise<void>;
  /** Resolves after `ms` milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly idleSleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called when the purge after a removal has failed. */
  readonly notPurged: (error: unknown) => void;
}

/** When the store of a recorded state is purged. Calls that wait for a purge share it. */
export class RecordedPurges {
  readonly #deps: RecordedPurgesDeps;
  readonly #closing = new AbortController();
  /** A purge that has not begun yet: later calls share it. */
  #next: Promise<void> | undefined;
  /** The purge that follows removals on a shared storage. */
  #later: Promise<void> | undefined;
  /** Whether a removal was not purged yet. */
  #isDue = false;
  /** Whether this node has removed something: a purge of earlier removals need not happen before it closes. */
  #isOwn = false;

  constructor(deps: RecordedPurgesDeps) {
    this.#deps = deps;
  }

  /** Purges all records that are replaced at the call. */
  now(): Promise<void> {
    // Much may be removed at once: one waiting purge is enough for all of it.
    if (this.#next !== undefined) return this.#next;
    const purge = this.#deps.queue
      .run(() => {
        this.#next = undefined;
        return this.#deps.purge();
      })
      .finally(() => {
        // It may have failed before its turn: a later call must not share that.
        if (this.#next === purge) this.#next = undefined;
      });
    this.#next = purge;
    return purge;
  }

  /**
   * Purges after a removal: before this resolves, or within a minute if other nodes use the store. After a failure, the next purge repeats the work:
   * the removal is in force in any case.
   */
  async afterRemoval(isOwn = true): Promise<void> {
    if (!this.#deps.isShared) return this.now().catch(this.#deps.notPurged);
    this.#isDue = true;
    this.#isOwn ||= isOwn;
    this.#later ??= this.#purgeLater().finally(() => {
      this.#later = undefined;
    });
  }

  /** Purges what waits for it. Resolves when the queue is empty. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#later;
    await this.#deps.queue.settled();
  }

  async #purgeLater(): Promise<void> {
    const { signal } = this.#closing;
    const { idleSleep, sleep, sequence, queue, purge, notPurged } = this.#deps;
    while (this.#isDue) {
      this.#isDue = false;
      // Records after this one may be unknown to other nodes when the purge begins.
      const through = sequence();
      if (!signal.aborted) await idleSleep(PURGE_AFTER_MS - FOLLOWED_MS, signal);
      if (signal.aborted && !this.#isOwn) return;
      await sleep(FOLLOWED_MS);
      await queue.run(() => purge(through)).catch(notPurged);
    }
  }
}
