import { describe, expect, it, onTestFinished } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { ValidationError } from "../../src/model/errors.ts";
import { CAR, ICE, type Opened, opened, QUESTION } from "../support/embedded-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";

async function botOf(): Promise<Opened> {
  const windows = await opened(new KeptStorage());
  onTestFinished(() => windows.engine.close());
  return windows;
}

async function published(bot: Bot, article: { title: string; body: string }): Promise<string> {
  const { id } = (await bot.createArticle(article)).article;
  await bot.whenUpgraded();
  return id;
}

describe("a bot explains", () => {
  it("what is found by meaning alone, with the embedder that read the question", async () => {
    const { bot } = await botOf();
    const [car, ice] = [await published(bot, CAR), await published(bot, ICE)];
    const [result] = await bot.search(QUESTION);
    const explanation = await bot.explain(QUESTION, car);
    expect(explanation).toMatchObject({
      outcome: "returned",
      rank: 1,
      score: result?.bestMatchScore,
      similarTextParts: result?.similarTextParts,
      document: { type: "EXTERNAL", title: CAR.title, newerWaits: false },
      question: { dense: { embedder: "fake", weight: 0.5 } },
    });
    const [passage] = explanation.passages;
    expect(passage?.terms).toEqual([]);
    expect(passage?.similarity).toBeCloseTo(0.5 ** (2 / 3) * (passage?.calibrated ?? 0), 12);
    expect((await bot.explain(QUESTION, ice)).outcome).toBe("belowFloor");
  });

  it("with the options of a search, and refuses what a search refuses", async () => {
    const { bot } = await botOf();
    const id = await published(bot, CAR);
    const options = { topK: 3, filters: { type: "PDF" } };
    expect(await bot.explain("buy a car", id, options)).toMatchObject({
      outcome: "filtered",
      topK: 3,
      droppedBy: [{ field: "filters.type", wanted: "PDF", found: "EXTERNAL" }],
    });
    await expect(bot.explain("", id)).rejects.toThrow(ValidationError);
    await expect(bot.explain("car", id, { topK: 0 })).rejects.toThrow(/options\.topK/);
  });

  it("what it has accepted and not indexed yet, and what it never had or has no more", async () => {
    const { bot } = await botOf();
    let id = "";
    // A busy machine may index an article before it is asked about.
    const explained = async () => {
      id = (await bot.createArticle(CAR)).article.id;
      return bot.explain("car", id);
    };
    await expect.poll(explained).toMatchObject({ outcome: "notIndexed", score: 0 });
    const before: string[] = [];
    const explainedAfterUpdate = async () => {
      await bot.updateArticle(id, { body: CAR.body });
      await bot.whenSearchable();
      before.push((await bot.explain("car", id)).outcome);
      await bot.updateArticle(id, { body: "Bicycles only." });
      return bot.explain("car", id);
    };
    await expect.poll(explainedAfterUpdate).toMatchObject({ outcome: "returned", document: { newerWaits: true } });
    expect(new Set(before)).toEqual(new Set(["returned"]));
    await bot.deleteArticle(id);
    expect(await bot.explain("car", id)).toMatchObject({ outcome: "unknown" });
  });

  it("nothing once it is closed", async () => {
    const { bot, engine } = await botOf();
    await engine.close();
    await expect(bot.explain("car", "x")).rejects.toMatchObject({ code: "CLOSED" });
  });
});
