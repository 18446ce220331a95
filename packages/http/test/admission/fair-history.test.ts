import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { COST_MS_MAX, COST_MS_MIN, OWING_FLOWS_MAX } from "../../src/admission/fair-flows.ts";
import { type Asker, FairQueue, type Waiting } from "../../src/admission/fair-queue.ts";

/** What a start counts for, whatever time it took. */
const counted = (costMs: number) => Math.min(Math.max(costMs, COST_MS_MIN), COST_MS_MAX);
const EVERYBODY = () => true;
const costMs = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(5_000));

/** A queue that a test leads through a history. */
class Story {
  readonly queue = new FairQueue<undefined>({ keyWaitingMax: 1_000_000, botWaitingMax: 1_000_000 });
  readonly waiting = new Set<Waiting<undefined>>();
  readonly full = new Set<string>();
  /** By name of a flow, what its last start counted for. */
  readonly lastCost = new Map<string, number>();
  readonly #nameOf: (asker: Asker) => string;

  constructor(nameOf: (asker: Asker) => string) {
    this.#nameOf = nameOf;
  }

  enter(asker: Asker): void {
    const entered = this.queue.enter(asker, undefined, 0);
    if (entered !== undefined) this.waiting.add(entered);
  }

  /** As the admission does it: at once where nobody waits. */
  ask(asker: Asker, cost: number): void {
    if (this.waiting.size > 0) this.enter(asker);
    else this.start(asker, cost);
  }

