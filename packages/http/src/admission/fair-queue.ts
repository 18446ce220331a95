import { FairFlows } from "./fair-flows.ts";
import type { QueueWork } from "./flow-heap.ts";

/** Who waits: bots are served one after the other, and within a bot its keys. */
export interface Asker {
  readonly botId: string;
  readonly key: string;
}

export interface QueueLimits {
  /** Most that wait with one key. */
  readonly keyWaitingMax: number;
  /** Most that wait for one bot. */
  readonly botWaitingMax: number;
}

/** Somebody in the queue. */
export interface Waiting<Item> {
  readonly asker: Asker;
  readonly item: Item;
  readonly sinceMs: number;
}

/** A bot with requests that wait or have begun and are not charged yet. */
interface Line<Item> {
  /** Waiting requests of each key, in the order in which they came. */
  readonly byKey: Map<string, Set<Waiting<Item>>>;
  readonly keys: FairFlows;
  waiting: number;
  inService: number;
}

/**
 * The queue of requests that wait to begin. Bots share the starts by start-time fair queueing, and the keys of one bot share the bot's starts in the same way. So
 * a bot that asks for much waits for itself, and one that asks for little is next when it comes, whatever either was given before. The queue has no clock
 * of its own.
 */
export class FairQueue<Item> {
  readonly #limits: QueueLimits;
  readonly #work: QueueWork = { comparisons: 0 };
  readonly #bots = new FairFlows(this.#work);
  readonly #lines = new Map<string, Line<Item>>();
  /** All that wait, the longest first. */
  readonly #all = new Set<Waiting<Item>>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** How many wait. */
  get size(): number {
    return this.#all.size;
  }

  /** How many bots and keys are remembered. */
  get flows(): number {
    let flows = this.#bots.size;
    for (const { keys } of this.#lines.values()) flows += keys.size;
    return flows;
  }

  /** Comparisons of two bots or two keys so far. The work of a call is counted by them. */
  get comparisons(): number {
    return this.#work.comparisons;
  }

  /** Undefined where as many wait already as may. */
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
   * Takes out the next request, among the bots that may start one. `begin` follows where it is started.
   * @param mayStart a bot that may not is passed over until `resume`
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

  /** Says that a request begins, whether it has waited or not. `charge` must follow. */
  begin({ botId, key }: Asker): void {
    const line = this.#lineOf(botId);
    line.inService++;
    this.#bots.begin(botId);
    line.keys.begin(key);
  }

  /** Says what the start of a request cost, in milliseconds. */
  charge({ botId, key }: Asker, costMs: number): void {
    const line = this.#lines.get(botId);
    if (line === undefined || line.inService === 0) return;
    line.inService--;
    line.keys.charge(key, costMs);
    this.#bots.charge(botId, costMs);
    this.#forgetIfIdle(botId, line);
  }

  /** Takes out a request that is not to wait any longer. Nothing happens if it waits no more. */
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

  /** Takes out at most `max` requests that have waited since then, or longer: the longest first. */
  leaveSince(sinceMs: number, max: number): readonly Waiting<Item>[] {
    const late: Waiting<Item>[] = [];
    for (const waiting of this.#all) {
      if (waiting.sinceMs > sinceMs || late.length >= max) break;
      late.push(waiting);
    }
    for (const waiting of late) this.leave(waiting);
    return late;
  }

  /** Since when the one has waited that has waited longest. */
  get oldestSinceMs(): number | undefined {
    return this.#all.values().next().value?.sinceMs;
  }

  /** Says that a bot that was passed over may start again. */
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
