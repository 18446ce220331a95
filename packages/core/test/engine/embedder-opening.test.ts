import { expect, it } from "vitest";
import type { Embedder, EmbedderOffer } from "../../src/embedding/embedder.ts";
import { Engine } from "../../src/engine.ts";
import { CAR, offer, QUESTION, titles } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** Does not open before it is told to stop. */
const hanging = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** An engine whose bot has an article without vectors. */
async function started(open: NonNullable<EmbedderOffer["open"]>) {
  const embedders = { first: { languages: ["en"], open }, second: offer([]) };
  const engine = await Engine.open({ storage: new KeptStorage(), embedders });
  await engine.createBot({ name: "bot" });
  const bot = await engine.bot("bot");
  await bot.createArticle(CAR);
  await bot.whenSearchable();
  return { engine, bot };
}

it("an embedder that is still being opened does not keep the engine from closing", async () => {
  const { engine } = await started(hanging);
  await engine.close();
});

it("an embedder that is still being opened keeps no bot from being given another", async () => {
  const { engine, bot } = await started(hanging);
  await engine.updateBot("bot", { embedder: "second" });
  await bot.whenUpgraded();
  expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
  await engine.close();
});

it("an embedder that is still being opened keeps no bot from being removed", async () => {
  const { engine } = await started(hanging);
  await engine.removeBot("bot");
  await engine.close();
});

it("an embedder that goes on after an abort keeps no bot from being closed", async () => {
  const fake: Embedder = new FakeEmbedder();
  const asked = new Promise<void>((resolve) => {
    fake.embedPassages = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  const { engine } = await started(async () => fake);
  await asked;
  await engine.close();
});
