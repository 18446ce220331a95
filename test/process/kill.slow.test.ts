import { expect, it } from "vitest";
import { expectNothingLost } from "./kill-cycles.ts";

const SHORT = process.env.LOREDEX_SHORT === "1";
const CYCLES = Number(process.env.LOREDEX_KILL_CYCLES ?? (SHORT ? 10 : 1_000));

it(`a process killed ${CYCLES} times while it writes and takes snapshots loses nothing that it acknowledged`, async () => {
  const { acknowledged, snapshots } = await expectNothingLost(CYCLES, 1_000);
  console.log(`${acknowledged} writes were acknowledged and ${snapshots} snapshots taken; none was lost.`);
  expect(snapshots).toBeGreaterThan(0);
});
