import { it } from "vitest";
import { sharedService } from "../http/service.ts";
import { expectNothingCrosses } from "./tenancy.ts";

const service = sharedService();

it("whatever the holders of one bot's keys send, they learn and change nothing of another bot", async () => {
  await expectNothingCrosses(service(), 3);
});
