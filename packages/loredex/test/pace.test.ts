import { expect, it } from "vitest";
import { Pace } from "../src/terminal/pace.ts";

it("says how fast something goes on and when it will be done, as soon as that is known", () => {
  let nowMs = 5_000;
  const pace = new Pace(() => nowMs);
  expect([pace.rate(0), pace.left(0, 100)]).toEqual(["", ""]);
  nowMs += 1_000;
  expect([pace.rate(50), pace.left(50, 100)]).toEqual(["", ""]);
  nowMs += 3_000;
  expect([pace.rate(50), pace.left(50, 100)]).toEqual([", 13/s", ", about 4 s left"]);
  expect([pace.rate(2), pace.left(2, 1_000)]).toEqual([", 0.5/s", ", about 33 min left"]);
  expect([pace.left(2, 100_000), pace.left(100, 100), pace.left(101, 100)]).toEqual([
    ", about 56 h left",
    ", about 0 s left",
    "",
  ]);
});

it("does not count what was there before", () => {
  let nowMs = 0;
  const pace = new Pace(() => nowMs);
  pace.rate(1_000);
  nowMs = 10_000;
  expect([pace.rate(1_000), pace.rate(1_100), pace.left(1_100, 1_200)]).toEqual(["", ", 10/s", ", about 10 s left"]);
});
