import { describe, expect, it } from "vitest";
import type { BotClient } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

async function botWith(title: string, body: string): Promise<BotClient> {
  const bot = await service().bot();
  await bot.publish({ title, body });
  return bot;
}

async function score(bot: BotClient, query: string): Promise<number> {
  return (await bot.find(query))[0]?.bestMatchScore ?? 0;
}

describe("a similarity of 1", () => {
  it.each([
    ["as it stands", "The quick fox jumps over the fence.", "The quick fox jumps over the fence."],
    ["in another case", "The quick fox jumps.", "THE QUICK FOX jumps."],
    ["with other white space", "The quick fox jumps.", "  The\tquick \n fox   jumps. "],
    ["over a soft line break", "The quick\nfox jumps.", "the quick fox jumps."],
    ["in another normal form", "A caf\u00e9 at the gate.", "A cafe\u0301 at the gate."],
    ["without marks of emphasis", "The **quick** *fox* __jumps__ over `fences`.", "the quick fox jumps over fences."],
    ["with the marks", "The **quick** fox jumps.", "The **quick** fox jumps."],
    ["without the mark of a quote", "> The quick fox jumps.", "The quick fox jumps."],
    ["in other scripts", "Быстрая лиса прыгает.", "быстрая лиса ПРЫГАЕТ."],
    ["with astral characters", "The fox 😀 jumps.", "the fox 😀 jumps."],
  ])("is given for a query that equals a part's whole text %s", async (_, paragraph, query) => {
    const bot = await botWith("Some animals", `An introduction.\n\n${paragraph}\n\nAn end.`);
    const [found] = await bot.find(query);
    expect(found?.bestMatchScore).toBe(1);
    expect(found?.similarTextParts[0]).toMatchObject({ text: paragraph, similarity: 1, start: 3 });
    for (const part of found?.similarTextParts.slice(1) ?? []) expect(part.similarity).toBeLessThanOrEqual(0.999);
  });

  it("is given for a list item without its mark", async () => {
    const bot = await botWith("Steps", "Do this:\n\n- Unplug the router\n- Wait for the lamp\n- Call the hotline\n");
    const [found] = await bot.find("wait for the lamp");
    expect(found?.similarTextParts[0]).toMatchObject({ text: "- Wait for the lamp", similarity: 1, start: 4, stop: 4 });
  });

  it.each(["Reset your password", "reset YOUR  password", " Reset your password\n"])(
    "is given for the title (%j), carried by the part that fits best",
    async (query) => {
      const bot = await botWith("Reset your password", "Welcome.\n\nThe password is reset by mail.\n\nGoodbye.");
      const [found] = await bot.find(query);
      expect(found?.bestMatchScore).toBe(1);
      expect(found?.similarTextParts[0]).toMatchObject({ similarity: 1, start: 3, stop: 3 });
    },
  );

  it("is carried by the first block where no part fits the title", async () => {
    const bot = await botWith("Zeppelins", "First words.\n\nSecond words.");
    const [found] = await bot.find("zeppelins");
    expect(found?.bestMatchScore).toBe(1);
    expect(found?.similarTextParts).toEqual([{ text: "First words.", similarity: 1, start: 1, stop: 1 }]);
  });

  it("is given for the title also where the query's lines would make a list of it", async () => {
    const bot = await botWith("Harbour 42. Gate - left", "Words.");
    expect(await score(bot, "harbour\n42. gate\n- left")).toBe(1);
  });

  it("is given for the title of imported knowledge", async () => {
    const bot = await service().bot();
    await bot.import({
      resourceDocId: "z",
      type: "PDF",
      metaData: { title: "Zeppelins" },
      content: [{ md: "Words." }],
    });
    expect(await score(bot, "ZEPPELINS")).toBe(1);
  });

  it("is given for a question and for each of its other wordings", async () => {
    const bot = await service().bot();
    await bot.import({
      resourceDocId: "q",
      type: "QNA",
      question: "How do I reset my password?",
      alternatives: ["Password forgotten", "I can't log in any more"],
      answer: "Ask for a mail.\n\nThen follow its link.",
    });
    for (const query of [
      "how do I reset my password?",
      "PASSWORD forgotten",
      "I can't log in any more",
      "Ask for a mail.",
    ]) {
      const [found] = await bot.find(query, { options: { includeContent: true } });
      expect(found, query).toMatchObject({
        resourceDocId: "q",
        type: "QNA",
        metaData: { title: "How do I reset my password?" },
        bestMatchScore: 1,
        content: [{ md: "Ask for a mail.\n\nThen follow its link." }],
      });
      expect(found?.similarTextParts[0]).toMatchObject({ text: "Ask for a mail.", similarity: 1, start: 1, stop: 1 });
    }
  });

  it("follows the title when it changes", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish({ title: "Old name", body: "Words." });
    expect(await score(bot, "old name")).toBe(1);
    await bot.update(id, { title: "New label" });
    await bot.active(id);
    expect(await score(bot, "new label")).toBe(1);
    expect(await bot.ids("old name")).toEqual([]);
  });

  it("puts the exact match before everything else", async () => {
    const bot = await service().bot();
    const exact = await bot.add({ title: "Parking", body: "Words about something else." });
    for (let i = 0; i < 15; i += 1) await bot.add({ title: `Parking ${i}`, body: "Parking, parking, parking." });
    await bot.allActive();
    const found = await bot.find("parking", { options: { topK: 20 } });
    expect(found[0]?.resourceDocId).toBe(exact.id);
    expect(found.filter(({ bestMatchScore }) => bestMatchScore === 1)).toHaveLength(1);
  });
});

describe("a similarity below 1, at most .999", () => {
  it.each([
    ["a heading that equals the query", "# Refund rules\n\nPay first.", "refund rules"],
    ["a heading with its text", "# Refund rules\n\nPay first.", "refund rules pay first"],
    ["a part with one word more than the query", "Pay the bill first today.", "Pay the bill first."],
    ["a part with one word less", "Pay first.", "Pay bills first."],
    ["the same words in another order", "First pay the bill.", "the bill pay first."],
    ["other forms of the same words", "Bills are paid.", "bill is paid."],
    ["the query several times over", "pay pay pay pay", "pay"],
    ["half of a paragraph", "Pay first. Then come in.", "Pay first."],
    ["the same without its full stop", "Pay first.", "Pay first"],
    ["the same with an accent", "Pay the cafe.", "Pay the café."],
  ])("is given for %s", async (_, body, query) => {
    const bot = await botWith("Unrelated title", body);
    const [found] = await bot.find(query);
    expect(found).toBeDefined();
    for (const { similarity } of found?.similarTextParts ?? []) {
      expect(similarity).toBeGreaterThan(0);
      expect(similarity).toBeLessThanOrEqual(0.999);
    }
  });

  it.each(["reset password", "password reset rules", "how to reset your password rules", "rules"])(
    "is given for a title that is not quite %j",
    async (query) => {
      const bot = await botWith("Password rules reset", "Words.");
      const value = await score(bot, query);
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(0.999);
    },
  );

  it("is given for metadata that equals the query: only text and titles count", async () => {
    const bot = await service().bot();
    await bot.publish({ title: "Something", body: "Words here.", metadata: { label: "zeppelin flights" } });
    expect(await score(bot, "zeppelin flights")).toBeLessThan(1);
  });
});
