import { expect, it } from "vitest";
import { slowShare } from "../storage/kit.ts";
import { wholeDirectory } from "./loader-fuzz.ts";
import { expectTypedErrors } from "./loader-fuzz-runs.ts";

const RUNS = Number(process.env.TESTS_RUNS ?? slowShare(20_000));

it.each([
  [`${RUNS} directories with random changes`, false],
  [`${RUNS} directories with random changes and checksums that fit`, true],
])("%s: each is opened, or refused with an error of ours", async (what, seal) => {
  const { refused, opened } = await expectTypedErrors(await wholeDirectory(), RUNS, { seal, seed: 100 });
  console.log(`${what}: ${refused} refused, ${opened} opened`);
  expect(refused + opened).toBe(RUNS);
});
