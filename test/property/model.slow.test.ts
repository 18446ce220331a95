import { it } from "vitest";
import { expectAgreement } from "./model/agreement.ts";
import { slowRuns } from "./runs.ts";

it("a bot agrees with a plain array through thousands of lives", async () => {
  await expectAgreement(slowRuns(2_000));
});
