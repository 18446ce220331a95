import { describe, expect, it, onTestFinished } from "vitest";
import { type Bot, Engine, type Insights } from "../../src/index.ts";
import { contradictions } from "../../src/insights/contradictions.ts";
import { gapsOf } from "../../src/insights/gaps.ts";
import type { KnowledgeView } from "../../src/insights/knowledge-view.ts";
import { nearDuplicates } from "../../src/insights/near-duplicates.ts";
import { OpenInsights } from "../../src/insights/open-insights.ts";
import type { SearchableDocument } from "../../src/model/types.ts";
import type { Sliced } from "../../src/scheduling/time-slices.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { slicesOf } from "../support/steps-of.ts";

async function opened(): Promise<{ bot: Bot; insights: Insights }> {
  const engine = await Engine.open({ embedders: {} });
  onTestFinished(() => engine.close());
  await engine.createBot({ name: "acme", questionLog: true });
  return { bot: await engine.bot("acme"), insights: await engine.insights("acme") };
}

const LONG =
  "Refunds are paid within fourteen days after the parcel has come back to our store, to the account or card that paid the order, and a mail tells you about it.";

describe("small talk", () => {
  it("is a gap only if its answer would be one for a question", async () => {
    const embedder = Object.assign(new FakeEmbedder(), { smallTalk: () => 1 });
    const engine = await Engine.open({ embedders: { fake: { languages: ["en"], open: async () => embedder } } });
    onTestFinished(() => engine.close());
    await engine.createBot({ name: "acme", questionLog: true, gapScore: 0.3 });
    const bot = await engine.bot("acme");
    await bot.createArticle({ title: "Cars", body: "A car that one may buy, and a dog that sits in it." });
    await bot.whenUpgraded();
    const [answer] = await bot.search("hello, buy a car");
    expect(answer?.bestMatchScore).toBeLessThan(0.3);
    await bot.query("hello, buy a car");
    await bot.search("penguin car and much else");
    const gaps = await (await engine.insights("acme")).gaps();
    expect(gaps.map(({ question }) => question)).toEqual(["penguin car and much else"]);
  });
});

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

  it("are computed once for all who ask at the same time, and one after the other", async () => {
    let [version, running, most, count] = [1, 0, 0, 0];
    const insights = new OpenInsights({ storage: {} } as never, "insights-a", () => undefined);
    const ends: (() => void)[] = [];
    const ask = (): Promise<number> =>
      insights.computed(
        "pairs",
        {
          get version() {
            return version;
          },
        } as KnowledgeView,
        async () => {
          running += 1;
          count += 1;
          most = Math.max(most, running);
          const own = count;
          await new Promise<void>((resolve) => ends.push(resolve));
          running -= 1;
          if (own === 2) throw new Error("failed");
          return own;
        },
      );
    const first = [ask(), ask()];
    await expect.poll(() => ends.length).toBe(1);
    version = 2;
    const second = [ask(), ask()];
    expect(ends).toHaveLength(1);
    ends.shift()?.();
    expect(await Promise.all(first)).toEqual([1, 1]);
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.();
    expect((await Promise.allSettled(second)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    // A failure is not kept.
    const third = ask();
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.();
    expect([await third, await ask()]).toEqual([3, 3]);
    expect([count, most]).toEqual([3, 1]);
  });

  it("leave inactive documents out, and take them up again", async () => {
    const { bot, insights } = await opened();
    for (const [resourceDocId, days] of [
      ["a", "14"],
      ["b", "30"],
    ])
      await bot.importDocument({
        resourceDocId,
        type: "DOCUMENT",
        content: [{ md: `Paid in ${days} days. ${LONG}` }],
      } as never);
    const pairs = async (): Promise<number[]> => [
      (await insights.nearDuplicates()).length,
      (await insights.contradictions()).length,
    ];
    expect(await pairs()).toEqual([1, 1]);
    await bot.setDocumentStatus("b", "inactive");
    expect(await pairs()).toEqual([0, 0]);
    await bot.setDocumentStatus("b", "pending");
    expect(await pairs()).toEqual([1, 1]);
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

/** A bot that knows documents with these texts. */
function viewOf(texts: readonly string[]): KnowledgeView {
  const document = (id: string): SearchableDocument => ({
    ...{ id, type: "DOCUMENT", status: "active", metaData: {}, titles: [] },
    content: [{ md: texts[Number(id)] ?? "" }],
  });
  return {
    ...{ version: 1, encode: undefined, document, articleIds: () => [], shareOf: () => 1 },
    terms: (question) => question.split(" "),
    documentIds: () => texts.map((_, n) => String(n)),
  };
}

describe("findings yield by what they read", () => {
  const paragraph = "A paragraph without any end of a line, and with words that differ from the next. ".repeat(20);
  const bots: [name: string, texts: string[]][] = [
    ["long paragraphs", Array.from({ length: 500 }, (_, n) => `${n} ${paragraph}`)],
    ["short texts", Array.from({ length: 5_000 }, (_, n) => `short ${n}`)],
    ["empty documents", Array.from({ length: 5_000 }, () => "")],
    [
      "many lines",
      Array.from({ length: 50 }, (_, n) => `the line of a document named ${"x".repeat(n + 1)}\n\n`.repeat(100)),
    ],
  ];
  const works: [name: string, work: (view: KnowledgeView) => Sliced<unknown>][] = [
    ["contradictions", contradictions],
    ["near-duplicates", nearDuplicates],
  ];
  for (const [name, texts] of bots)
    it.each(works)(`of ${name}: %s`, (_, work) => {
      const units = texts.reduce((sum, text) => sum + text.length + 64, 0);
      expect(slicesOf(work(viewOf(texts)))).toBeGreaterThanOrEqual(Math.floor(units / 8_192));
    });

  it("of long questions: gaps", () => {
    const questions = Array.from({ length: 200 }, (_, number) => ({
      ...{ number, atMs: 0, score: 1, nearest: "a", isGap: false },
      question: "q".repeat(8_192),
    }));
    expect(slicesOf(gapsOf({ questions, belowScore: 0.5, nowMs: 0 }, viewOf([])))).toBeGreaterThanOrEqual(200);
  });
});
