import { expect, it } from "vitest";
import { searchKnowledge } from "../../src/routes/search.ts";
import { FakeBot } from "../support/fake-engine.ts";

it("counts the wait for its turn as part of a search's time", async () => {
  const request = {
    parameters: new Map<string, string>(),
    query: "",
    json: async () => ({ query: "x" }),
    searchMs: 60_000,
  };
  const bot = new FakeBot();
  await searchKnowledge({ ...request, bot, waitedMs: () => 50_000 });
  const late = searchKnowledge({ ...request, bot, waitedMs: () => 60_001 });
  await expect(late).rejects.toMatchObject({ code: "OVERLOADED" });
});
