import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HeapReading, MemoryBudget, type MemoryMaxima } from "../../src/accounting/memory-budget.ts";
import { LoredexError } from "../../src/domain/errors.ts";

const MAXIMA: MemoryMaxima = { heldBytes: 1_000_000, heapBytes: 1_000_000, processBytes: 4_000_000 };

/** A process: what bots need of the heap, garbage beside it, and collections as the heap fills. */
class Process {
  readonly held = new Map<string, number>();
  /** Of writes that their bots do not hold yet. */
  inFlight = 0;
  garbage = 0;
  collections = 0;
  /** As it was after the last collection. */
  liveBytes = 0;
  readonly budget: MemoryBudget;

  constructor(
    readonly baseline: number,
    maxima = MAXIMA,
  ) {
    const reading = {
      heap: () => ({ usedBytes: this.live + this.garbage, liveBytes: this.liveBytes, collections: this.collections }),
      processBytes: () => this.live + this.garbage,
    };
    this.budget = new MemoryBudget(reading, maxima, () => ({ bytes: this.heldBytes, bots: this.held.size }));
  }

  get heldBytes(): number {
    return [...this.held.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  get live(): number {
    return this.baseline + this.heldBytes + this.inFlight;
  }

  collect(): void {
    this.garbage = 0;
    this.collections += 1;
    this.liveBytes = this.live;
  }

  /** Asks for `bytes`, of which the write needs this share. Returns what ends the write, or undefined if it was refused. */
  write(bot: string, bytes: number, share: number): ((isKept: boolean) => void) | undefined {
    try {
      this.budget.require(this.held.get(bot) ?? 0, bytes);
    } catch (error) {
      if (!(error instanceof LoredexError && error.code === "OUT_OF_MEMORY")) throw error;
      return undefined;
    }
    const release = this.budget.take(bytes);
    const needed = Math.floor(bytes * share);
    this.inFlight += needed;
    return (isKept) => {
      release();
      this.inFlight -= needed;
      if (isKept) this.held.set(bot, (this.held.get(bot) ?? 0) + needed);
      else this.garbage += needed;
    };
  }
}

const bot = fc.constantFrom("a", "b", "c");
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      bot,
      bytes: fc.integer({ min: 1, max: 240_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ end: fc.nat({ max: 9 }), isKept: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ garbage: fc.nat({ max: 400_000 }) }) },
  { weight: 2, arbitrary: fc.record({ forget: bot }) },
  fc.constant("collect" as const),
);

describe("the memory of a process", () => {
  it("is never overrun by what is accepted, whatever is written, deleted and collected when", () => {
    const start = { baseline: fc.nat({ max: 500_000 }), steps: fc.array(step, { maxLength: 200, size: "max" }) };
    fc.assert(
      fc.property(fc.record(start), ({ baseline, steps }) => {
        const process = new Process(baseline);
        const ends: ((isKept: boolean) => void)[] = [];
        for (const step of steps) {
          if (step === "collect") process.collect();
          else if ("bytes" in step) {
            const end = process.write(step.bot, step.bytes, step.share);
            if (end !== undefined) ends.push(end);
          } else if ("end" in step) ends.splice(step.end % Math.max(1, ends.length), 1)[0]?.(step.isKept);
          else if ("garbage" in step) process.garbage += step.garbage;
          else process.held.delete(step.forget);
          // As V8 does it before the heap is full.
          if (process.live + process.garbage > 1.1 * MAXIMA.heapBytes) process.collect();
          expect(process.live).toBeLessThanOrEqual(MAXIMA.heapBytes);
          expect(process.heldBytes + process.inFlight).toBeLessThanOrEqual(MAXIMA.heldBytes);
        }
      }),
    );
  });

  it("is not short because of garbage", () => {
    const process = new Process(100_000);
    process.collect();
    process.garbage = 990_000;
    expect(process.write("a", 40_000, 1)).toBeDefined();
    process.held.set("a", 700_000);
    process.collect();
    process.garbage = 300_000;
    expect(process.write("a", 40_000, 1)).toBeDefined();
    expect(process.write("a", 200_000, 1)).toBeUndefined();
  });

  it("is refused first to the bot that holds most, and last to one below its equal share", () => {
    const process = new Process(0);
    for (const [name, bytes] of Object.entries({ large: 750_000, small: 100_000, middle: 100_000 }))
      process.held.set(name, bytes);
    const most = (name: string): number => {
      let bytes = 100_000;
      while (bytes > 0 && process.write(name, bytes, 0) === undefined) bytes -= 40;
      process.inFlight = 0;
      return bytes;
    };
    expect(most("large")).toBe(0);
    expect(most("small")).toBeGreaterThan(40_000);
  });

  it("is short where the process takes too much, whatever its bots hold", () => {
    const process = new Process(0, { ...MAXIMA, processBytes: 500_000 });
    expect(process.write("a", 4_000, 1)).toBeDefined();
    process.garbage = 499_000;
    expect(process.write("a", 4_000, 1)).toBeUndefined();
  });

  /** A budget over a heap of this reading, and whether a write that takes 160,000 bytes is accepted. */
  function budgetOver(heap: HeapReading) {
    const read = { heap: () => heap, processBytes: () => 0 };
    const budget = new MemoryBudget(read, MAXIMA, () => ({ bytes: 0, bots: 1 }));
    const accepts = (): boolean => {
      try {
        budget.require(0, 160_000);
        return true;
      } catch {
        return false;
      }
    };
    return { budget, accepts };
  }

  it("counts writes in flight as held until they have ended", () => {
    const { budget, accepts } = budgetOver({ usedBytes: 0, liveBytes: 0, collections: 0 });
    const end = budget.take(880_000);
    expect(accepts()).toBe(false);
    end();
    expect(accepts()).toBe(true);
  });

  it("counts what was accepted until a collection has found how much of it lives", () => {
    const heap = { usedBytes: 950_000, liveBytes: 100_000, collections: 1 };
    const { budget, accepts } = budgetOver(heap);
    expect(accepts()).toBe(true);
    budget.take(800_000)();
    expect(accepts()).toBe(false);
    heap.collections += 1;
    expect(accepts()).toBe(true);
  });

  it("counts all of the heap as living before the first collection", () => {
    expect(budgetOver({ usedBytes: 950_000, liveBytes: 0, collections: 0 }).accepts()).toBe(false);
  });
});
