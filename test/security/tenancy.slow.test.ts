import { it } from "vitest";
import { sharedService } from "../http/service.ts";
import { slowRuns } from "../property/runs.ts";
import { expectNothingCrosses } from "./tenancy.ts";

const service = sharedService();

it("whatever the holders of one bot's keys send, they learn and change nothing of another bot, thousands of times", async () => {
  await expectNothingCrosses(service(), slowRuns(1_000));
});
