import { afterEach, describe, expect, it } from "vitest";
import { sharedService } from "../http/service.ts";
import {
  expectAnyAddressIsAnswered,
  expectAnyBytesAreAnswered,
  expectAnyJsonIsAnswered,
  expectAnyQueryIsAnswered,
} from "./request-laws.ts";

const service = sharedService();

describe("whatever a client sends", () => {
  afterEach(async () => {
    const bot = await service().bot();
    expect((await bot.publish({ title: "Still alive", body: "Yes." })).status).toBe("active");
  });

  it("as JSON is answered as promised", async () => {
    await expectAnyJsonIsAnswered(await service().bot(), 80);
  });

  it("as bytes is answered as promised", async () => {
    await expectAnyBytesAreAnswered(await service().bot(), 50);
  });

  it("as an address is never a fault of the server", async () => {
    await expectAnyAddressIsAnswered(await service().bot(), service().port, 80);
  });

  it("as a question is answered with a list that keeps its laws", async () => {
    await expectAnyQueryIsAnswered(await service().bot(), 60);
  });
});
