import { LoredexError } from "../model/errors.ts";
import { BOT_BYTES_MAX, BOT_DOCUMENTS_MAX, REGISTRATIONS_MAX, SOURCES_MAX } from "../model/limits.ts";
import { SNAPSHOT_LAG_BYTES_MAX } from "../model/options.ts";
import type { Store } from "../storage/store.ts";

/** The capacity of one bot. */
export interface CapacityMaxima {
  readonly bytes: number;
  readonly documents: number;
  readonly registrations: number;
  /** Bytes that the log may be ahead of its snapshot before imports wait for the next one. */
  readonly logBytes: number;
}

/** The maxima of every bot, unless others are given. */
export const CAPACITY_MAXIMA: CapacityMaxima = {
  bytes: BOT_BYTES_MAX,
  documents: BOT_DOCUMENTS_MAX,
  registrations: REGISTRATIONS_MAX,
  logBytes: SNAPSHOT_LAG_BYTES_MAX,
};

/**
 * Checks the capacity of a bot before a write reserves anything.
 * Records in flight count as if they were stored, so no accepted write can find the capacity taken.
 */
export class BotCapacity {
  readonly #storedBytes: () => number;
  readonly #maxima: CapacityMaxima;
  readonly #isIndexFull: () => boolean;
  #bytesInFlight = 0;

  /**
   * @param storedBytes bytes of the bot on disk: its newest snapshot, and the records after it
   * @param isIndexFull whether the index cannot take more passages, so that new documents could not be found
   */
  constructor(storedBytes: () => number, maxima: CapacityMaxima = CAPACITY_MAXIMA, isIndexFull = () => false) {
    this.#isIndexFull = isIndexFull;
    this.#storedBytes = storedBytes;
    this.#maxima = maxima;
  }

  /** Requires capacity for a record of `count` bytes. @throws LoredexError `BOT_FULL` */
  requireBytes(count: number): void {
    const bytes = this.#storedBytes() + this.#bytesInFlight;
    if (bytes + count > this.#maxima.bytes) {
      throw full(
        `The bot takes ${bytes} bytes, this write ${count} more, and all of it may be ${this.#maxima.bytes}. What is deleted makes room with the next snapshot, which is written when a write is refused`,
      );
    }
  }

  /** Requires capacity for one more article or imported document, beside `count`. @throws LoredexError `BOT_FULL` */
  requireDocument(count: number): void {
    const { documents } = this.#maxima;
    if (count >= documents)
      throw full(`The bot has ${count} articles and documents of the ${documents} that it may have`);
    if (this.#isIndexFull()) throw full("The index of the bot has no room for more passages");
  }

  /** Requires capacity for one more agent or channel, beside `count`. @throws LoredexError `BOT_FULL` */
  requireRegistration(count: number): void {
    const { registrations } = this.#maxima;
    if (count >= registrations)
      throw full(`The bot has ${count} of the ${registrations} agents or channels that it may have`);
  }

  /** Requires capacity for one more source, beside `count`. @throws LoredexError `BOT_FULL` */
  requireSource(count: number): void {
    if (count >= SOURCES_MAX) throw full(`The bot has ${count} of the ${SOURCES_MAX} sources that it may have`);
  }

  /** Counts a record on its way to the log. Returns a function that takes the count off again. */
  take(bytes: number): () => void {
    this.#bytesInFlight += bytes;
    return () => {
      this.#bytesInFlight -= bytes;
    };
  }
}

function full(why: string): LoredexError {
  return new LoredexError("BOT_FULL", `${why}. Delete what is not needed, or divide the knowledge among several bots.`);
}

/** Bytes of a bot's store that count to its capacity: its newest snapshot, and the records after it. */
export function storedBytes(store: Pick<Store, "sizes">): number {
  const { snapshotBytes, logBytesSinceSnapshot } = store.sizes();
  return snapshotBytes + logBytesSinceSnapshot;
}
