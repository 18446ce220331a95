import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { scheduler } from "../../src/scheduling/scheduler.ts";
import { type Sliced, TimeSlices } from "../../src/scheduling/time-slices.ts";

it("a round of the event loop has one turn, whoever takes it, in the order in which they rested", async () => {
  const done: string[] = [];
  let rounds = 0;
  let isOver = false;
  const counted = (async () => {
    for (; !isOver; rounds++) await setImmediate();
  })();
  let now = 0;
  // Every look at the clock is long after the one before: each step is a turn.
  const clock = {
    wallMs: () => 0,
    monotonicMs: () => {
      now += 100;
      return now;
    },
  };
  function* work(name: string): Sliced<void> {
    for (let step = 0; step < 20; step++) {
      done.push(name);
      yield;
    }
  }
  await Promise.all(["a", "b", "c", "d", "e"].map((name) => new TimeSlices(clock).run(work(name))));
  isOver = true;
  await counted;
  expect(done.join("")).toBe("abcde".repeat(20));
  // All five begin in the first round; each of the 95 other steps has a round of its own.
  expect(rounds).toBeGreaterThanOrEqual(95);
});

describe("while others connect or send, one in a round", () => {
  async function roundsUntilTurn(arrivalsMax: number): Promise<number> {
    let rounds = 0;
    let isOver = false;
    const counted = (async () => {
      for (; !isOver; rounds++) {
        if (rounds < arrivalsMax) scheduler.noteArrival();
        await setImmediate();
      }
    })();
    await scheduler.searches();
    isOver = true;
    await counted;
    return rounds;
  }

  it("a turn waits until all are there", async () => {
    expect(await roundsUntilTurn(0)).toBeLessThan(4);
    expect(await roundsUntilTurn(10)).toBeGreaterThanOrEqual(10);
  });

  it("a turn waits for those who send their answers", async () => {
    const order: string[] = [];
    const answers = Array.from({ length: 8 }, () => scheduler.answers().then(() => order.push("answer")));
    const search = scheduler.searches().then(() => order.push("search"));
    await Promise.all([...answers, search]);
    expect(order.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => "answer"));
  });

  it("a turn does not wait for ever", async () => {
    expect(await roundsUntilTurn(1_000)).toBeLessThan(100);
  });
});
