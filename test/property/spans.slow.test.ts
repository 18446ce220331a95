import { it } from "vitest";
import { slowRuns } from "./runs.ts";
import { expectSpanLaw } from "./span-law.ts";

it("arbitrary markdown is quoted exactly by the lines that a search gives, 10,000 times", async () => {
  await expectSpanLaw(slowRuns(10_000));
});
