import { setImmediate, setTimeout } from "node:timers/promises";
import { SerialQueue } from "./serial-queue.ts";

/** Yields: resolves when the caller may continue. */
export type Lane = () => Promise<unknown>;

/** The most rounds that pass without a time slice. */
const ROUNDS_MAX = 16;

/**
 * Hands out the rounds of the event loop to everything that computes for long. Each lane is a queue: of all callers that wait in it, one continues per
 * round. So a round takes as long as the longest time slice, however many bots are being opened, indexed, written or searched.
 */
class Scheduler {
  #arrivals = 0;
  #answersWaiting = 0;

  /**
   * The lane of large answers and large requests. In the background lane, a client that waits for its answer would stand behind the work of every
   * bot after each slice.
   */
  readonly answers = newLane(async () => {
    this.#answersWaiting++;
    await setImmediate();
    this.#answersWaiting--;
  });

  /** The lane of long searches. */
  readonly searches = newLane(() => this.#quietRound());

  /** The lane of background jobs: indexing, vectors, graphs, snapshots, lists. */
  readonly background = newLane(() => this.#quietRound());

  /**
   * Notes that a client has connected, or that a request waits to begin. The background and search lanes then let rounds pass without a time slice.
   * A round with a slice takes as long as the slice, and each round accepts one connection, continues one answer and begins one request.
   */
  noteArrival(): void {
    this.#arrivals++;
  }

  /** Lets rounds pass until one brings no client and no answer waits, at most {@link ROUNDS_MAX}. */
  async #quietRound(): Promise<void> {
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
      const before = this.#arrivals;
      await setImmediate();
      if (this.#arrivals === before && this.#answersWaiting === 0) return;
    }
  }
}

function newLane(round: () => Promise<void>): () => Promise<void> {
  const queue = new SerialQueue();
  return () => queue.run(round);
}

/** The scheduler of the process, which has one event loop. */
export const scheduler = new Scheduler();

/** Yields for one millisecond. */
export const aMillisecond: Lane = () => setTimeout(1);
