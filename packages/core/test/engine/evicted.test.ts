import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import type { BotVectorsDeps } from "../../src/background/embedding/bot-vectors.ts";
import { Engine } from "../../src/engine.ts";
import { OpenBot } from "../../src/open-bot.ts";
import { vectorsOfABot } from "../support/vectors-of-a-bot.ts";

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

it("the vectors of a snapshot are let go as soon as the index has got them", async () => {
  let saved: BotVectorsDeps["saved"] | undefined = new Map([
    ["id", { version: 1, first: 0, by: "a static embedder", codes: new Int8Array(1_000) }],
  ]);
  const kept = new WeakRef(saved);
  const { vectors } = vectorsOfABot({ saved });
  saved = undefined;
  await vectors.use(undefined);
  // A reference that was looked at lives to the end of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(kept.deref()).toBeUndefined();
  await vectors.close();
});

it("a bot that was removed is let go, though its embedder is still waited for", async () => {
  const away = (): Promise<never> => Promise.reject(new Error("The model server is away."));
  const engine = await Engine.open({ embedders: { fake: { languages: ["en"], open: away } } });
  const removed = async (): Promise<WeakRef<object>> => {
    const opened = vi.spyOn(OpenBot, "open");
    await engine.createBot({ name: "bot" });
    const bot = await engine.bot("bot");
    await bot.createArticle({ title: "The shop", body: "You can buy a car here." });
    await bot.whenUpgraded();
    await engine.removeBot("bot");
    const open = await opened.mock.results[0]?.value;
    opened.mockRestore();
    return new WeakRef(open ?? expect.fail("no bot was opened"));
  };
  const kept = await removed();
  await expect
    .poll(() => {
      collectGarbage();
      return kept.deref() === undefined;
    })
    .toBe(true);
  await engine.close();
});
