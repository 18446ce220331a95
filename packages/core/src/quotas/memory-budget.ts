import { LoredexError } from "../model/errors.ts";
import { BotMemory, type HeldMemory, type MemoryBooks, type MemoryNeed } from "./bot-memory.ts";

/** Reads the memory of the process. It must answer at once, since it is read before each write that grows a bot. */
export interface MemoryReading {
  readonly heap: () => HeapReading;
  /** Resident memory of the process, in bytes. */
  readonly processBytes: () => number;
}

/** A reading of the JavaScript heap. */
export interface HeapReading {
  /** Bytes in use, garbage included. */
  readonly usedBytes: number;
  /** Bytes in use right after the last full collection. */
  readonly liveBytes: number;
  /** Full collections so far; 0 while `liveBytes` is not known. */
  readonly collections: number;
}

/** How far writes may fill memory, in bytes. */
export interface MemoryMaxima {
  /** Maximum of the bots' own measures and the writes in flight together. */
  readonly heldBytes: number;
  readonly heapBytes: number;
  readonly processBytes: number;
}

/** Options of {@link MemoryBudget}. */
export interface MemoryBudgetOptions {
  readonly reading: MemoryReading;
  readonly maxima: MemoryMaxima;
  /** Begins to close idle bots that hold at least `bytes` together. Closes none if all idle bots hold less. */
  readonly evict: (bytes: number) => void;
  /** Called for every refused write, with the maximum that it would exceed. */
  readonly onRefused?: (which: string) => void;
}

/**
 * Share of a maximum that is reserved for the other open bots. A bot that holds all memory may fill 1 − this share.
 * A bot that holds no more than its equal share may fill the whole maximum.
 */
const RESERVED_SHARE = 1 / 8;
/** Factor by which accepted writes may exceed the maxima while they are read and indexed. */
const HEADROOM = 1.1;

/**
 * Refuses writes that grow a bot while the process is short of memory, so that no accepted write ends the process. Caches are emptied first, then idle
 * bots are evicted.
 *
 * Three amounts are limited: memory that bots hold by their own measure, the heap in use, and resident memory of the process.
 * Memory that accepted writes will still take is added to each: a record until it is applied, a text until it is indexed.
 * The heap counts as it was after its last full collection, plus the growth of bots since then. The rest may be mostly garbage.
 */
export class MemoryBudget implements MemoryBooks {
  readonly #options: MemoryBudgetOptions;
  /** Open bots. */
  readonly #bots = new Set<BotMemory>();
  /** Bytes that open bots hold by their own measure, and the bytes of these for text that is not indexed yet. */
  #held = 0;
  #waiting = 0;
  /** Bytes of writes that are not applied yet, and of background jobs that are running. */
  #inFlight = 0;
  /** Growth of bots since the last full collection, pending growth included, and the number of that collection. */
  #grown = 0;
  #collections = 0;
  /** Bytes of bots that are closing, and of bots closed since the last collection. They become garbage soon. */
  readonly #closing: Leaving = { bytes: 0, heapBytes: 0 };
  readonly #closed: Leaving = { bytes: 0, heapBytes: 0 };

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Opens the account of a bot that is being opened. */
  ofBot(): BotMemory {
    const bot = new BotMemory(this);
    this.#bots.add(bot);
    return bot;
  }

  measured(before: HeldMemory, now: HeldMemory): void {
    this.#followCollections();
    this.#held += now.bytes - before.bytes;
    this.#waiting += now.waitingBytes - before.waitingBytes;
    this.#grown += now.bytes - before.bytes;
  }

