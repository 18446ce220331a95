import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LoredexError } from "../../src/model/errors.ts";
import type { BotMemory, MemoryNeed } from "../../src/quotas/bot-memory.ts";
import { type HeapReading, MemoryBudget, type MemoryMaxima } from "../../src/quotas/memory-budget.ts";

const MAXIMA: MemoryMaxima = { heldBytes: 1_000_000, heapBytes: 1_000_000, processBytes: 4_000_000 };

/** A bot that is open: what it holds, and text that waits for its index, which will take no more than was estimated. */
interface Bot {
  readonly memory: BotMemory;
  made: number;
  readonly waiting: { estimated: number; needed: number };
}

/** A write that was accepted. */
interface Write {
  readonly bot: string;
  readonly release: () => void;
  /** What it takes at once, what its text was estimated to take, and what that takes in the end. */
  readonly state: number;
  readonly text: number;
  readonly needed: number;
}

/** A process: what bots need of the heap, garbage beside it, and collections as the heap fills. */
class Process {
  readonly bots = new Map<string, Bot>();
  /** Nobody uses them, least recently used first. */
  readonly idle = new Set<string>();
  /** Of bots that are being closed. */
  readonly closing: Bot[] = [];
  readonly writes: Write[] = [];
  garbage = 0;
  collections = 0;
  /** As it was after the last collection. */
  liveBytes = 0;
  readonly budget: MemoryBudget;

  constructor(
    readonly baseline: number,
    maxima = MAXIMA,
  ) {
    const used = (): number => this.needed + this.#closingBytes + this.garbage;
    const reading = {
      heap: () => ({ usedBytes: used(), liveBytes: this.liveBytes, collections: this.collections }),
      processBytes: used,
    };
    this.budget = new MemoryBudget({ reading, maxima, evict: (bytes) => this.#evict(bytes) });
  }

  /** Of bots that stay, and writes in flight. */
  get needed(): number {
    const held = [...this.bots.values()].reduce((sum, { made }) => sum + made, 0);
    return this.writes.reduce((sum, { state }) => sum + state, this.baseline + held);
  }
  /** As bots measure it. */
  get measured(): number {
    return [...this.bots.values()].reduce((sum, { made, waiting }) => sum + made + waiting.estimated, 0);
  }
  get #closingBytes(): number {
    return this.closing.reduce((sum, { made }) => sum + made, 0);
  }

  collect(): void {
    this.garbage = 0;
    this.collections += 1;
    this.liveBytes = this.needed + this.#closingBytes;
  }

  bot(name: string): Bot {
    const known = this.bots.get(name);
    if (known !== undefined) return known;
    const bot: Bot = { memory: this.budget.ofBot(), made: 0, waiting: { estimated: 0, needed: 0 } };
    const { waiting } = bot;
    bot.memory.measureBy({
      held: () => ({ bytes: bot.made + waiting.estimated, heapBytes: bot.made, waitingBytes: waiting.estimated }),
      indexBytesAUnit: () => 1,
      emptyCaches: () => undefined,
    });
    this.bots.set(name, bot);
    return bot;
  }

  hold(name: string, made: number): Bot {
    const bot = this.bot(name);
    bot.made = made;
    bot.memory.follow();
    return bot;
  }

  #evict(bytes: number): void {
    let left = bytes;
    const all = [...this.idle].reduce((sum, name) => sum + (this.bots.get(name)?.made ?? 0), 0);
    for (const name of all < bytes ? [] : this.idle) {
      if (left <= 0) return;
      this.idle.delete(name);
      const bot = this.bots.get(name);
      if (bot === undefined) continue;
      left -= bot.made;
      bot.memory.leave();
      this.bots.delete(name);
      this.closing.push(bot);
    }
  }

  closeOne(): void {
    const bot = this.closing.shift();
    if (bot === undefined) return;
    this.garbage += bot.made;
    bot.memory.close();
  }

  /** Whether it was accepted. */
  write(name: string, { state, text, part = 1 }: { state: number; text: number; part?: number }): boolean {
    const { memory } = this.bot(name);
    this.idle.delete(name);
    const growth = { heapBytes: state, textUnits: text, indexingBytes: 0 };
    try {
      memory.require(growth);
    } catch (error) {
      if (!(error instanceof LoredexError && error.code === "OUT_OF_MEMORY")) throw error;
      return false;
    }
    const needed = Math.floor(text * part);
    this.writes.push({ bot: name, release: memory.take(growth), state, text, needed });
    return true;
  }

