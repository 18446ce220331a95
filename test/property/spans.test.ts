import { type Bot, Engine } from "@loredex/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lawRuns } from "../support/law-runs.ts";
import { expectQuoted, extremeMarkdown } from "./extreme-markdown.ts";
import { expectSpanLaw } from "./span-law.ts";

describe("arbitrary markdown", () => {
  it("is quoted exactly by the lines that a search gives", async () => {
    await expectSpanLaw(60);
  }, 60_000);
});

describe("extreme markdown", () => {
  let engine: Engine | undefined;
  beforeAll(async () => {
    engine = await Engine.open({ embedders: {} });
  });
  afterAll(async () => {
    await engine?.close();
  });

  // Their full length is a slow proof; what is deep or grows faster than it is shows at this one as well.
  it.each(extremeMarkdown(100_000))("(%s) is taken, found and quoted exactly", async (name, body) => {
    if (engine === undefined) throw new Error("no engine");
    await expectQuoted(engine, name, body);
  });
});

/** Makes this the only article of the bot, whatever an earlier run has left. */
async function only(bot: Bot, article: { title: string; body: string }): Promise<void> {
  for (const { id } of await bot.listArticles()) await bot.deleteArticle(id);
  await bot.createArticle(article);
  await bot.whenSearchable();
}

describe("a similarity of 1", () => {
  const name = fc.constantFrom("harbour", "Ferry", "noon", "naïve", "Über", "漢字", "поезд", "lamp", "River");
  const sentence = fc.array(name, { minLength: 3, maxLength: 8 }).map((windows) => `${windows.join(" ")}.`);
  const disguise = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => `  ${text.replaceAll(" ", " \n ")}\t`,
    (text: string) => text.normalize("NFD"),
    (text: string) => `**${text}**`,
  );

  it("is given to the paragraphs that equal the query, and to no others", async () => {
    const engine = await Engine.open({ embedders: {} });
    const { bot: info } = await engine.createBot({ name: "law", quotaCharacters: 1e9, rateCharactersPerMinute: 1e9 });
    const bot = await engine.bot(info.id);
    const paragraphs = fc.uniqueArray(sentence, { minLength: 1, maxLength: 6, selector: (text) => text.toLowerCase() });
    await fc.assert(
      fc.asyncProperty(paragraphs, fc.nat(), disguise, async (texts, pick, disguised) => {
        const chosen = pick % texts.length;
        await only(bot, { title: "Some law", body: texts.join("\n\n") });
        const [found] = await bot.search(disguised(texts[chosen] ?? ""), { includeContent: true });
        expect(found?.bestMatchScore).toBe(1);
        const exact = found?.similarTextParts.filter(({ similarity }) => similarity === 1);
        expect(exact).toEqual([{ text: texts[chosen], similarity: 1, start: 2 * chosen + 1, stop: 2 * chosen + 1 }]);
      }),
      { numRuns: lawRuns(100) },
    );
    await engine.close();
  });

  it("is given to the title that equals the query, and never for a word more", async () => {
    const engine = await Engine.open({ embedders: {} });
    const { bot: info } = await engine.createBot({ name: "law", quotaCharacters: 1e9, rateCharactersPerMinute: 1e9 });
    const bot = await engine.bot(info.id);
    await fc.assert(
      fc.asyncProperty(sentence, disguise, name, async (title, disguised, more) => {
        await only(bot, { title, body: "Something else stands here.\n\nAnd here." });
        const [exact] = await bot.search(disguised(title));
        expect(exact?.bestMatchScore).toBe(1);
        expect(exact?.similarTextParts).toEqual([
          { text: "Something else stands here.", similarity: 1, start: 1, stop: 1 },
        ]);
        const [near] = await bot.search(`${title} ${more}`);
        expect(near?.bestMatchScore ?? 0).toBeLessThanOrEqual(0.999);
      }),
      { numRuns: lawRuns(100) },
    );
    await engine.close();
  });
});