  closing(bot: BotMemory, held: HeldMemory): void {
    this.#followCollections();
    this.#bots.delete(bot);
    this.#held -= held.bytes;
    this.#waiting -= held.waitingBytes;
    this.#grown -= held.waitingBytes;
    add(this.#closing, held, 1);
  }

  closed(held: HeldMemory): void {
    this.#followCollections();
    add(this.#closing, held, -1);
    add(this.#closed, held, 1);
  }

  take(bytes: number): () => void {
    this.#count(bytes);
    return () => this.#count(-bytes);
  }

  #count(bytes: number): void {
    this.#followCollections();
    this.#inFlight += bytes;
    this.#grown += bytes;
  }

  require(botBytes: number, growing: number, indexingBytes: number): void {
    const uses = (): readonly Use[] => {
      const { heldBytes, heapBytes, processBytes } = this.#options.maxima;
      const ahead = this.#inFlight + this.#waiting;
      return [
        { what: "bots hold", bytes: this.#held + this.#inFlight, max: heldBytes },
        { what: "the heap needs", bytes: this.#heapNeeded(ahead), max: heapBytes },
        { what: "the process takes", bytes: this.#processNeeded(ahead), max: processBytes },
      ];
    };
    const shortage = (): number => {
      const share = 1 - RESERVED_SHARE * this.#excessShare(botBytes);
      return Math.max(...uses().map(({ bytes, max }) => bytes + growing - max * share));
    };
    if (this.#hasCapacity(shortage) && this.hasCapacityNow({ heapBytes: indexingBytes })) return;
    const [fullest] = [...uses()].sort((a, b) => (b.bytes + growing) / b.max - (a.bytes + growing) / a.max);
    const inMib = (bytes: number): string => (bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0);
    const which =
      fullest === undefined
        ? ""
        : `${fullest.what} ${inMib(fullest.bytes)} of ${inMib(fullest.max)} MiB, and this adds up to ${inMib(Math.max(growing, indexingBytes))}`;
    this.#options.onRefused?.(which);
    throw new LoredexError("OUT_OF_MEMORY", `${WRITES_REFUSED} (${which}). ${MORE_MEMORY}`);
  }

  hasCapacityNow({ heapBytes = 0, otherBytes = 0, growing = 0 }: MemoryNeed): boolean {
    const { maxima } = this.#options;
    return this.#hasCapacity(() =>
      Math.max(
        growing > 0 ? this.#held - this.#waiting + this.#inFlight + growing - maxima.heldBytes * HEADROOM : 0,
        this.#heapNeeded(this.#inFlight) + heapBytes - maxima.heapBytes * HEADROOM,
        this.#processNeeded(this.#inFlight) + heapBytes + otherBytes - maxima.processBytes * HEADROOM,
      ),
    );
  }

  #hasCapacity(shortage: () => number): boolean {
    if (shortage() <= 0) return true;
    // Deleted documents and reclaimed memory may not be in the accounts yet.
    for (const bot of this.#bots) bot.follow();
    if (shortage() <= 0) return true;
    // Caches are filled again by later searches. So they never refuse a write.
    for (const bot of this.#bots) bot.emptyCaches();
    const bytes = shortage();
    if (bytes <= 0) return true;
    this.#options.evict(bytes);
    return shortage() <= 0;
  }

  /** Upper bound on the heap that is needed once `ahead` bytes of pending work are done. */
  #heapNeeded(ahead: number): number {
    const { usedBytes, liveBytes, collections } = this.#followCollections();
    const now = usedBytes + ahead;
    const notAsked = this.#inFlight + this.#waiting - ahead;
    const needed = collections === 0 ? now : Math.min(now, liveBytes + this.#grown - notAsked);
    return needed - this.#closing.heapBytes - this.#closed.heapBytes;
  }

  #processNeeded(ahead: number): number {
    return this.#options.reading.processBytes() + ahead - this.#closing.bytes - this.#closed.bytes;
  }

  #followCollections(): HeapReading {
    const heap = this.#options.reading.heap();
    if (heap.collections !== this.#collections) {
      this.#collections = heap.collections;
      this.#grown = this.#inFlight + this.#waiting;
      Object.assign(this.#closed, { bytes: 0, heapBytes: 0 });
    }
    return heap;
  }

  /** Excess of a bot over its equal share: 0 for a bot that holds no more than that, 1 for a bot that holds all. */
  #excessShare(botBytes: number): number {
    const share = this.#held / Math.max(1, this.#bots.size);
    return this.#held <= share ? 0 : Math.min(1, Math.max(0, (botBytes - share) / (this.#held - share)));
  }
}

/** The use of one of the limited amounts, in bytes. */
interface Use {
  readonly what: string;
  readonly bytes: number;
  readonly max: number;
}

interface Leaving {
  bytes: number;
  heapBytes: number;
}

function add(sum: Leaving, { bytes, heapBytes, waitingBytes }: HeldMemory, sign: 1 | -1): void {
  sum.bytes += sign * (bytes - waitingBytes);
  sum.heapBytes += sign * heapBytes;
}

const MORE_MEMORY =
  "Please try again later. The operator can give it more memory, a larger heap (--max-old-space-size), or a higher --memory-max.";
const WRITES_REFUSED =
  "The service is short of memory at the moment, so nothing that grows can be written; reading and deleting still work";
