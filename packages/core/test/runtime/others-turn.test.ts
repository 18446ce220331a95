import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Steps, Turns } from "../../src/runtime/steps.ts";

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
  function* work(name: string): Steps<void> {
    for (let step = 0; step < 20; step++) {
      done.push(name);
      yield;
    }
  }
  await Promise.all(["a", "b", "c", "d", "e"].map((name) => new Turns(clock).take(work(name))));
  isOver = true;
  await counted;
  expect(done.join("")).toBe("abcde".repeat(20));
  // All five begin in the first round; each of the 95 other steps has a round of its own.
  expect(rounds).toBeGreaterThanOrEqual(95);
});
