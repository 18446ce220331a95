import { type Bot, Engine } from "@loredex/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectResults } from "../http/lines.ts";
import { expectSpanLaw } from "./span-law.ts";

describe("arbitrary markdown", () => {
  it("is quoted exactly by the lines that a search gives", async () => {
    await expectSpanLaw(300);
  }, 60_000);
});

const MEGABYTE = 1_000_000;

/** Bodies that have brought parsers to their knees. */
const EXTREMES: readonly (readonly [string, string])[] = [
  ["one line of a megabyte", "harbour ".repeat(MEGABYTE / 8)],
  ["one word of a megabyte", `harbour ${"x".repeat(MEGABYTE)}`],
  ["a megabyte of astral characters", `harbour ${"😀".repeat(MEGABYTE / 4)}`],
  ["a megabyte of lone carriage returns", `harbour${"\r".repeat(MEGABYTE)}harbour`],
  ["a megabyte of NUL", `harbour${"\u0000".repeat(MEGABYTE)} harbour`],
  ["a megabyte of line breaks", `harbour${"\n".repeat(MEGABYTE)}harbour`],
  ["a megabyte of CRLF", `harbour${"\r\n".repeat(MEGABYTE / 2)}harbour`],
  ["an unclosed fence of a megabyte", `\`\`\`\n${"harbour();\n".repeat(MEGABYTE / 11)}`],
  ["a table with no end", `| a | b |\n|---|---|\n${"| harbour | noon |\n".repeat(MEGABYTE / 19)}`],
  [
    "a table of one row with 100,000 cells",
    `|${"a|".repeat(100_000)}\n|${"-|".repeat(100_000)}\n|${"harbour|".repeat(50_000)}`,
  ],
  ["quotes 100,000 deep", `${">".repeat(100_000)} harbour`],
  ["quotes 10,000 deep, with spaces", `${"> ".repeat(10_000)}harbour`],
  ["lists 10,000 deep on a line", `${"- ".repeat(10_000)}harbour`],
  ["lists nested line by line", Array.from({ length: 500 }, (_, i) => `${"  ".repeat(i)}- harbour ${i}`).join("\n")],
  [
    "quotes growing line by line",
    Array.from({ length: 500 }, (_, i) => `${">".repeat(i + 1)} harbour ${i}`).join("\n"),
  ],
  ["100,000 list items", "- harbour\n".repeat(100_000)],
  ["100,000 headings", "# harbour\n".repeat(100_000)],
  ["100,000 setext headings", "harbour\n=\n".repeat(100_000)],
  ["100,000 open brackets", `harbour ${"[".repeat(100_000)}`],
  ["100,000 open links", `harbour ${"[a](".repeat(100_000)}`],
  ["100,000 stars", `harbour ${"*a ".repeat(100_000)}`],
  ["100,000 backticks", `harbour ${"`a``".repeat(100_000)}`],
  ["100,000 open tags", `harbour ${"<a ".repeat(100_000)}`],
  ["100,000 unclosed comments", "<!-- harbour\n\n".repeat(50_000)],
  ["100,000 entities", `harbour ${"&lt;".repeat(100_000)}`],
  ["100,000 full stops", `harbour ${". ".repeat(100_000)}`],
  ["100,000 escapes", `harbour ${"\\".repeat(100_000)}`],
  ["100,000 link definitions", "[harbour]: http://example.org/\n".repeat(30_000)],
  ["combining marks without end", `harbour a${"\u0301".repeat(MEGABYTE / 2)}`],
  ["joiners without end", `harbour ${"👩\u200d".repeat(100_000)}`],
  ["tabs and spaces without end", `harbour${" \t".repeat(MEGABYTE / 2)}.`],
  ["numbers without end", `harbour ${"1".repeat(MEGABYTE)}`],
  ["dots and at signs", `harbour ${"a@b.".repeat(100_000)}`],
];

describe("extreme markdown", () => {
  let engine: Engine | undefined;
  beforeAll(async () => {
    engine = await Engine.open({ embedders: {} });
  });
  afterAll(async () => {
    await engine?.close();
  });

  it.each(EXTREMES)("(%s) is taken, found and quoted exactly", async (name, body) => {
    if (engine === undefined) throw new Error("no engine");
    const { bot: info } = await engine.createBot({ name, quotaCharacters: 1e9, rateCharactersPerMinute: 1e9 });
    const bot = await engine.bot(info.id);
    await bot.createArticle({ title: "Extreme", body });
    await bot.whenSearchable();
    const results = await bot.search("harbour", { includeContent: true });
    expectResults(results);
    // What only defines links or stands in comments is no text to be found.
    if (!/definitions|comments/.test(name)) expect(results).toHaveLength(1);
    expect((await bot.listArticles())[0]?.status).toBe("active");
    await engine.removeBot(info.id);
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
  const sentence = fc.array(name, { minLength: 3, maxLength: 8 }).map((parts) => `${parts.join(" ")}.`);
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
      { numRuns: 100 },
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
      { numRuns: 100 },
    );
    await engine.close();
  });
});
