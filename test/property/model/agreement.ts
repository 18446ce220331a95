import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { TestClock } from "../../http/test-clock.ts";
import { commands } from "./commands.ts";
import { Real } from "./real.ts";
import { newModel } from "./state.ts";

const QUOTA = 1_000;
const RATE = 600;

/** Lives of a bot, made up at random: after each step the engine and a plain array say the same. */
export async function expectAgreement(lives: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const directory = await mkdtemp(join(tmpdir(), "loredex-model-"));
      const real = await Real.open(new TestClock(), directory, QUOTA, RATE);
      try {
        await fc.asyncModelRun(() => ({ model: newModel(QUOTA, RATE), real }), steps);
      } finally {
        await real.close();
        await rm(directory, { recursive: true, force: true });
      }
    }),
    { numRuns: lives },
  );
}
