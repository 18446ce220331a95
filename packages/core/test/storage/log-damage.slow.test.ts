import { describe, expect, it } from "vitest";
import { slowShare } from "./kit.ts";
import { flipBits, smallStore, truncateFiles } from "./log-damage.ts";

/** All of them, or every twentieth in the short form. */
const step = 20 / slowShare(20);

describe.each([
  ["a log", false],
  ["a log with snapshots", true],
])("every damage to %s", (_name, withSnapshots) => {
  it("of one bit is refused, reported or made good, never overlooked", async () => {
    const outcomes = await flipBits(await smallStore(withSnapshots), step, 0);
    console.log("single bits:", outcomes);
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  it("by cutting is refused, or yields exactly what is whole", async () => {
    const outcomes = await truncateFiles(await smallStore(withSnapshots), step);
    console.log("cuts:", outcomes);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});
