import { expect, it } from "vitest";
import { codeOf, openNodes } from "../nodes/nodes.ts";

it("an article without the rate leaves the rate of all nodes as it is, and counts in the quota of all", async () => {
  const { nodes } = await openNodes();
  const [engine, other] = nodes;
  await engine.createBot({ name: "shop", rateCharactersPerMinute: 1_000, quotaCharacters: 2_500 });
  const [one, two] = [await engine.bot("shop"), await other.bot("shop")];
  const article = { title: "A title", body: "x".repeat(900) };
  const options = { withoutRate: true, idempotencyKey: "a-key" };
  const { article: made } = await one.createArticle(article, options);
  const again = await two.createArticle(article, options);
  expect([again.article.id, again.isReplayed]).toEqual([made.id, true]);
  // The rate has room for one article, on whichever node.
  await two.createArticle(article);
  expect(await codeOf(one.createArticle({ ...article, body: "x".repeat(500) }))).toBe("RATE_EXCEEDED");
  // The quota has none for a third, also without the rate.
  for (const bot of [one, two]) {
    expect(await codeOf(bot.createArticle(article, { withoutRate: true }))).toBe("QUOTA_EXCEEDED");
    expect((await bot.usage()).characterUsed).toBe(1_814);
  }
});