  /** The oldest write is applied, or fails. */
  settle(isApplied: boolean): void {
    const write = this.writes.shift();
    if (write === undefined) return;
    const bot = this.bots.get(write.bot);
    if (!isApplied || bot === undefined) this.garbage += write.state;
    else {
      bot.made += write.state;
      bot.waiting.estimated += write.text;
      bot.waiting.needed += write.needed;
    }
    write.release();
  }

  /** What waits of a bot is indexed. */
  index(name: string): void {
    const bot = this.bots.get(name);
    if (bot === undefined) return;
    bot.made += bot.waiting.needed;
    Object.assign(bot.waiting, { estimated: 0, needed: 0 });
    bot.memory.follow();
  }

  delete(name: string): void {
    const bot = this.bots.get(name);
    if (bot === undefined) return;
    this.garbage += bot.made;
    this.hold(name, 0);
  }
}

const bot = fc.constantFrom("a", "b", "c");
const bytes = fc.integer({ min: 1, max: 120_000 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ write: bot, state: bytes, text: bytes, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 6, arbitrary: fc.record({ settle: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ index: bot }) },
  { weight: 2, arbitrary: fc.record({ garbage: fc.nat({ max: 400_000 }) }) },
  { weight: 2, arbitrary: fc.record({ rest: bot }) },
  fc.record({ forget: bot }),
  fc.constantFrom("collect" as const, "close" as const),
);

