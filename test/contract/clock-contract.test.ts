import { clockContract, randomContract } from "@loredex/core/testing";
import { describe, it } from "vitest";
import { systemClock, systemRandom } from "../../packages/core/src/platform/system.ts";
import { seededRandom, TestClock } from "../../packages/core/test/support/test-clock.ts";

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
