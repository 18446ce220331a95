import { expect, it, onTestFinished } from "vitest";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { CAR, ICE, opened, QUESTION, titles } from "../support/embedded-bot.ts";

const withTokens = { tokens: "1" };

it("one node makes vectors and token codes, and all answer with them", async () => {
  const database = new SimulatedDatabase();
  const a = await opened(database.open(), withTokens);
  const b = await opened(database.open(), withTokens);
  for (const { engine } of [a, b]) onTestFinished(() => engine.close());
  await a.bot.createArticle(CAR);
  await b.bot.createArticle(ICE);
  // So that both have begun.
  await b.bot.search(QUESTION);
  for (const { bot } of [a, b]) await bot.whenUpgraded();
  for (const { bot } of [a, b]) {
    expect(await titles(bot, QUESTION)).toContain(CAR.title);
    const { vectors } = await bot.stats();
    expect(vectors).toMatchObject({ documentsWaiting: 0, tokenCodes: { documentsWaiting: 0 } });
  }
  const texts = [a, b].flatMap(({ fakes }) => fakes.flatMap(({ passages }) => passages));
  expect(texts).toHaveLength(new Set(texts).size);
});

it("a node that opens later takes what is made", async () => {
  const database = new SimulatedDatabase();
  const a = await opened(database.open(), withTokens);
  onTestFinished(() => a.engine.close());
  await a.bot.createArticle(CAR);
  await a.bot.whenUpgraded();
  const b = await opened(database.open(), withTokens);
  onTestFinished(() => b.engine.close());
  await b.bot.whenUpgraded();
  expect(await titles(b.bot, QUESTION)).toEqual([CAR.title]);
  expect(b.fakes.flatMap(({ passages }) => passages)).toEqual([]);
});
