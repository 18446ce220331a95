import { LoredexError } from "../domain/errors.ts";
import { BotMemory, type HeldMemory, type MemoryBooks, type MemoryNeed } from "./bot-memory.ts";

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
  /** What bots hold, as they measure it, and writes in flight. */
  readonly heldBytes: number;
  readonly heapBytes: number;
  readonly processBytes: number;
}

export interface MemoryBudgetOptions {
  readonly reading: MemoryReading;
  readonly maxima: MemoryMaxima;
  /** Begins to close idle bots that hold at least so many bytes together; none where all hold less. */
  readonly evict: (bytes: number) => void;
  /** Told of every write that is refused, and which maximum it would pass. */
  readonly onRefused?: (which: string) => void;
}

/** A bot that holds all memory, while others are open, may fill it to 1 − this share of a maximum. A bot that holds no more than its equal share may fill all of it. */
const RESERVED_SHARE = 1 / 8;
/** What was accepted may fill memory this far beyond the maxima while it is read and indexed. */
const HEADROOM = 1.1;

/**
 * Refuses writes that grow a bot while the process is short of memory, so that no accepted write ends it. Idle bots are evicted before.
 *
 * Three things are limited: what bots hold by their own measure, the heap in use, and what the process takes. What accepted writes will still take is added to each:
 * a record until it is applied, a text until it is indexed. The heap counts as it was after its last full collection, with what bots have grown since: the rest may
 * be mostly garbage.
 */
export class MemoryBudget implements MemoryBooks {
  readonly #options: MemoryBudgetOptions;
  /** Open bots. */
  readonly #bots = new Set<BotMemory>();
  /** What they hold by their own measure, and what of it is text that waits to be indexed. */
  #held = 0;
  #waiting = 0;
  /** What writes take that are not applied. */
  #inFlight = 0;
  /** What bots have grown since the last collection, or will still grow, and the number of that collection. */
  #grown = 0;
  #collections = 0;
  /** Bytes of bots that are closing, and of bots closed since the last collection. They become garbage soon. */
  readonly #closing: Leaving = { bytes: 0, heapBytes: 0 };
  readonly #closed: Leaving = { bytes: 0, heapBytes: 0 };

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** The memory of a bot that is being opened. */
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
    if (this.#hasRoom(shortage) && this.hasRoomNow({ heapBytes: indexingBytes })) return;
    const [fullest] = [...uses()].sort((a, b) => (b.bytes + growing) / b.max - (a.bytes + growing) / a.max);
    const inMib = (bytes: number): string => (bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0);
    const which =
      fullest === undefined
        ? ""
        : `${fullest.what} ${inMib(fullest.bytes)} of ${inMib(fullest.max)} MiB, and this adds up to ${inMib(Math.max(growing, indexingBytes))}`;
    this.#options.onRefused?.(which);
    throw new LoredexError("OUT_OF_MEMORY", `${WRITES_REFUSED} (${which}). ${MORE_MEMORY}`);
  }

  hasRoomNow({ heapBytes = 0, otherBytes = 0, growing = 0 }: MemoryNeed): boolean {
    const { maxima } = this.#options;
    return this.#hasRoom(() =>
      Math.max(
        growing > 0 ? this.#held - this.#waiting + this.#inFlight + growing - maxima.heldBytes * HEADROOM : 0,
        this.#heapNeeded(this.#inFlight) + heapBytes - maxima.heapBytes * HEADROOM,
        this.#processNeeded(this.#inFlight) + heapBytes + otherBytes - maxima.processBytes * HEADROOM,
      ),
    );
  }

  #hasRoom(shortage: () => number): boolean {
    if (shortage() <= 0) return true;
    // What was deleted or reclaimed since may not be in the books yet.
    for (const bot of this.#bots) bot.follow();
    const bytes = shortage();
    if (bytes <= 0) return true;
    this.#options.evict(bytes);
    return shortage() <= 0;
  }

  /** The heap that is needed at most once `ahead` bytes of pending work are done. */
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

  /** How much more than its equal share a bot holds: 0 for one that holds no more, 1 for one that holds all. */
  #excessShare(botBytes: number): number {
    const share = this.#held / Math.max(1, this.#bots.size);
    return this.#held <= share ? 0 : Math.min(1, Math.max(0, (botBytes - share) / (this.#held - share)));
  }
}

/** How far something is used that has a maximum, in bytes. */
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
  "The service is short of memory at the moment, so nothing that grows can be written; reading and deleting go on";
