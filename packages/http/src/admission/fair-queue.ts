/** Who waits: turns go round the bots, and within a bot round its keys. */
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

/**
 * What a start costs at least, in milliseconds: half a turn. A round has one start, however little that takes, and what follows from a write is worked on in
 * others' turns. By its bare time a bot that is written to all the time had most of the rounds, and another that is asked owed for its questions.
 */
const COST_MS_MIN = 4;
/** Bots that are remembered without waiting, before those are forgotten that owe nothing. */
const REMEMBERED_MAX = 256;

interface Line<Item> {
  /** By key, each in the order in which they came. The first key has the next turn. */
  readonly byKey: Map<string, Set<Waiting<Item>>>;
  waiting: number;
  /** What the bot has been given so far, in milliseconds, on a scale that all bots share. */
  usedMs: number;
}

/**
 * Who is next? The bot that has been given least. One that comes back after a pause starts where the others are: it has saved up nothing, and what
 * it owes stays. So a bot that asks for much waits for itself, and one that asks for little is next whenever it comes. A function of what it is told: it has no
 * clock of its own.
 */
export class FairQueue<Item> {
  readonly #limits: QueueLimits;
  readonly #lines = new Map<string, Line<Item>>();
  /** All that wait, the longest first. */
  readonly #all = new Set<Waiting<Item>>();
  /** How far on the scale the bot was that was served last. */
  #reachedMs = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Undefined where as many wait already as may. */
  enter(asker: Asker, item: Item, nowMs: number): Waiting<Item> | undefined {
    const line = this.#lineOf(asker.botId);
    const ofKey = line.byKey.get(asker.key) ?? new Set();
    if (ofKey.size >= this.#limits.keyWaitingMax || line.waiting >= this.#limits.botWaitingMax) return undefined;
    if (line.waiting === 0) this.#catchUp(line);
    const waiting = { asker, item, sinceMs: nowMs };
    line.byKey.set(asker.key, ofKey.add(waiting));
    line.waiting++;
    this.#all.add(waiting);
    return waiting;
  }

  /** Takes out whoever's turn it is among the bots that may start one. */
  next(mayStart: (botId: string) => boolean): Waiting<Item> | undefined {
    let first: Line<Item> | undefined;
    for (const [botId, line] of this.#lines) {
      if (line.waiting === 0 || !mayStart(botId)) continue;
      if (first === undefined || line.usedMs < first.usedMs) first = line;
    }
    const ofKey = first?.byKey.values().next().value;
    const waiting = ofKey?.values().next().value;
    if (first === undefined || ofKey === undefined || waiting === undefined) return undefined;
    this.#reachedMs = Math.max(this.#reachedMs, first.usedMs);
    this.leave(waiting);
    if (ofKey.size > 0) {
      // The key's next turn is after those of the bot's other keys.
      first.byKey.delete(waiting.asker.key);
      first.byKey.set(waiting.asker.key, ofKey);
    }
    return waiting;
  }

  /** Takes out somebody who does not want to wait any longer. Nothing happens if he waits no more. */
  leave(waiting: Waiting<Item>): void {
    if (!this.#all.delete(waiting)) return;
    const { botId, key } = waiting.asker;
    const line = this.#lines.get(botId);
    const ofKey = line?.byKey.get(key);
    if (line === undefined || ofKey === undefined) return;
    ofKey.delete(waiting);
    line.waiting--;
    if (ofKey.size === 0) line.byKey.delete(key);
  }

  /** Takes out those that have waited since then, or longer: at most so many, the longest first. */
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

  /** Says what a start has cost the bot. */
  charge(botId: string, costMs: number): void {
    const line = this.#lineOf(botId);
    if (line.waiting === 0) this.#catchUp(line);
    line.usedMs += Math.max(COST_MS_MIN, costMs);
    if (this.#lines.size > REMEMBERED_MAX + this.#all.size) this.#forget();
  }

  /** A bot that could not be served for what it has in work has not saved up the turns that it missed. */
  resume(botId: string): void {
    const line = this.#lines.get(botId);
    if (line !== undefined) this.#catchUp(line);
  }

  #lineOf(botId: string): Line<Item> {
    const known = this.#lines.get(botId);
    if (known !== undefined) return known;
    const line = { byKey: new Map<string, Set<Waiting<Item>>>(), waiting: 0, usedMs: this.#reachedMs };
    this.#lines.set(botId, line);
    return line;
  }

  #catchUp(line: Line<Item>): void {
    line.usedMs = Math.max(line.usedMs, this.#reachedMs);
  }

  #forget(): void {
    for (const [botId, { waiting, usedMs }] of this.#lines) {
      if (waiting === 0 && usedMs <= this.#reachedMs) this.#lines.delete(botId);
    }
  }
}
