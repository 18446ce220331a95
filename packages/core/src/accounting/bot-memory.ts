import { LoredexError } from "../domain/errors.ts";

/** The most that a write adds to the memory of its bot. */
export interface Growth {
  /** Bytes on the JavaScript heap. */
  readonly heapBytes: number;
  /** Text that the index will read, in UTF-16 units. */
  readonly textUnits: number;
  /** The most that reading it takes while it is done, in bytes. */
  readonly indexingBytes: number;
}

/** What a bot holds, by its own measure. */
export interface HeldMemory {
  readonly bytes: number;
  /** What of it lies on the JavaScript heap for certain: the rest may be arrays outside of it. */
  readonly heapBytes: number;
  /** What of these bytes the index will take for text that waits for it. */
  readonly waitingBytes: number;
}

/** What is about to be made of what was accepted before, in bytes. Default: 0 each. */
export interface MemoryNeed {
  /** On the JavaScript heap, or outside of it. */
  readonly heapBytes?: number;
  /** Outside of it for certain. */
  readonly otherBytes?: number;
  /** By how much its bot is larger then. */
  readonly growing?: number;
}

/** How a bot measures its memory. */
export interface MemoryMeasure {
  readonly held: () => HeldMemory;
  /** Bytes that its index will take for a UTF-16 unit of text. */
  readonly indexBytesAUnit: () => number;
}

/** The memory of all bots. */
export interface MemoryBooks {
  /** A bot held `before`, and holds `now`. */
  measured(before: HeldMemory, now: HeldMemory): void;
  /** A bot that held so much by its last measure is being closed; it is closed. */
  closing(bot: BotMemory, held: HeldMemory): void;
  closed(held: HeldMemory): void;
  /** Counts so many bytes until the function that it returns is called. */
  take(bytes: number): () => void;
  /** Asks for room for a write by which a bot of `botBytes` grows, and for indexing it. @throws LoredexError `OUT_OF_MEMORY` */
  require(botBytes: number, growing: number, indexingBytes: number): void;
  /** Whether so much can be made now, of what was accepted before. Other bots are evicted for it, but not this one. */
  hasRoomNow(need: MemoryNeed): boolean;
}

/** The memory of one bot, from its opening to its end. */
export class BotMemory {
  readonly #books: MemoryBooks;
  #measure: MemoryMeasure | undefined;
  /** As the books have it. */
  #held: HeldMemory = { bytes: 0, heapBytes: 0, waitingBytes: 0 };
  #state: "open" | "closing" | "closed" = "open";

  constructor(books: MemoryBooks) {
    this.#books = books;
  }

  /** From now on the bot measures itself so. */
  measureBy(measure: MemoryMeasure): void {
    this.#measure = measure;
    this.follow();
  }

  /** Tells the books what the bot holds: to be called when it has grown. */
  follow(): void {
    if (this.#state !== "open" || this.#measure === undefined) return;
    const before = this.#held;
    this.#held = this.#measure.held();
    this.#books.measured(before, this.#held);
  }

  /** Asks for room for a write; one that adds nothing always has it. @throws LoredexError `OUT_OF_MEMORY` */
  require(growth: Growth): void {
    const growing = this.#bytesOf(growth);
    if (growing <= 0) return;
    this.follow();
    this.#books.require(this.#held.bytes, growing, growth.indexingBytes);
  }

  /** Counts a write that was accepted. Returns what takes it off again: call it when the bot holds it, or it has failed. */
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

  /** Takes memory for a while, for what is made of what the bot accepted. Returns what gives it back; undefined where there is not enough now. */
  takeNow(need: MemoryNeed): (() => void) | undefined {
    this.follow();
    return this.#books.hasRoomNow(need) ? this.#books.take(need.heapBytes ?? 0) : undefined;
  }

  /** Looks while the bot is opened whether it can be held, with what is about to be taken. @throws LoredexError `OUT_OF_MEMORY` */
  requireOpenable(need: MemoryNeed = {}): void {
    this.follow();
    if (!this.#books.hasRoomNow(need)) throw new LoredexError("OUT_OF_MEMORY", NOT_OPENED);
  }

  /** The bot is being closed: its memory counts as free. */
  leave(): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#books.closing(this, this.#held);
  }

  /** The bot is closed. */
  close(): void {
    this.leave();
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#books.closed(this.#held);
  }
}

const NOT_OPENED =
  "The service has too little memory to open this bot; others are served. It is tried again with later requests. The operator can give it more memory, a larger heap (--max-old-space-size), or a higher --memory-max, or can remove what other bots hold.";
