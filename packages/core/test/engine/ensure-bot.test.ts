import fc from "fast-check";
import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { KeptStorage } from "../support/kept-storage.ts";

it("a bot is made by the first call, and there for all others, also those at the same time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 8 }), async (names) => {
      const storage = new KeptStorage();
      const engine = await Engine.open({ storage });
      const given = await Promise.all(names.map((name) => engine.ensureBot({ name })));
      for (const name of new Set(names)) {
        const ofName = given.filter(({ bot }) => bot.name === name);
        expect(new Set(ofName.map(({ bot }) => bot.id)).size).toBe(1);
        // One has made it, and has the key that opens it.
        const keys = ofName.flatMap(({ key }) => (key === undefined ? [] : [key]));
        expect(keys.map((key) => engine.authenticate(key)?.name)).toEqual([name]);
      }
      // No store is left of those that came too late.
      expect((await storage.list()).length).toBe(1 + new Set(names).size);
      await engine.close();
    }),
    { numRuns: 20 },
  );
});

it("a bot that is there keeps its settings and its key, also after a restart", async () => {
  const storage = new KeptStorage();
  const first = await Engine.open({ storage });
  const { bot, key } = await first.ensureBot({ name: "shop", quotaCharacters: 10 });
  await first.close();
  const second = await Engine.open({ storage });
  expect(await second.ensureBot({ name: "shop", quotaCharacters: 20, language: "multi" })).toEqual({ bot });
  expect(bot).toMatchObject({ quotaCharacters: 10, language: "en" });
  expect(second.authenticate(key)?.id).toBe(bot.id);
  await second.close();
});

it("settings that make no sense are refused whether the bot is there or not", async () => {
  const engine = await Engine.open();
  for (let again = 0; again < 2; again++) {
    await expect(engine.ensureBot({ name: "shop", quotaCharacters: -1 })).rejects.toMatchObject({ code: "VALIDATION" });
    await engine.ensureBot({ name: "shop" });
  }
  await expect(engine.ensureBot({ name: "" })).rejects.toMatchObject({ code: "VALIDATION" });
  await engine.close();
  await expect(engine.ensureBot({ name: "shop" })).rejects.toMatchObject({ code: "CLOSED" });
});
