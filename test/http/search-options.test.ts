import { describe, expect, it } from "vitest";
import type { BotClient } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

async function botWithPages(count: number): Promise<BotClient> {
  const bot = await service().bot();
  const pages = Array.from({ length: count }, (_, i) => ({
    resourceDocId: `page ${String(i).padStart(3, "0")}`,
    type: "WEBPAGE" as const,
    content: [{ md: `Otters swim in pond ${i}.` }],
  }));
  await bot.import(...pages);
  return bot;
}

describe("topK", () => {
  it("is 10 unless given, and limits the list", async () => {
    const bot = await botWithPages(15);
    expect(await bot.ids("otters")).toHaveLength(10);
    for (const topK of [1, 3, 10, 15]) expect(await bot.ids("otters", { options: { topK } })).toHaveLength(topK);
    expect(await bot.ids("otters", { options: { topK: 99 } })).toHaveLength(15);
  });

  it("more than 100 counts as 100", async () => {
    const bot = await botWithPages(130);
    for (const topK of [100, 101, 5_000]) expect(await bot.ids("otters", { options: { topK } })).toHaveLength(100);
  });

  it("of fewer gives the first of more", async () => {
    const bot = await botWithPages(30);
    const all = await bot.ids("otters swim in pond 7", { options: { topK: 30 } });
    for (const topK of [1, 2, 5, 10, 29]) {
      expect(await bot.ids("otters swim in pond 7", { options: { topK } })).toEqual(all.slice(0, topK));
    }
  });
});

describe("offset and minScore", () => {
  it("give a slice of the answer with topK 100, without documents that score less", async () => {
    const bot = await botWithPages(130);
    const all = await bot.ids("otters swim in pond 7", { options: { topK: 100 } });
    const slices = [];
    for (let offset = 0; offset < 100; offset += 30) {
      slices.push(...(await bot.ids("otters swim in pond 7", { options: { topK: 30, offset } })));
    }
    expect(slices).toEqual(all);
    const { json } = await bot.search({ query: "otters swim in pond 7", options: { topK: 100 } });
    const minScore = json[0]?.bestMatchScore ?? 1;
    const best = json.filter(({ bestMatchScore }) => bestMatchScore >= minScore).length;
    expect(best).toBeLessThan(100);
    expect(await bot.ids("otters swim in pond 7", { options: { topK: 100, minScore } })).toEqual(all.slice(0, best));
  });
});

describe("context", () => {
  const md =
    "# Otters\n\nOtters are furry.\n\n## Swimming\n\nOtters swim in ponds.\n\nIn winter too.\n\n## Food\n\nFish.";

  it("adds the section around each part, with its lines and headings, once", async () => {
    const bot = await service().bot();
    await bot.import({ resourceDocId: "page", type: "WEBPAGE", content: [{ md }] });
    const asked = async (options: object) => (await bot.search({ query: "swim in winter", options })).json[0];
    const found = await asked({ context: "section" });
    expect(found?.similarTextParts[0]).toMatchObject({
      context: {
        text: md.split("\n").slice(4, 10).join("\n"),
        start: 5,
        stop: 10,
        headings: ["Otters", "Swimming"],
      },
    });
    const places = found?.similarTextParts.flatMap(({ context }) => context?.start ?? []);
    expect(new Set(places).size).toBe(places?.length);
    const bare = { ...found, similarTextParts: found?.similarTextParts.map(({ context: _, ...part }) => part) };
    expect(await asked({})).toEqual(bare);
    expect(await asked({ context: "none" })).toEqual(bare);
    const short = await asked({ context: "section", contextCharacters: 5 });
    for (const { text, context } of short?.similarTextParts ?? []) expect(context?.text).toBe(text);
  });

  it("of a question with an answer is text of its answer", async () => {
    const bot = await service().bot();
    const answer = "They do.\n\n# Where\n\nIn ponds.";
    await bot.import({ resourceDocId: "faq", type: "QNA", question: "Do otters swim?", answer });
    const { json } = await bot.search({ query: "Do otters swim?", options: { context: "page" } });
    expect(json[0]?.similarTextParts[0]).toMatchObject({
      similarity: 1,
      context: { text: "They do.\n", start: 1, stop: 2, headings: [] },
    });
  });
});

describe("includeFaqs and onlyActiveIntents", () => {
  async function botWithFaqs(): Promise<BotClient> {
    const bot = await service().bot();
    for (const status of ["active", "inactive", "pending"] as const) {
      await bot.import({
        resourceDocId: `q ${status}`,
        type: "QNA",
        status,
        question: "Do otters swim?",
        answer: "Otters swim.",
      });
    }
    await bot.import({
      resourceDocId: "page",
      type: "WEBPAGE",
      status: "inactive",
      content: [{ md: "Otters swim too." }],
    });
    return bot;
  }

  it("all questions with answers are found unless they are left out", async () => {
    const bot = await botWithFaqs();
    const all = ["page", "q active", "q inactive", "q pending"];
    expect((await bot.ids("otters swim")).sort()).toEqual(all);
    expect((await bot.ids("otters swim", { options: { includeFaqs: true } })).sort()).toEqual(all);
    expect(await bot.ids("otters swim", { options: { includeFaqs: false } })).toEqual(["page"]);
    const filtered = await bot.ids("otters swim", { filters: { type: "QNA" } });
    expect(filtered.sort()).toEqual(["q active", "q inactive", "q pending"]);
  });

  it("onlyActiveIntents leaves out questions that are not active, and nothing else", async () => {
    const bot = await botWithFaqs();
    expect((await bot.ids("otters swim", { options: { onlyActiveIntents: true } })).sort()).toEqual([
      "page",
      "q active",
    ]);
    expect(await bot.ids("otters swim", { options: { onlyActiveIntents: false } })).toHaveLength(4);
    const neither = { includeFaqs: false, onlyActiveIntents: true };
    expect(await bot.ids("otters swim", { options: neither })).toEqual(["page"]);
  });

  it("never shorten a list that could be filled", async () => {
    const bot = await service().bot();
    const questions = Array.from({ length: 40 }, (_, i) => ({
      resourceDocId: `question ${i}`,
      type: "QNA" as const,
      status: "pending" as const,
      question: "Do otters swim?",
      answer: "Otters swim, otters swim.",
    }));
    const pages = Array.from({ length: 5 }, (_, i) => ({
      resourceDocId: `page ${i}`,
      type: "PDF" as const,
      content: [{ md: "Among many other things that this long page tells in passing, otters are said to swim." }],
    }));
    await bot.import(...questions, ...pages);
    for (const options of [{ includeFaqs: false }, { onlyActiveIntents: true }]) {
      const found = await bot.find("do otters swim?", { options: { ...options, topK: 5 } });
      expect(found.map(({ type }) => type)).toEqual(Array.from({ length: 5 }, () => "PDF"));
    }
    const filtered = await bot.ids("do otters swim?", { options: { topK: 5 }, filters: { type: "PDF" } });
    expect(filtered).toHaveLength(5);
  });
});
