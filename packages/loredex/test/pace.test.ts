import { expect, it } from "vitest";
import { Pace } from "../src/terminal/pace.ts";

/** A pace, and how it tells one count after the other. */
function paceFrom(startMs: number) {
  let nowMs = startMs;
  const pace = new Pace(() => nowMs);
  const after = (seconds: number, done: number, total: number): string => {
    nowMs += seconds * 1_000;
    return pace.rate(done) + pace.left(done, total);
  };
  return { pace, after };
}

it("says how fast something goes on and when it will be done, as soon as that is known", () => {
  const { after } = paceFrom(5_000);
  expect([after(0, 0, 100), after(1, 30, 100), after(1, 40, 100)]).toEqual(["", "", ""]);
  expect(after(2, 50, 100)).toBe(", 13/s, about 4 s left");
  expect([after(4, 100, 100), after(0, 101, 100)]).toEqual([", 13/s, about 0 s left", ", 13/s"]);
});

it("says nothing of the rest while hardly anything is done, unless that takes long", () => {
  const { after } = paceFrom(0);
  // The first documents of an import wait for what is started with it.
  expect([after(0, 1, 10_000), after(10, 2, 10_000), after(10, 3, 10_000)]).toEqual(["", ", 0.1/s", ", 0.1/s"]);
  expect(after(5, 250, 10_000)).toBe(", 10/s, about 16 min left");
  const slow = paceFrom(0);
  slow.after(0, 0, 1_000_000);
  expect([slow.after(20, 20, 1_000_000), slow.after(10, 40, 1_000_000)]).toEqual([
    ", 1.0/s",
    ", 1.3/s, about 208 h left",
  ]);
});

it("never tells a rate of nothing", () => {
  const { after } = paceFrom(0);
  after(0, 0, 10);
  expect(after(25, 1, 10)).toBe(", about 225 s left".replace("225 s", "4 min"));
});

it("goes by the last while", () => {
  const { after } = paceFrom(0);
  for (let second = 0; second <= 60; second += 1) after(1, 1, 1_001);
  let told = "";
  for (let second = 1; second <= 40; second += 1) told = after(1, 1 + 10 * second, 1_001);
  expect(told).toBe(", 10/s, about 60 s left");
  for (let second = 1; second <= 31; second += 1) told = after(1, 401, 1_001);
  expect(told).toBe("");
});

it("does not count what was there before", () => {
  const { after, pace } = paceFrom(0);
  pace.rate(1_000);
  expect([after(10, 1_000, 1_200), pace.rate(1_100), pace.left(1_100, 1_200)]).toEqual([
    "",
    ", 10/s",
    ", about 10 s left",
  ]);
});
