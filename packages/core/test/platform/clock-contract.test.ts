import { describe, it } from "vitest";
import { systemClock, systemRandom } from "../../src/platform/system.ts";
import { clockContract, randomContract } from "../../testing/index.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";

describe.each([
  ["the system's", () => systemClock],
  ["of the tests", () => new TestClock()],
])("the contract of a clock: %s", (_name, newClock) => {
  for (const { name, run } of clockContract(newClock)) it(name, run);
});

describe.each([
  ["the system's", () => systemRandom],
  ["by a seed", () => seededRandom(7)],
])("the contract of randomness: %s", (_name, newRandom) => {
  for (const { name, run } of randomContract(newRandom)) it(name, run);
});
