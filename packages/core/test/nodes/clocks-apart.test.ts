import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { TestClock } from "../support/test-clock.ts";

const DAY_MS = 86_400_000;

/** Two nodes, of which the second has a clock that is 25 hours ahead, with the same bot. */
async function nodes() {
  const database = new SimulatedDatabase();
  const open = async (wallMs: number): Promise<Engine> => {
    const engine = await Engine.open({ embedders: {}, storage: database.open(), clock: new TestClock(wallMs) });
    onTestFinished(() => engine.close());
    return engine;
  };
  const [right, ahead] = [await open(Date.now()), await open(Date.now() + DAY_MS + DAY_MS / 24)];
  const { bot } = await right.createBot({ name: "shop" });
  return { right: await right.bot(bot.id), ahead: await ahead.bot("shop") };
}

it("a node whose clock is a day ahead forgets no idempotency key, nor has others forget any", async () => {
  const { right, ahead } = await nodes();
  const [one, two] = ["one", "two"].map((title) => ({ title, body: "Text." }));
  const first = await right.createArticle(one, { idempotencyKey: "k1" });
  expect((await ahead.createArticle(one, { idempotencyKey: "k1" })).article.id).toBe(first.article.id);
  await ahead.createArticle(two, { idempotencyKey: "k2" });
  expect((await right.createArticle(one, { idempotencyKey: "k1" })).article.id).toBe(first.article.id);
});

it("what such a node writes has the time of the storage", async () => {
  const { right, ahead } = await nodes();
  const { article } = await ahead.createArticle({ title: "one", body: "Text." });
  expect(Math.abs(Date.parse(article.createdAt) - Date.now())).toBeLessThan(DAY_MS / 24);
  const changed = await right.updateArticle(article.id, { body: "Other." });
  expect(Date.parse(changed.article.updatedAt)).toBeGreaterThanOrEqual(Date.parse(article.createdAt));
});
