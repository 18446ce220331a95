import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { count, inspect, type Known, killedAfter, prepare, type Totals } from "./kill-cycles.ts";
import { LoopDisk, whyNoLoopDisk } from "./loop-disk.ts";

const SHORT = process.env.TESTS_SHORT === "1";
const CYCLES = Number(process.env.TESTS_POWER_CUTS ?? (SHORT ? 3 : 300));
const CONTROLS = SHORT ? 1 : 5;
/** A disk is replaced by a new one after so many cuts. */
const CUTS_A_DISK = 30;
const ACKNOWLEDGEMENTS_MAX = 400;

const why = whyNoLoopDisk();
if (why !== undefined) console.warn(`The power cuts did not run: ${why}`);

const moment = (cycle: number): number => 1 + ((Math.imul(cycle + 1, 2_654_435_761) >>> 0) % ACKNOWLEDGEMENTS_MAX);

/** Cuts the power of disks while the writer writes, again and again. */
async function cutPower(cycles: number, totals: Totals): Promise<void> {
  let [disk, known]: [LoopDisk | undefined, Known | undefined] = [undefined, undefined];
  try {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      if (disk === undefined || known === undefined || cycle % CUTS_A_DISK === 0) {
        disk?.remove();
        disk = LoopDisk.make();
        known = await prepare(join(disk.path, "data"));
      }
      const events = await killedAfter(join(disk.path, "data"), cycle, moment(cycle));
      count(totals, events);
      disk = disk.cut();
      known = await inspect(join(disk.path, "data"), known, events, totals);
    }
  } finally {
    disk?.remove();
  }
}

describe.skipIf(why !== undefined)(
  `a disk whose power is cut${why === undefined ? "" : ` (did not run: ${why})`}`,
  () => {
    it(`${CYCLES} times while a process writes and takes snapshots has everything that was acknowledged`, async () => {
      const totals: Totals = { acknowledged: 0, snapshots: 0, purges: 0, unacknowledged: 0 };
      await cutPower(CYCLES, totals);
      console.log(
        `${CYCLES} power cuts: ${totals.acknowledged} writes acknowledged, ${totals.snapshots} snapshots, 0 lost; ` +
          `${totals.unacknowledged} were there without having been acknowledged.`,
      );
      expect(totals.acknowledged).toBeGreaterThan(CYCLES * 10);
    });

    it(`${CONTROLS} times loses what was acknowledged if nothing is synced: the proof can fail`, async () => {
      let losses = 0;
      for (let cycle = 0; cycle < CONTROLS; cycle += 1) {
        let disk = LoopDisk.make();
        try {
          const known = await prepare(join(disk.path, "data"));
          const events = await killedAfter(join(disk.path, "data"), cycle, 50, { lie: true });
          disk = disk.cut();
          const totals: Totals = { acknowledged: 0, snapshots: 0, purges: 0, unacknowledged: 0 };
          await inspect(join(disk.path, "data"), known, events, totals).catch(() => {
            losses += 1;
          });
        } finally {
          disk.remove();
        }
      }
      console.log(`${CONTROLS} power cuts without syncing: ${losses} lost acknowledged writes`);
      expect(losses).toBe(CONTROLS);
    });
  },
);
