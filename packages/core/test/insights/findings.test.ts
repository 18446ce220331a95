import { describe, expect, it, onTestFinished } from "vitest";
import { type Bot, Engine, type Insights } from "../../src/index.ts";

async function opened(): Promise<{ bot: Bot; insights: Insights }> {
  const engine = await Engine.open({ embedders: {} });
  onTestFinished(() => engine.close());
  await engine.createBot({ name: "acme", questionLog: true });
  return { bot: await engine.bot("acme"), insights: await engine.insights("acme") };
}

const LONG =
  "Refunds are paid within fourteen days after the parcel has come back to our store, to the account or card that paid the order, and a mail tells you about it.";

describe("findings", () => {
  it("name the articles that nothing has found, once something was asked", async () => {
    const { bot, insights } = await opened();
    const { article } = await bot.createArticle({ title: "Submarines", body: "They dive." });
    await bot.createArticle({ title: "Refunds", body: LONG });
    await bot.whenSearchable();
    expect(await insights.neverFound()).toEqual([]);
    await bot.search("refunds");
    expect(await insights.neverFound()).toEqual([{ id: article.id, title: "Submarines" }]);
    await bot.search("submarines");
    expect(await insights.neverFound()).toEqual([]);
  });

  it("name near-duplicates of any type, and not what only shares words", async () => {
    const { bot, insights } = await opened();
    const { article } = await bot.createArticle({ title: "Refunds", body: LONG });
    await bot.importDocument({
      resourceDocId: "copy",
      type: "WEBPAGE",
      content: [{ md: `${LONG.replace("fourteen", "thirty")} Thank you.` }],
    });
    await bot.importDocument({
      resourceDocId: "other",
      type: "WEBPAGE",
      content: [{ md: [...LONG.split(" ")].reverse().join(" ") }],
    });
    const [pair, ...more] = await insights.nearDuplicates();
    expect(more).toEqual([]);
    expect(pair).toMatchObject({ ids: [article.id, "copy"], titles: ["Refunds", ""] });
    expect(pair?.similarity).toBeGreaterThan(0.7);
    // What was computed before is not returned for other knowledge.
    await bot.deleteArticle(article.id);
    expect(await insights.nearDuplicates()).toEqual([]);
  });

  it("name lines that differ in a number or a negation alone", async () => {
    const { bot, insights } = await opened();
    const documents = {
      a: "# Refunds\n\nRefunds are paid within 14 days.\nYou can return opened headphones.\nBoth say the same here.",
      b: "Refunds are paid within 30 days.\n\nYou can't return opened headphones.\nBoth say the same here.",
      c: "Rücksendungen sind kostenlos für Kunden.",
      d: "Rücksendungen sind nicht kostenlos für Kunden.\nshort 5",
    };
    for (const [resourceDocId, md] of Object.entries(documents))
      await bot.importDocument({
        resourceDocId,
        type: "DOCUMENT",
        metaData: { title: resourceDocId },
        content: [{ md }],
      });
    expect(await insights.contradictions()).toEqual([
      {
        ids: ["a", "b"],
        titles: ["a", "b"],
        lines: ["Refunds are paid within 14 days.", "Refunds are paid within 30 days."],
        reason: "numbers",
      },
      {
        ids: ["a", "b"],
        titles: ["a", "b"],
        lines: ["You can return opened headphones.", "You can't return opened headphones."],
        reason: "negation",
      },
      {
        ids: ["c", "d"],
        titles: ["c", "d"],
        lines: ["Rücksendungen sind kostenlos für Kunden.", "Rücksendungen sind nicht kostenlos für Kunden."],
        reason: "negation",
      },
    ]);
  });
});
