import type { IndexPin } from "./index-pin.ts";
import { Semaphore } from "./semaphore.ts";
import type { Sliced, TimeSlices } from "./time-slices.ts";

/** One version of the data that a search reads. It may change between two time slices. */
export interface VersionedIndex {
  /** Returns a function that tells later whether the index is still unchanged. */
  watch(): () => boolean;
  readonly pin: IndexPin;
}

/** A search of a queue. Its result is never undefined. */
export interface QueuedSearch<Result extends NonNullable<unknown>> {
  /** Begins the work; called again for a restart. */
  readonly begin: () => Sliced<Result>;
  /** The index that the work reads. If it changed between two slices, the work restarts. */
  readonly index?: VersionedIndex;
  /** Called before the work and after every yield; an error that it throws ends the work. */
  readonly check?: () => void;
  /** Ends the work at its next yield, and the wait for it immediately, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** After this number of restarts the work pins the index. */
const RESTARTS_MAX = 2;

/**
 * The search queue of one bot: answers one question at a time, in order of arrival. Its searches share memory, and a busy bot takes one place among
 * all bots.
 * A search runs in time slices on one version of the index. It restarts if the version changed between slices; after two restarts it pins the
 * version.
 */
export class SearchQueue {
  readonly #slices: TimeSlices;
  readonly #place = new Semaphore(1);

  constructor(slices: TimeSlices) {
    this.#slices = slices;
  }

  /** Answers one question. @throws the error of the work, or its signal's reason */
  async answer<Result extends NonNullable<unknown>>(search: QueuedSearch<Result>): Promise<Result> {
    const { begin, index, check, signal } = search;
    signal?.throwIfAborted();
    const wait = this.#place.acquire(signal);
    if (wait !== undefined) await wait;
    let isSame: (() => boolean) | undefined;
    let unpin: (() => Sliced<void>) | undefined;
    const isWanted = (): boolean => {
      signal?.throwIfAborted();
      check?.();
      return isSame === undefined || isSame();
    };
    try {
      check?.();
      if (this.#slices.isOver) {
        await this.#slices.yield();
        isWanted();
      }
      for (let restarts = 0; ; restarts++) {
        if (restarts === RESTARTS_MAX) unpin = index?.pin.pin();
        isSame = index?.watch();
        const result = await this.#slices.run(begin(), isWanted);
        if (result !== undefined) return result;
      }
    } finally {
      try {
        // The next search sees the changes that were deferred for this one.
        if (unpin !== undefined) await this.#slices.run(unpin());
      } finally {
        this.#place.release();
      }
    }
  }
}
