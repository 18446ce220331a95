import { type Bot, Engine } from "@loredex/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectResults } from "../http/lines.ts";
import { lawRuns } from "../support/law-runs.ts";
import { TEXTS, TYPED } from "./languages-text.ts";

let engine: Engine | undefined;
const bots = new Map<string, Bot>();

beforeAll(async () => {
  engine = await Engine.open({ embedders: {} });
  for (const [language, texts] of Object.entries(TEXTS)) {
    const { bot: info } = await engine.createBot({ name: `in ${language}`, language });
    const bot = await engine.bot(info.id);
    for (const [i, md] of texts.entries())
      await bot.importDocument({ resourceDocId: String(i), type: "DOCUMENT", content: [{ md }] });
    await bot.whenSearchable();
    bots.set(language, bot);
  }
});

afterAll(async () => {
  await engine?.close();
});

async function found(language: string, query: string): Promise<string | undefined> {
  return (await bots.get(language)?.search(query))?.[0]?.resourceDocId;
}

describe("a text of any language", () => {
  it.each(Object.keys(TEXTS))("is found by itself, and by its own beginning and end (%s)", async (language) => {
    for (const [i, text] of (TEXTS[language] ?? []).entries()) {
      const half = Math.ceil(text.length / 2);
      for (const asked of [text, text.toUpperCase(), text.normalize("NFD"), text.slice(0, half), text.slice(half)]) {
        expect([asked, await found(language, asked)]).toEqual([asked, String(i)]);
      }
    }
  });

  it.each(Object.keys(TYPED))("is found by a word that is mistyped or not typed to its end (%s)", async (language) => {
    for (const [i, words] of (TYPED[language] ?? []).entries()) {
      for (const word of words) expect([word, await found(language, word)]).toEqual([word, String(i)]);
    }
  });

  it("is quoted exactly by the lines that a search gives", async () => {
    if (engine === undefined) throw new Error("no engine");
    const { bot: info } = await engine.createBot({
      name: "lines",
      language: "multi",
      quotaCharacters: 1e9,
      rateCharactersPerMinute: 1e9,
    });
    const bot = await engine.bot(info.id);
    const sentence = fc.constantFrom(...Object.values(TEXTS).flat());
    const between = fc.constantFrom(" ", "\n", "\r\n", "\n\n", "\n- ", "\n1. ", "\n## ", "\n> ", "", "\u2028", " | ");
    const markdown = fc.array(fc.tuple(sentence, between, fc.integer({ min: 1, max: 40 })), {
      minLength: 1,
      maxLength: 12,
    });
    const runs = lawRuns(100);
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(markdown, fc.nat(), async (fragments, pick) => {
        const body = fragments.map(([text, gap, times]) => text.repeat(times) + gap).join("");
        const { article } = await bot.createArticle({ title: "Law", body });
        await bot.whenSearchable();
        const results = await bot.search(fragments[pick % fragments.length]?.[0] ?? "", { includeContent: true });
        matched += results.length;
        expectResults(results);
        await bot.deleteArticle(article.id);
      }),
      { numRuns: runs },
    );
    expect(matched).toBeGreaterThan(0.8 * runs);
  });
});
