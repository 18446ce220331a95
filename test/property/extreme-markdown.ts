/** The law of extremes: whatever the markdown, an article of it is taken, found by its one word, and quoted exactly. */

import type { Engine } from "@loredex/core";
import { expect } from "vitest";
import { expectResults } from "../http/lines.ts";

const PLENTY = 1_000_000_000_000;

/**
 * Bodies that have brought parsers to their knees.
 * @param length characters of the longest, or about so many
 */
export function extremeMarkdown(length: number): readonly (readonly [name: string, body: string])[] {
  const count = length / 10;
  return [
    ["one line without end", "harbour ".repeat(length / 8)],
    ["one word without end", `harbour ${"x".repeat(length)}`],
    ["endless astral characters", `harbour ${"😀".repeat(length / 4)}`],
    ["endless lone carriage returns", `harbour${"\r".repeat(length)}harbour`],
    ["endless NUL", `harbour${"\u0000".repeat(length)} harbour`],
    ["endless line breaks", `harbour${"\n".repeat(length)}harbour`],
    ["endless CRLF", `harbour${"\r\n".repeat(length / 2)}harbour`],
    ["an unclosed fence without end", `\`\`\`\n${"harbour();\n".repeat(length / 11)}`],
    ["a table with no end", `| a | b |\n|---|---|\n${"| harbour | noon |\n".repeat(length / 19)}`],
    [
      "a table of one row with very many cells",
      `|${"a|".repeat(count)}\n|${"-|".repeat(count)}\n|${"harbour|".repeat(count / 2)}`,
    ],
    ["quotes very deep", `${">".repeat(count)} harbour`],
    ["quotes 10,000 deep, with spaces", `${"> ".repeat(10_000)}harbour`],
    ["lists 10,000 deep on a line", `${"- ".repeat(10_000)}harbour`],
    ["lists nested line by line", Array.from({ length: 500 }, (_, i) => `${"  ".repeat(i)}- harbour ${i}`).join("\n")],
    [
      "quotes growing line by line",
      Array.from({ length: 500 }, (_, i) => `${">".repeat(i + 1)} harbour ${i}`).join("\n"),
    ],
    ["very many list items", "- harbour\n".repeat(count)],
    ["very many headings", "# harbour\n".repeat(count)],
    ["very many setext headings", "harbour\n=\n".repeat(count)],
    ["very many open brackets", `harbour ${"[".repeat(count)}`],
    ["very many open links", `harbour ${"[a](".repeat(count)}`],
    ["very many stars", `harbour ${"*a ".repeat(count)}`],
    ["very many backticks", `harbour ${"`a``".repeat(count)}`],
    ["very many open tags", `harbour ${"<a ".repeat(count)}`],
    ["very many unclosed comments", "<!-- harbour\n\n".repeat(count / 2)],
    ["very many entities", `harbour ${"&lt;".repeat(count)}`],
    ["very many full stops", `harbour ${". ".repeat(count)}`],
    ["very many escapes", `harbour ${"\\".repeat(count)}`],
    ["very many link definitions", "[harbour]: http://example.org/\n".repeat(count / 3)],
    ["combining marks without end", `harbour a${"\u0301".repeat(length / 2)}`],
    ["joiners without end", `harbour ${"👩\u200d".repeat(count)}`],
    ["tabs and spaces without end", `harbour${" \t".repeat(length / 2)}.`],
    ["numbers without end", `harbour ${"1".repeat(length)}`],
    ["dots and at signs", `harbour ${"a@b.".repeat(count)}`],
  ];
}

/** Makes an article of a body, searches for what stands in it, and removes it with its bot. */
export async function expectQuoted(engine: Engine, name: string, body: string): Promise<void> {
  const limits = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY };
  const { bot: info } = await engine.createBot({ name, ...limits });
  const bot = await engine.bot(info.id);
  await bot.createArticle({ title: "Extreme", body });
  await bot.whenSearchable();
  const results = await bot.search("harbour", { includeContent: true });
  expectResults(results);
  // What only defines links or stands in comments is no text to be found.
  if (!/definitions|comments/.test(name)) expect(results).toHaveLength(1);
  expect((await bot.listArticles())[0]?.status).toBe("active");
  await engine.removeBot(info.id);
}
