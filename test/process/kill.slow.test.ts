import { expect, it } from "vitest";
import { expectNothingLost } from "./kill-cycles.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const CYCLES = Number(process.env.TESTS_KILL_CYCLES ?? (SHORT ? 10 : 1_000));

/** Lives on one directory: every look at what a life left reads all of it, so that more would take longer and longer. */
const CYCLES_A_DIRECTORY = 100;

it(`a process killed ${CYCLES} times while it writes, takes snapshots and purges loses nothing that it acknowledged`, async () => {
  let [acknowledged, snapshots, purges] = [0, 0, 0];
  for (let cycle = 0; cycle < CYCLES; cycle += CYCLES_A_DIRECTORY) {
    const totals = await expectNothingLost(Math.min(CYCLES_A_DIRECTORY, CYCLES - cycle), 1_000 + cycle);
    acknowledged += totals.acknowledged;
    snapshots += totals.snapshots;
    purges += totals.purges;
    console.log(`${Math.min(CYCLES, cycle + CYCLES_A_DIRECTORY)} of ${CYCLES}: ${acknowledged} writes so far.`);
  }
  console.log(
    `${acknowledged} writes were acknowledged, ${snapshots} snapshots taken and ${purges} purges ended; no write was lost.`,
  );
  expect(snapshots).toBeGreaterThan(0);
  expect(purges).toBeGreaterThan(0);
});