  start(asker: Asker, cost: number): void {
    this.queue.begin(asker);
    this.queue.charge(asker, cost);
    this.lastCost.set(this.#nameOf(asker), counted(cost));
  }

  /** Serves one. Returns the name of its flow, and what it counted for. */
  serve(cost: number): { readonly name: string; readonly cost: number } | undefined {
    const next = this.queue.next((botId) => !this.full.has(botId));
    if (next === undefined) return undefined;
    this.waiting.delete(next);
    this.start(next.asker, cost);
    return { name: this.#nameOf(next.asker), cost: counted(cost) };
  }

  leave(name: string): void {
    for (const waiting of this.waiting) {
      if (this.#nameOf(waiting.asker) !== name) continue;
      this.queue.leave(waiting);
      this.waiting.delete(waiting);
    }
  }
}

const flow = fc.constantFrom("a", "b", "c", "d", "e");
const chapter = fc.oneof(
  fc.record({ kind: fc.constant("lone" as const), flow, cost: costMs, times: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant("burst" as const), flow, times: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant("serve" as const), cost: costMs, times: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant("idle" as const) }),
  fc.record({ kind: fc.constant("leave" as const), flow }),
  fc.record({ kind: fc.constant("full" as const), flow }),
  fc.record({ kind: fc.constant("resume" as const), flow }),
);
type Chapter = typeof chapter extends fc.Arbitrary<infer One> ? One : never;

/** The flows of a level: what asks for the flow, and its name. */
const LEVELS = {
  bots: { asker: (name: string): Asker => ({ botId: name, key: "k" }), nameOf: ({ botId }: Asker) => botId },
  keys: { asker: (name: string): Asker => ({ botId: "bot", key: name }), nameOf: ({ key }: Asker) => key },
};

function told(level: keyof typeof LEVELS, chapters: readonly Chapter[]): Story {
  const { asker, nameOf } = LEVELS[level];
  const story = new Story(nameOf);
  for (const each of chapters) {
    switch (each.kind) {
      case "lone":
        for (let i = 0; i < each.times; i++) story.ask(asker(each.flow), each.cost);
        break;
      case "burst":
        for (let i = 0; i < each.times; i++) story.enter(asker(each.flow));
        break;
      case "serve":
        for (let i = 0; i < each.times; i++) story.serve(each.cost);
        break;
      case "idle":
        for (const botId of story.full) story.queue.resume(botId);
        story.full.clear();
        while (story.serve(1) !== undefined);
        break;
      case "leave":
        story.leave(each.flow);
        break;
      case "full":
        story.full.add(asker(each.flow).botId);
        break;
      case "resume":
        story.full.delete(asker(each.flow).botId);
        story.queue.resume(asker(each.flow).botId);
    }
  }
  for (const botId of story.full) story.queue.resume(botId);
  story.full.clear();
  return story;
}

describe.each(["bots", "keys"] as const)("whatever happened before, of %s", (level) => {
  const { asker } = LEVELS[level];

  it("one that did not wait begins before any other was given more than its last start cost, and one start", () => {
    fc.assert(
      fc.property(
        fc.array(chapter, { maxLength: 12 }),
        flow,
        fc.array(costMs, { minLength: 1 }),
        (before, who, costs) => {
          const story = told(level, before);
          story.leave(who);
          const others = ["a", "b", "c", "d", "e"].filter((name) => name !== who);
          // All others always have something waiting from now on.
          for (const name of others) for (let i = 0; i < 2; i++) story.enter(asker(name));
          const owed = story.lastCost.get(who) ?? 0;
          story.enter(asker(who));
          const given = new Map<string, number>();
          for (let i = 0; ; i++) {
            const served = story.serve(costs[i % costs.length] ?? 0);
            if (served === undefined || served.name === who) break;
            const earlier = given.get(served.name) ?? 0;
            expect(earlier).toBeLessThanOrEqual(owed);
            given.set(served.name, earlier + served.cost);
            story.enter(asker(served.name));
          }
        },
      ),
      { numRuns: lawRuns(400) },
    );
  });

  it("two that wait all the time are given the same, but for one start of each", () => {
    fc.assert(
      fc.property(
        fc.array(chapter, { maxLength: 12 }),
        fc.array(fc.tuple(costMs, costMs), { minLength: 1 }),
        (before, costs) => {
          const story = told(level, before);
          const given = { a: 0, b: 0 };
          for (const name of ["a", "b"]) for (let i = 0; i < 400; i++) story.enter(asker(name));
          for (let i = 0; i < 200; i++) {
            const [ofA, ofB] = costs[i % costs.length] ?? [0, 0];
            const served = story.serve(i % 2 === 0 ? ofA : ofB);
            if (served?.name === "a") given.a += served.cost;
            if (served?.name === "b") given.b += served.cost;
            // Up to one start each, and the debt of one start from before.
            expect(Math.abs(given.a - given.b)).toBeLessThanOrEqual(2 * COST_MS_MAX);
          }
        },
      ),
      { numRuns: lawRuns(200) },
    );
  });

  it("remembers those that wait, and a bounded number that owe; and nobody where nobody waits", () => {
    fc.assert(
      fc.property(fc.array(chapter, { maxLength: 12 }), (before) => {
        const { queue, waiting } = told(level, before);
        // A flow of each level for each that waits.
        expect(queue.flows).toBeLessThanOrEqual(2 * waiting.size + 10);
        if (waiting.size === 0) expect(queue.flows).toBe(0);
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it("20,000 of them cost one that asks no more than the logarithm of how many wait, and are forgotten", () => {
    const story = new Story(LEVELS[level].nameOf);
    const { queue } = story;
    const most = { lone: 0, waiting: 0 };
    const worked = (kind: keyof typeof most, work: () => void): void => {
      const before = queue.comparisons;
      work();
      most[kind] = Math.max(most[kind], queue.comparisons - before);
    };
    const names = Array.from({ length: 20_000 }, (_, i) => `flow ${i}`);
    for (const name of names) worked("lone", () => story.ask(asker(name), 5));
    expect([most.lone, queue.flows]).toEqual([0, 0]);
    // Now somebody waits, who is passed over, so that debts are remembered.
    story.enter({ botId: "full", key: "k" });
    story.full.add("full");
    story.serve(1);
    for (const [i, name] of names.entries()) {
      worked("waiting", () => story.start(asker(name), 5 + (i % 50)));
      // What is remembered of the level, its bot, and whoever waits.
      if (i % 100 === 0) expect(queue.flows).toBeLessThanOrEqual(OWING_FLOWS_MAX + 4);
    }
    story.full.clear();
    queue.resume("full");
    for (const name of names) worked("waiting", () => story.enter(asker(name)));
    for (let i = 0; i < 40_000; i++) worked("waiting", () => story.serve(i % 30));
    expect(most.waiting).toBeLessThan(40 * Math.log2(20_000));
    expect([story.waiting.size, queue.flows]).toEqual([0, 0]);
  });
});

it("a bot that was served 20,000 times while nobody waited has its turn at once beside one that always waits", () => {
  const story = new Story(({ botId }) => botId);
  const [quiet, loud] = [
    { botId: "quiet", key: "k" },
    { botId: "loud", key: "k" },
  ];
  for (let i = 0; i < 20_000; i++) story.ask(quiet, 1);
  for (let i = 0; i < 128; i++) story.enter(loud);
  const waits: number[] = [];
  for (let i = 0; i < 50; i++) {
    story.enter(quiet);
    let others = 0;
    while (story.serve(2)?.name === "loud") {
      others++;
      story.enter(loud);
    }
    waits.push(others);
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(2);
});

it("a request that begins while others wait for it to be charged is counted at once", () => {
  const queue = new FairQueue<string>({ keyWaitingMax: 10, botWaitingMax: 10 });
  for (const botId of ["a", "a", "a", "b", "b"]) queue.enter({ botId, key: "k" }, botId, 0);
  const begun: string[] = [];
  for (let waiting = queue.next(EVERYBODY); waiting !== undefined; waiting = queue.next(EVERYBODY)) {
    queue.begin(waiting.asker);
    begun.push(waiting.item);
  }
  expect(begun.join("")).toBe("ababa");
  for (const botId of begun) queue.charge({ botId, key: "k" }, 10);
  expect(queue.flows).toBe(0);
});
