import { it } from "vitest";
import { expectAgreement } from "./model/agreement.ts";

it("a bot agrees with a plain array through creates, updates, deletes, searches, snapshots and restarts", async () => {
  await expectAgreement(12);
}, 60_000);
