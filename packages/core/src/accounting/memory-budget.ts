import { LoredexError } from "../domain/errors.ts";

/** What the process takes now. It must answer at once: it is asked before each write that grows a bot. */
export interface MemoryReading {
  readonly heap: () => HeapReading;
  /** Resident memory of the process, in bytes. */
  readonly processBytes: () => number;
}

export interface HeapReading {
  /** Bytes in use, garbage included. */
  readonly usedBytes: number;
  /** Bytes in use right after the last full collection. */
  readonly liveBytes: number;
  /** Full collections so far; 0 while `liveBytes` is not known. */
  readonly collections: number;
}

/** How far memory may be filled by what is written, in bytes. */
export interface MemoryMaxima {
  /** What bots hold, as they are measured, and writes in flight. */
  readonly heldBytes: number;
  readonly heapBytes: number;
  readonly processBytes: number;
}

/** What open bots hold in memory. */
export interface HeldByBots {
  readonly bytes: number;
  readonly bots: number;
}

/** What the budget has to know of a bot. */
export interface BotMemory {
  /** Bytes that the bot holds. */
  readonly bytes: () => number;
  /** Bytes that its index will take for a UTF-16 unit of text. */
  readonly indexBytesAUnit: () => number;
}

/** The most that a write adds to the memory of its bot. */
export interface Growth {
  /** Bytes on the JavaScript heap. */
  readonly heapBytes: number;
  /** Text that the index will read, in UTF-16 units. */
  readonly textUnits: number;
}

/** A bot that holds all memory may fill it to 1 − this share of a maximum. A bot that holds no more than its equal share may fill all of it. */
const RESERVED_SHARE = 1 / 8;

/**
 * Refuses writes that grow a bot while the process is short of memory, so that no accepted write ends it.
 *
 * Three things are limited: what bots hold by their own measure, the heap in use, and what the process takes. The heap counts as it was after its last
 * full collection, plus what was accepted since: the rest may be mostly garbage.
 */
export class MemoryBudget {
  readonly #reading: MemoryReading;
  readonly #maxima: MemoryMaxima;
  readonly #held: () => HeldByBots;
  readonly #onRefused: () => void;
  /** What writes in flight will take. */
  #inFlight = 0;
  /** What was accepted since the last collection, and the number of that collection. */
  #accepted = 0;
  #collections = 0;

  /** `onRefused` is told of every write that is refused. */
  constructor(
    reading: MemoryReading,
    maxima: MemoryMaxima,
    held: () => HeldByBots,
    onRefused: () => void = () => undefined,
  ) {
    this.#onRefused = onRefused;
    this.#reading = reading;
    this.#maxima = maxima;
    this.#held = held;
  }

  /** The budget for the writes of one bot. */
  of({ bytes, indexBytesAUnit }: BotMemory) {
    const bytesOf = ({ heapBytes, textUnits }: Growth): number => heapBytes + textUnits * indexBytesAUnit();
    return {
      require: (growth: Growth): void => {
        const growing = bytesOf(growth);
        if (growing > 0) this.require(bytes(), growing);
      },
      take: (growth: Growth): (() => void) => this.take(bytesOf(growth)),
    };
  }

  /**
   * Asks for room for a write.
   * @param botBytes what its bot holds
   * @param growing bytes of memory by which the write makes the bot larger
   * @throws LoredexError `OUT_OF_MEMORY`
   */
  require(botBytes: number, growing: number): void {
    const held = this.#held();
    const room = 1 - RESERVED_SHARE * excessShare(botBytes, held);
    const { heldBytes, heapBytes, processBytes } = this.#maxima;
    const isShort =
      held.bytes + this.#inFlight + growing > heldBytes * room ||
      this.#liveHeap(heapBytes * room - growing) + growing > heapBytes * room ||
      this.#reading.processBytes() + growing > processBytes * room;
    if (!isShort) return;
    this.#onRefused();
    throw new LoredexError("OUT_OF_MEMORY", OUT_OF_MEMORY);
  }

  /** Counts an accepted write by the bytes of memory that it takes. Returns a function that subtracts it: call it when the bot has the write, or the write has failed. */
  take(growing: number): () => void {
    this.#inFlight += growing;
    this.#accepted += growing;
    return () => {
      this.#inFlight -= growing;
    };
  }

  /** The most of the heap that is needed. It is exact only where more than `enough` is in use. */
  #liveHeap(enough: number): number {
    const { usedBytes, liveBytes, collections } = this.#reading.heap();
    if (collections !== this.#collections) {
      this.#collections = collections;
      this.#accepted = this.#inFlight;
    }
    if (usedBytes <= enough || collections === 0) return usedBytes;
    return Math.min(usedBytes, liveBytes + this.#accepted);
  }
}

/** How much more than its equal share a bot holds: 0 for one that holds no more, 1 for one that holds all. */
function excessShare(botBytes: number, { bytes, bots }: HeldByBots): number {
  const share = bytes / Math.max(1, bots);
  return bytes <= share ? 0 : Math.min(1, Math.max(0, (botBytes - share) / (bytes - share)));
}

const OUT_OF_MEMORY =
  "The service is short of memory at the moment, so nothing that grows can be written; reading and deleting go on. Please try again later. The operator can give it more memory, a larger heap (--max-old-space-size), or a higher --memory-max.";
