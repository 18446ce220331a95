import { describe, expect, it } from "vitest";
import { lying, proveLife, proveRecoveryUnderFaults, type Trial } from "./crash-life.ts";
import { faultsOf, lossesOf } from "./crash-trials.ts";

describe("a life on a failing disk, sampled", () => {
  it("without a fault keeps everything", async () => {
    const operations = await proveLife({ seed: 1, fault: undefined, end: "kill" });
    expect(operations).toBeGreaterThan(150);
    await proveLife({ seed: 1, fault: undefined, end: "power cut" });
  });

  it("loses nothing acknowledged and shows nothing refused, wherever the fault is", async () => {
    let trials = 0;
    for await (const trial of faultsOf(1, 9)) {
      await proveLife(trial).catch((cause: unknown) => {
        throw new Error(`trial ${JSON.stringify(trial)}`, { cause });
      });
      trials += 1;
    }
    expect(trials).toBeGreaterThan(150);
  });

  it("is found the same when the recovery fails as well", async () => {
    for (const [index, kind] of (["failOnce", "failFrom", "crash"] as const).entries()) {
      const trial: Trial = { seed: index, fault: { at: 150 + 40 * index, kind: "crash" }, end: "power cut" };
      expect(await proveRecoveryUnderFaults(trial, kind)).toBeGreaterThan(10);
    }
  });
});

describe("the proof itself", () => {
  it.each(["sync", "syncDirectory"] as const)("catches a disk that only pretends to %s", async (lie) => {
    const losses = await lossesOf(40, (disk) => lying(disk, lie));
    expect(losses).toBeGreaterThan(0);
  });

  it("finds nothing on an honest one", async () => {
    expect(await lossesOf(40, (disk) => disk)).toBe(0);
  });
});
