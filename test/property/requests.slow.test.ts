import { it } from "vitest";
import { sharedService } from "../http/service.ts";
import {
  expectAnyAddressIsAnswered,
  expectAnyBytesAreAnswered,
  expectAnyJsonIsAnswered,
  expectAnyQueryIsAnswered,
} from "./request-laws.ts";
import { slowRuns } from "./runs.ts";

const service = sharedService();

it("whatever a client sends is answered as promised, thousands of times", async () => {
  await expectAnyJsonIsAnswered(await service().bot(), slowRuns(10_000));
  await expectAnyBytesAreAnswered(await service().bot(), slowRuns(10_000));
  await expectAnyAddressIsAnswered(await service().bot(), service().port, slowRuns(10_000));
  await expectAnyQueryIsAnswered(await service().bot(), slowRuns(10_000));
});
