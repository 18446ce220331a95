import { type Engine as CoreEngine, RateExceededError } from "@loredex/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RecentDeletes, UNDO_MS } from "../../src/admin/undo.ts";
import { Engine } from "../../src/engine.ts";

let engine: CoreEngine;
beforeEach(async () => {
  engine = await Engine.open({ embedders: {} });
});
afterEach(() => engine.close());

it("only what was deleted a moment ago is created without the rate, once", async () => {
  let nowMs = 0;
  const deletes = new RecentDeletes(() => nowMs);
  const { bot: info } = await engine.createBot({
    name: "acme",
    rateCharactersPerMinute: 1_000,
    quotaCharacters: 2_000,
  });
  const bot = deletes.watched(info.id, await engine.bot(info.id));
  const body = "x".repeat(990);
  const article = { title: "A title", body };
  const { article: made } = await bot.createArticle(article);
  const undo = (input: object = article) => bot.createArticle(input, { withoutRate: true });

  await bot.deleteArticle(made.id);
  await expect(bot.createArticle(article)).rejects.toThrow(RateExceededError);
  // A changed text is no undo: the rate holds.
  await expect(undo({ title: "A title", body: `${body}.` })).rejects.toThrow(RateExceededError);
  const { article: again } = await undo();
  expect(again.id).not.toBe(made.id);
  expect(again).toMatchObject(article);
  await expect(undo()).rejects.toThrow(RateExceededError);

  await bot.deleteArticle(again.id);
  nowMs += UNDO_MS;
  await expect(undo()).rejects.toThrow(RateExceededError);
  expect(await bot.getArticle(again.id)).toBeUndefined();
});

it("an undo that is sent twice with one idempotency key is one article, and takes no rate", async () => {
  const deletes = new RecentDeletes(() => 0);
  const limits = { rateCharactersPerMinute: 1_000, quotaCharacters: 5_000 };
  const { bot: info } = await engine.createBot({ name: "acme", ...limits });
  const bot = deletes.watched(info.id, await engine.bot(info.id));
  const article = { title: "A title", body: "x".repeat(900) };
  const { article: made } = await bot.createArticle(article);
  await bot.deleteArticle(made.id);
  const options = { withoutRate: true, idempotencyKey: "a-key" };
  const first = await bot.createArticle(article, options);
  // The delete has been undone, and the rate is used up: the key alone answers.
  const again = await bot.createArticle(article, options);
  expect([again.article.id, again.isReplayed]).toEqual([first.article.id, true]);
  expect(await (await engine.bot(info.id)).listArticles()).toHaveLength(1);
  await expect(bot.createArticle({ ...article, title: "Another" }, options)).rejects.toMatchObject({
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});

it("an undo that fails may be tried again, and the quota holds", async () => {
  const deletes = new RecentDeletes(() => 0);
  const { bot: info } = await engine.createBot({
    name: "acme",
    quotaCharacters: 1_000,
    rateCharactersPerMinute: 100_000,
  });
  const bot = deletes.watched(info.id, await engine.bot(info.id));
  const article = { title: "A title", body: "x".repeat(800) };
  const { article: made } = await bot.createArticle(article);
  await bot.deleteArticle(made.id);
  const { article: other } = await bot.createArticle({ title: "Other", body: "y".repeat(800) });
  await expect(bot.createArticle(article, { withoutRate: true })).rejects.toThrow("quota");
  await engine.updateBot(info.id, { rateCharactersPerMinute: 1_000 });
  await bot.deleteArticle(other.id);
  expect((await bot.createArticle(article, { withoutRate: true })).article).toMatchObject(article);
});
