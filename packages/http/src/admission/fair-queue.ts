import { FairFlows } from "./fair-flows.ts";
import type { QueueWork } from "./flow-heap.ts";

/** The owner of a request. Bots are served one after the other, and within a bot its keys. */
export interface Asker {
  readonly botId: string;
  readonly key: string;
}

export interface QueueLimits {
  /** The most waiting requests of one key. */
  readonly keyWaitingMax: number;
  /** The most waiting requests of one bot. */
  readonly botWaitingMax: number;
}

/** A request in the queue. */
export interface Waiting<Item> {
  readonly asker: Asker;
  readonly item: Item;
  readonly sinceMs: number;
}

/** A bot with requests that wait, or that have begun and are not charged yet. */
interface Line<Item> {
  /** The waiting requests of each key, in order of arrival. */
  readonly byKey: Map<string, Set<Waiting<Item>>>;
  readonly keys: FairFlows;
  waiting: number;
  inService: number;
}

/**
 * The queue of requests that wait to begin. It has no clock of its own.
 * Bots share the starts by start-time fair queueing, and the keys of a bot share the bot's starts in the same way.
 * So a bot with many requests waits for itself, and the request of a bot with few is next when it comes, whatever was served before.
 */
export class FairQueue<Item> {
  readonly #limits: QueueLimits;
  readonly #work: QueueWork = { comparisons: 0 };
  readonly #bots = new FairFlows(this.#work);
  readonly #lines = new Map<string, Line<Item>>();
  /** All waiting requests, the longest wait first. */
  readonly #all = new Set<Waiting<Item>>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** The number of waiting requests. */
  get size(): number {
    return this.#all.size;
  }

  /** The number of remembered bots and keys. */
  get flows(): number {
    let flows = this.#bots.size;
    for (const { keys } of this.#lines.values()) flows += keys.size;
    return flows;
  }

  /** The number of comparisons of two bots or two keys so far. They measure the work of a call. */
  get comparisons(): number {
    return this.#work.comparisons;
  }

  /** Adds a request; undefined if the queue of its key or its bot is full. */
  enter(asker: Asker, item: Item, nowMs: number): Waiting<Item> | undefined {
    const { botId, key } = asker;
    const line = this.#lineOf(botId);
    const ofKey = line.byKey.get(key) ?? new Set();
    if (ofKey.size >= this.#limits.keyWaitingMax || line.waiting >= this.#limits.botWaitingMax) {
      this.#forgetIfIdle(botId, line);
      return undefined;
    }
    const waiting = { asker, item, sinceMs: nowMs };
    if (line.waiting === 0) this.#bots.arrive(botId);
    if (ofKey.size === 0) line.keys.arrive(key);
    line.byKey.set(key, ofKey.add(waiting));
    line.waiting++;
    this.#all.add(waiting);
    return waiting;
  }

  /**
   * Takes out the next request of a bot that may start one. If the request is started, the caller then calls `begin`.
   * @param mayStart a bot for which it returns false is passed over until `resume`
   */
  next(mayStart: (botId: string) => boolean): Waiting<Item> | undefined {
    for (let botId = this.#bots.first; botId !== undefined; botId = this.#bots.first) {
      if (!mayStart(botId)) {
        this.#bots.park(botId);
        continue;
      }
      const line = this.#lines.get(botId);
      const [waiting] = line?.byKey.get(line.keys.first ?? "") ?? [];
      if (waiting === undefined) return undefined;
      this.leave(waiting);
      return waiting;
    }
    return undefined;
  }

  /** Notes that a request begins, whether it waited or not. `charge` must follow. */
  begin({ botId, key }: Asker): void {
    const line = this.#lineOf(botId);
    line.inService++;
    this.#bots.begin(botId);
    line.keys.begin(key);
  }

  /** Charges the start of a request, in milliseconds. */
  charge({ botId, key }: Asker, costMs: number): void {
    const line = this.#lines.get(botId);
    if (line === undefined || line.inService === 0) return;
    line.inService--;
    line.keys.charge(key, costMs);
    this.#bots.charge(botId, costMs);
    this.#forgetIfIdle(botId, line);
  }

  /** Takes out a waiting request. Does nothing if it no longer waits. */
  leave(waiting: Waiting<Item>): void {
    if (!this.#all.delete(waiting)) return;
    const { botId, key } = waiting.asker;
    const line = this.#lines.get(botId);
    const ofKey = line?.byKey.get(key);
    if (line === undefined || ofKey === undefined) return;
    ofKey.delete(waiting);
    line.waiting--;
    if (ofKey.size === 0) {
      line.byKey.delete(key);
      line.keys.leave(key);
    }
    if (line.waiting === 0) this.#bots.leave(botId);
    this.#forgetIfIdle(botId, line);
  }

  /** Takes out at most `max` requests that have waited since this time or longer, the longest wait first. */
  leaveSince(sinceMs: number, max: number): readonly Waiting<Item>[] {
    const late: Waiting<Item>[] = [];
    for (const waiting of this.#all) {
      if (waiting.sinceMs > sinceMs || late.length >= max) break;
      late.push(waiting);
    }
    for (const waiting of late) this.leave(waiting);
    return late;
  }

  /** The time since when the oldest request waits; undefined if none waits. */
  get oldestSinceMs(): number | undefined {
    return this.#all.values().next().value?.sinceMs;
  }

  /** Lets a bot start again that was passed over. */
  resume(botId: string): void {
    this.#bots.resume(botId);
  }

  #lineOf(botId: string): Line<Item> {
    const known = this.#lines.get(botId);
    if (known !== undefined) return known;
    const line = {
      byKey: new Map<string, Set<Waiting<Item>>>(),
      keys: new FairFlows(this.#work),
      waiting: 0,
      inService: 0,
    };
    this.#lines.set(botId, line);
    return line;
  }

  #forgetIfIdle(botId: string, line: Line<Item>): void {
    if (line.waiting > 0 || line.inService > 0) return;
    this.#lines.delete(botId);
  }
}
