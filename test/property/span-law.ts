/** The law of spans: whatever an article's markdown and whatever is asked, what comes back stands in these very lines. */

import { Engine } from "@loredex/core";
import fc from "fast-check";
import { expect } from "vitest";
import { expectResults } from "../http/lines.ts";
import { markdownWithQuery } from "./markdown-arbitrary.ts";

const PLENTY = 1_000_000_000_000;

export async function expectSpanLaw(runs: number): Promise<void> {
  const engine = await Engine.open({ embedders: {} });
  try {
    const { bot: info } = await engine.createBot({
      name: "spans",
      quotaCharacters: PLENTY,
      rateCharactersPerMinute: PLENTY,
    });
    const bot = await engine.bot(info.id);
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(markdownWithQuery, async ([body, query]) => {
        for (const { id } of await bot.listArticles()) await bot.deleteArticle(id);
        const { article } = await bot.createArticle({ title: "Law of spans", body });
        await bot.whenSearchable();
        const results = await bot.search(query, { includeContent: true, topK: 3, context: "section" });
        if (results.length > 0) matched += 1;
        expectResults(results);
        for (const { resourceDocId, content } of results) {
          expect(resourceDocId).toBe(article.id);
          expect(content).toEqual([{ md: body }]);
        }
        await bot.deleteArticle(article.id);
        expect(await bot.search(query)).toEqual([]);
      }),
      { numRuns: runs },
    );
    // A law about nothing would always hold: most questions are about words that are there.
    expect(matched).toBeGreaterThan(runs / 2);
  } finally {
    await engine.close();
  }
}
