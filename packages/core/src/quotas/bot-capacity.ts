import { LoredexError } from "../model/errors.ts";
import { BOT_BYTES_MAX, BOT_DOCUMENTS_MAX, REGISTRATIONS_MAX, SOURCES_MAX } from "../model/limits.ts";
import { SNAPSHOT_LAG_BYTES_MAX } from "../model/options.ts";

/** What one bot may hold at most. */
export interface CapacityMaxima {
  readonly bytes: number;
  readonly documents: number;
  readonly registrations: number;
  /** Bytes that the log may be ahead of its snapshot before imports wait for that. */
  readonly logBytes: number;
}

export const CAPACITY_MAXIMA: CapacityMaxima = {
  bytes: BOT_BYTES_MAX,
  documents: BOT_DOCUMENTS_MAX,
  registrations: REGISTRATIONS_MAX,
  logBytes: SNAPSHOT_LAG_BYTES_MAX,
};

/**
 * Whether a bot has room for a write, asked before anything is reserved. What is in flight counts as if it were there: so no
 * write that was let in can find the room taken.
 */
export class BotCapacity {
  readonly #storedBytes: () => number;
  readonly #maxima: CapacityMaxima;
  readonly #isIndexFull: () => boolean;
  #bytesInFlight = 0;

  /**
   * @param storedBytes what the bot takes on disk: its newest snapshot, and the records after it
   * @param isIndexFull whether what is new could not be found
   */
  constructor(storedBytes: () => number, maxima: CapacityMaxima = CAPACITY_MAXIMA, isIndexFull = () => false) {
    this.#isIndexFull = isIndexFull;
    this.#storedBytes = storedBytes;
    this.#maxima = maxima;
  }

  /** @throws LoredexError `BOT_FULL` */
  requireBytes(count: number): void {
    const bytes = this.#storedBytes() + this.#bytesInFlight;
    if (bytes + count > this.#maxima.bytes) {
      throw full(
        `The bot takes ${bytes} bytes, this write ${count} more, and all of it may be ${this.#maxima.bytes}. What is deleted makes room with the next snapshot, which is written when a write is refused`,
      );
    }
  }

  /** Room for one more article or imported document. @throws LoredexError `BOT_FULL` */
  requireDocument(count: number): void {
    const { documents } = this.#maxima;
    if (count >= documents)
      throw full(`The bot has ${count} articles and documents of the ${documents} that it may have`);
    if (this.#isIndexFull()) throw full("The index of the bot has no room for more passages");
  }

  /** Room for one more agent or channel. @throws LoredexError `BOT_FULL` */
  requireRegistration(count: number): void {
    const { registrations } = this.#maxima;
    if (count >= registrations)
      throw full(`The bot has ${count} of the ${registrations} agents or channels that it may have`);
  }

  /** Room for one more source. @throws LoredexError `BOT_FULL` */
  requireSource(count: number): void {
    if (count >= SOURCES_MAX) throw full(`The bot has ${count} of the ${SOURCES_MAX} sources that it may have`);
  }

  /** Counts a record that is on its way to the log. Returns what takes it off again. */
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
