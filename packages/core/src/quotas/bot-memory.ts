import { LoredexError } from "../model/errors.ts";

/** Upper bound on the memory that a write adds to its bot. */
export interface Growth {
  /** Bytes on the JavaScript heap. */
  readonly heapBytes: number;
  /** Text that the index will read, in UTF-16 units. */
  readonly textUnits: number;
  /** Upper bound on the bytes that indexing this text takes while it runs. */
  readonly indexingBytes: number;
}

/** Memory that a bot holds, by its own measure. */
export interface HeldMemory {
  readonly bytes: number;
  /** Bytes of it that are certainly on the JavaScript heap. The rest may be arrays outside of it. */
  readonly heapBytes: number;
  /** Bytes of it that the index will take for text that is not indexed yet. */
  readonly waitingBytes: number;
}

/** Memory that is about to be taken for writes that were accepted before, in bytes. Default: 0 each. */
export interface MemoryNeed {
  /** On the JavaScript heap, or outside of it. */
  readonly heapBytes?: number;
  /** Certainly outside of the JavaScript heap. */
  readonly otherBytes?: number;
  /** Growth of the bot by it. */
  readonly growing?: number;
}

/** How a bot measures its memory. */
export interface MemoryMeasure {
  readonly held: () => HeldMemory;
  /** Bytes that the bot's index will take per UTF-16 unit of text. */
  readonly indexBytesAUnit: () => number;
  /** Empties the caches that searches fill. */
  readonly emptyCaches: () => void;
}

/** The accounts of the memory of all bots. */
export interface MemoryBooks {
  /** Records that a bot held `before`, and holds `now`. */
  measured(before: HeldMemory, now: HeldMemory): void;
  /** Records that a bot is being closed. It held `held` by its last measure. */
  closing(bot: BotMemory, held: HeldMemory): void;
  /** Records that a bot is closed. */
  closed(held: HeldMemory): void;
  /** Counts bytes of a write or a background job, until the returned function is called. */
  take(bytes: number): () => void;
  /** Requires memory for a write by which a bot of `botBytes` grows by `growing`, and for indexing it. @throws LoredexError `OUT_OF_MEMORY` */
  require(botBytes: number, growing: number, indexingBytes: number): void;
  /** Whether there is memory for `need` now. Other bots are evicted for it, but not the bot that needs it. */
  hasCapacityNow(need: MemoryNeed): boolean;
}

/** The memory account of one bot, from its opening until it is closed. */
export class BotMemory {
  readonly #books: MemoryBooks;
  #measure: MemoryMeasure | undefined;
  /** The last measure, as the accounts have it. */
  #held: HeldMemory = { bytes: 0, heapBytes: 0, waitingBytes: 0 };
  #state: "open" | "closing" | "closed" = "open";

  constructor(books: MemoryBooks) {
    this.#books = books;
  }

  /** Sets how the bot measures its memory, and measures it. */
  measureBy(measure: MemoryMeasure): void {
    this.#measure = measure;
    this.follow();
  }

  /** Measures the bot and updates the accounts. To be called when the bot has grown: also by a search, which fills caches. */
  follow(): HeldMemory {
    if (this.#state !== "open" || this.#measure === undefined) return this.#held;
    const before = this.#held;
    this.#held = this.#measure.held();
    this.#books.measured(before, this.#held);
    return this.#held;
  }

  /** Empties the bot's caches, for memory that writes need. */
  emptyCaches(): void {
    if (this.#state !== "open") return;
    this.#measure?.emptyCaches();
    this.follow();
  }

  /** Requires memory for a write. A write that adds nothing is never refused. @throws LoredexError `OUT_OF_MEMORY` */
  require(growth: Growth): void {
    const growing = this.#bytesOf(growth);
    if (growing <= 0) return;
    this.follow();
    this.#books.require(this.#held.bytes, growing, growth.indexingBytes);
  }

  /** Counts an accepted write. Returns a function that takes the count off: call it when the write is applied or has failed. */
  take(growth: Growth): () => void {
    const release = this.#books.take(Math.max(0, this.#bytesOf(growth)));
    return () => {
      release();
      this.follow();
    };
  }

  #bytesOf({ heapBytes, textUnits }: Growth): number {
    return heapBytes + textUnits * (this.#measure?.indexBytesAUnit() ?? 0);
  }

  /** Takes memory for work on accepted writes. Returns a function that gives it back; undefined if there is not enough memory now. */
  takeNow(need: MemoryNeed): (() => void) | undefined {
    this.follow();
    return this.#books.hasCapacityNow(need) ? this.#books.take(need.heapBytes ?? 0) : undefined;
  }

  /** Checks, while the bot is opened, whether memory can hold it and `need`. @throws LoredexError `OUT_OF_MEMORY` */
  requireOpenable(need: MemoryNeed = {}): void {
    this.follow();
    if (!this.#books.hasCapacityNow(need)) throw new LoredexError("OUT_OF_MEMORY", NOT_OPENED);
  }

  /** Records that the bot is being closed. From now on its memory counts as free. */
  leave(): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#books.closing(this, this.#held);
  }

  /** Records that the bot is closed. */
  close(): void {
    this.leave();
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#books.closed(this.#held);
  }
}

const NOT_OPENED =
  "The service has too little memory to open this bot; others are served. It is tried again with later requests. The operator can give it more memory, a larger heap (--max-old-space-size), or a higher --memory-max, or can remove what other bots hold.";
