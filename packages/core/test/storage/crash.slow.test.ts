import { describe, expect, it } from "vitest";
import { proveLife, proveRecoveryUnderFaults } from "./crash-life.ts";
import { faultsOf } from "./crash-trials.ts";
import { slowShare } from "./kit.ts";

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
/** Every I/O, or every twentieth in the short form. */
const step = 20 / slowShare(20);

describe("a life on a failing disk", () => {
  it.each(SEEDS)("loses nothing acknowledged and shows nothing refused, at every I/O, seed %i", async (seed) => {
    let trials = 0;
    for await (const trial of faultsOf(seed, step)) {
      await proveLife(trial).catch((cause: unknown) => {
        throw new Error(`trial ${JSON.stringify(trial)}`, { cause });
      });
      trials += 1;
    }
    console.log(`seed ${seed}: ${trials} lives`);
    expect(trials).toBeGreaterThan(60);
  });

  it("is found the same when the recovery fails at any of its I/Os as well", async () => {
    let recoveries = 0;
    for (let at = 10; at < 320; at += 5 * step) {
      for (const kind of ["failOnce", "failFrom", "crash"] as const) {
        for (const end of ["kill", "power cut"] as const) {
          recoveries += await proveRecoveryUnderFaults({ seed: at, fault: { at, kind: "crash" }, end }, kind);
        }
      }
    }
    console.log(`${recoveries} recoveries with a fault`);
    expect(recoveries).toBeGreaterThan(100);
  });
});
