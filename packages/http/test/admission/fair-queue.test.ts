import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { type Asker, FairQueue, type Waiting } from "../../src/admission/fair-queue.ts";

const BOTS = ["a", "b", "c", "d"];
const bot = fc.constantFrom(...BOTS);

const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("enter" as const), bot, key: fc.constantFrom("1", "2") }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("serve" as const), cost: fc.integer({ min: 0, max: 50 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 40 }) }) },
);

const WAIT_MS = 100;
const COST_MS_MAX = 50;
const LATE_MAX = 3;
const limits = { keyWaitingMax: 3, botWaitingMax: 5 };

it("loses nobody, keeps its bounds, and lets those go who leave or are late: whatever happens", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 80 }), (happenings) => {
      const queue = new FairQueue<number>(limits);
      let nowMs = 0;
      let count = 0;
      const there: Waiting<number>[] = [];
      for (const each of happenings) {
        if (each.kind === "time") {
          nowMs += each.ms;
          const late = queue.leaveSince(nowMs - WAIT_MS, LATE_MAX);
          expect(late).toEqual(there.filter(({ sinceMs }) => sinceMs <= nowMs - WAIT_MS).slice(0, LATE_MAX));
          there.splice(0, late.length);
        } else if (each.kind === "leave") {
          const [gone] = there.splice(each.which % Math.max(1, there.length), 1);
          if (gone === undefined) continue;
          queue.leave(gone);
          queue.leave(gone);
        } else if (each.kind === "serve") {
          const served = queue.next(() => true);
          expect(served === undefined).toBe(there.length === 0);
          if (served === undefined) continue;
          const { botId, key } = served.asker;
          // Of one key, whoever came first.
          const ofKey = there.filter(({ asker }) => asker.botId === botId && asker.key === key);
          expect(ofKey[0]).toBe(served);
          there.splice(there.indexOf(served), 1);
          start(queue, served.asker, each.cost);
        } else {
          const ofBot = there.filter(({ asker }) => asker.botId === each.bot);
          const hasCapacity =
            ofBot.length < limits.botWaitingMax &&
            ofBot.filter(({ asker }) => asker.key === each.key).length < limits.keyWaitingMax;
          const entered = queue.enter({ botId: each.bot, key: each.key }, count++, nowMs);
          expect(entered !== undefined).toBe(hasCapacity);
          if (entered !== undefined) there.push(entered);
        }
        expect(queue.size).toBe(there.length);
        expect(queue.oldestSinceMs).toBe(there[0]?.sinceMs);
      }
    }),
    { numRuns: lawRuns(500) },
  );
});

it("has no bot wait more than its turn: while one waits, each other is given no more than the most that one start costs, and one more", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 200 }), (happenings) => {
      const queue = new FairQueue<number>({ keyWaitingMax: 1_000, botWaitingMax: 1_000 });
      /** By bot that waits: what the others were given since it waits for this turn. */
      const meanwhile = new Map<string, Map<string, number>>();
      /** What a bot was given before, which it may have to wait for again. */
      const lastCost = new Map<string, number>();
      const there = new Map<string, number>();
      for (const each of happenings) {
        if (each.kind === "enter") {
          queue.enter({ botId: each.bot, key: each.key }, 0, 0);
          there.set(each.bot, (there.get(each.bot) ?? 0) + 1);
          if (!meanwhile.has(each.bot)) meanwhile.set(each.bot, new Map());
        } else if (each.kind === "serve") {
          const served = queue.next(() => true);
          if (served === undefined) continue;
          const { botId } = served.asker;
          start(queue, served.asker, each.cost);
          lastCost.set(botId, each.cost);
          meanwhile.delete(botId);
          there.set(botId, (there.get(botId) ?? 0) - 1);
          if ((there.get(botId) ?? 0) > 0) meanwhile.set(botId, new Map());
          for (const [waiting, given] of meanwhile) {
            if (waiting === botId) continue;
            given.set(botId, (given.get(botId) ?? 0) + each.cost);
            const others = (given.get(botId) ?? 0) - COST_MS_MAX;
            expect(others).toBeLessThanOrEqual(Math.max(COST_MS_MAX, lastCost.get(waiting) ?? 0) + 1);
          }
        }
      }
    }),
    { numRuns: lawRuns(500) },
  );
});

/** Begins a request, and says what that cost. */
function start(queue: FairQueue<unknown>, asker: Asker, costMs: number): void {
  queue.begin(asker);
  queue.charge(asker, costMs);
}

it("gives a bot that asks for little its turn at once, beside one whose requests cost much", () => {
  const queue = new FairQueue<string>({ keyWaitingMax: 100, botWaitingMax: 100 });
  for (let i = 0; i < 50; i++) queue.enter({ botId: "noisy", key: "k" }, "noisy", 0);
  for (let i = 0; i < 10; i++) {
    expect(queue.next(() => true)?.item).toBe("noisy");
    start(queue, { botId: "noisy", key: "k" }, 300);
    for (let more = 0; more < 20; more++) {
      queue.enter({ botId: "quiet", key: "k" }, "quiet", 0);
      expect(queue.next(() => true)?.item).toBe("quiet");
      start(queue, { botId: "quiet", key: "k" }, 2);
    }
  }
});

it("lets nobody save up turns, by asking for nothing or by having all in work that he may", () => {
  const queue = new FairQueue<string>({ keyWaitingMax: 100, botWaitingMax: 100 });
  const enter = (botId: string) => queue.enter({ botId, key: "k" }, botId, 0);
  const serve = (mayStart: (botId: string) => boolean = () => true) => {
    const served = queue.next(mayStart)?.item ?? "";
    start(queue, { botId: served, key: "k" }, 10);
    return served;
  };
  for (const bot of ["idle", "full", "full"]) enter(bot);
  for (let i = 0; i < 2; i++) serve();
  for (let i = 0; i < 50; i++) {
    enter("busy");
    serve((bot) => bot === "busy");
  }
  queue.resume("full");
  for (let i = 0; i < 5; i++) for (const bot of ["busy", "idle", "full"]) enter(bot);
  const order = Array.from({ length: 9 }, () => serve());
  for (const bot of ["busy", "idle", "full"])
    expect(order.filter((served) => served === bot).length).toBeLessThanOrEqual(4);
});

it("goes round the keys of a bot", () => {
  const queue = new FairQueue<string>({ keyWaitingMax: 100, botWaitingMax: 100 });
  for (const key of ["a", "a", "a", "b", "b", "c"]) queue.enter({ botId: "bot", key }, key, 0);
  const order = Array.from({ length: 6 }, () => {
    const waiting = queue.next(() => true);
    if (waiting !== undefined) start(queue, waiting.asker, 1);
    return waiting?.item;
  });
  expect(order.join("")).toBe("abcaba");
});
