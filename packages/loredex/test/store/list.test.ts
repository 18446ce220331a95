import { Engine } from "@loredex/core";
import { SimulatedDatabase } from "@loredex/core/testing";
import { expect, it, onTestFinished } from "vitest";
import { engineOperator } from "../../src/operator/engine-operator.ts";

it("a list of the bots of a database opens those alone whose figures no node has kept", async () => {
  const database = new SimulatedDatabase();
  const node = await Engine.open({ embedders: {}, storage: database.open() });
  const { bot: shop } = await node.createBot({ name: "shop" });
  const bot = await node.bot(shop.id);
  await bot.createArticle({ title: "Hours", body: "We open at nine." });
  await node.close();
  const other = await Engine.open({ embedders: {}, storage: database.open() });
  await other.createBot({ name: "new" });
  const engine = await Engine.open({ embedders: {}, storage: database.open() });
  onTestFinished(async () => void (await Promise.all([engine.close(), other.close()])));
  const listed = await engineOperator(engine, { ownsEngine: true }).fleet();
  expect(listed).toMatchObject([
    { name: "new", figures: { articles: 0 } },
    { name: "shop", figures: { articles: 1 } },
  ]);
  expect(engine.openBots).toBe(1);
});