describe("the memory of a process", () => {
  it("is never overrun by what is accepted, whatever is written, indexed, deleted, evicted and collected when", () => {
    const start = { baseline: fc.nat({ max: 500_000 }), steps: fc.array(step, { maxLength: 200, size: "max" }) };
    const seen = { refused: 0, evicted: 0 };
    fc.assert(
      fc.property(fc.record(start), ({ baseline, steps }) => {
        const process = new Process(baseline);
        for (const step of steps) {
          const before = process.closing.length;
          if (step === "collect") process.collect();
          else if (step === "close") process.closeOne();
          else if ("write" in step) seen.refused += process.write(step.write, step) ? 0 : 1;
          else if ("settle" in step) process.settle(step.settle);
          else if ("index" in step) process.index(step.index);
          else if ("garbage" in step) process.garbage += step.garbage;
          else if ("rest" in step) {
            const isUsed = process.writes.some(({ bot }) => bot === step.rest);
            if (!isUsed && process.bots.get(step.rest)?.waiting.estimated === 0) process.idle.add(step.rest);
          } else process.delete(step.forget);
          seen.evicted += Math.max(0, process.closing.length - before);
          // As V8 does it before the heap is full.
          if (process.needed + process.garbage > 1.1 * MAXIMA.heapBytes) process.collect();
          expect(process.needed).toBeLessThanOrEqual(MAXIMA.heapBytes);
          expect(process.measured).toBeLessThanOrEqual(MAXIMA.heldBytes);
        }
        for (const name of ["a", "b", "c"]) process.index(name);
        // Nothing that was accepted has to be refused later.
        expect(process.needed).toBeLessThanOrEqual(MAXIMA.heapBytes);
      }),
    );
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.evicted).toBeGreaterThan(0);
  });

  it("is not short because of garbage", () => {
    const process = new Process(100_000);
    process.collect();
    process.garbage = 990_000;
    expect(process.write("a", { state: 40_000, text: 0 })).toBe(true);
    process.settle(true);
    process.hold("a", 700_000);
    process.collect();
    process.garbage = 300_000;
    expect(process.write("a", { state: 40_000, text: 0 })).toBe(true);
    expect(process.write("a", { state: 200_000, text: 0 })).toBe(false);
  });

  it("is refused first to the bot that holds most, and last to one below its equal share", () => {
    const process = new Process(0);
    for (const [name, made] of Object.entries({ large: 750_000, small: 100_000, middle: 100_000 }))
      process.hold(name, made);
    const most = (name: string): number => {
      let state = 100_000;
      while (state > 0 && !process.write(name, { state, text: 0 })) state -= 40;
      process.settle(false);
      process.garbage = 0;
      return state;
    };
    expect(most("large")).toBeLessThanOrEqual(0);
    expect(most("small")).toBeGreaterThan(40_000);
  });

  it("is short where the process takes too much, whatever its bots hold", () => {
    const process = new Process(0, { ...MAXIMA, processBytes: 500_000 });
    expect(process.write("a", { state: 4_000, text: 0 })).toBe(true);
    process.garbage = 499_000;
    expect(process.write("a", { state: 4_000, text: 0 })).toBe(false);
  });

  it("is kept for text that waits to be indexed", () => {
    const process = new Process(0);
    for (let i = 0; i < 3; i++) {
      expect(process.write("a", { state: 1_000, text: 250_000 })).toBe(true);
      process.settle(true);
    }
    // Nothing of it is in the heap yet.
    expect(process.needed).toBe(3_000);
    expect(process.write("a", { state: 1_000, text: 250_000 })).toBe(false);
    process.index("a");
    process.delete("a");
    process.collect();
    expect(process.write("a", { state: 1_000, text: 250_000 })).toBe(true);
  });

  it("is made by evicting idle bots, least recently used first, and only where that is enough", () => {
    const process = new Process(0);
    for (const name of ["old", "new", "used"]) process.hold(name, 300_000);
    for (const name of ["old", "new"]) process.idle.add(name);
    expect(process.write("used", { state: 900_000, text: 0 })).toBe(false);
    expect([...process.bots.keys()]).toEqual(["old", "new", "used"]);
    expect(process.write("used", { state: 200_000, text: 0 })).toBe(true);
    expect([...process.bots.keys()]).toEqual(["new", "used"]);
    // What is being closed counts once, until it is collected.
    expect(process.write("used", { state: 300_000, text: 0 })).toBe(true);
    expect([...process.bots.keys()]).toEqual(["used"]);
    process.closeOne();
    process.closeOne();
    expect(process.write("used", { state: 300_000, text: 0 })).toBe(false);
    process.collect();
    expect(process.write("used", { state: 300_000, text: 0 })).toBe(false);
  });

  it("has room a little beyond its maxima for what was accepted, and none where that is filled", () => {
    const process = new Process(0);
    const { memory } = process.hold("a", 1_050_000);
    const isTaken = (need: MemoryNeed): boolean => {
      const release = memory.takeNow(need);
      release?.();
      return release !== undefined;
    };
    expect(isTaken({ heapBytes: 40_000 })).toBe(true);
    expect(isTaken({ heapBytes: 60_000 })).toBe(false);
    // A text that is no longer than the one it replaces does not make its bot larger.
    expect(isTaken({ growing: 40_000 })).toBe(true);
    expect(isTaken({ growing: 60_000 })).toBe(false);
    expect(isTaken({ growing: -10 })).toBe(true);
    expect(() => memory.requireOpenable()).not.toThrow();
    process.hold("a", 1_110_000);
    expect(() => memory.requireOpenable()).toThrow(expect.objectContaining({ code: "OUT_OF_MEMORY" }));
    // What one bot has taken another has not.
    process.hold("a", 1_000_000);
    const release = memory.takeNow({ heapBytes: 60_000 });
    expect(process.bot("b").memory.takeNow({ heapBytes: 60_000 })).toBeUndefined();
    release?.();
    expect(process.bot("b").memory.takeNow({ heapBytes: 60_000 })).toBeDefined();
    // What is read outside of the heap is the process's alone.
    const other = new Process(0).bot("b").memory;
    expect(() => other.requireOpenable({ otherBytes: 4_390_000 })).not.toThrow();
    expect(() => other.requireOpenable({ otherBytes: 4_410_000 })).toThrow("--memory-max");
  });

  /** The memory of a bot over a heap of this reading, and whether a write that takes 160,000 bytes is accepted. */
  function memoryOver(heap: HeapReading) {
    const reading = { heap: () => heap, processBytes: () => 0 };
    const memory = new MemoryBudget({ reading, maxima: MAXIMA, evict: () => undefined }).ofBot();
    const accepts = (): boolean => {
      try {
        memory.require({ heapBytes: 160_000, textUnits: 0, indexingBytes: 0 });
        return true;
      } catch {
        return false;
      }
    };
    return { memory, accepts };
  }

  it("counts writes in flight as held until they have ended", () => {
    const { memory, accepts } = memoryOver({ usedBytes: 0, liveBytes: 0, collections: 0 });
    const end = memory.take({ heapBytes: 880_000, textUnits: 0, indexingBytes: 0 });
    expect(accepts()).toBe(false);
    end();
    expect(accepts()).toBe(true);
  });

  it("counts what bots have grown until a collection has found how much of it lives", () => {
    const heap = { usedBytes: 950_000, liveBytes: 100_000, collections: 1 };
    const { memory, accepts } = memoryOver(heap);
    expect(accepts()).toBe(true);
    let bytes = 0;
    const held = () => ({ bytes, heapBytes: bytes, waitingBytes: 0 });
    memory.measureBy({ held, indexBytesAUnit: () => 0, emptyCaches: () => undefined });
    bytes = 800_000;
    memory.follow();
    expect(accepts()).toBe(false);
    heap.collections += 1;
    expect(accepts()).toBe(true);
  });

  it("counts all of the heap as living before the first collection", () => {
    expect(memoryOver({ usedBytes: 950_000, liveBytes: 0, collections: 0 }).accepts()).toBe(false);
  });
});
