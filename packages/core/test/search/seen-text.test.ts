import { expect, it } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { sectionsOf } from "../../src/index/snapshot/index-sections.ts";
import { indexFromSections } from "../../src/index/snapshot/load-index.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/model/limits.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import type { LoadedSection } from "../../src/storage/store.ts";
import { answer } from "../support/answer.ts";

/** What a reader of the rendered page sees is found, and what is not shown is not. */

const analyzer = new LanguageAnalyzer("multi");

function indexed(md: string): SearchIndex {
  const index = new SearchIndex(analyzer);
  const fields = { type: "DOCUMENT", status: "active", metaData: {}, titles: ["Of something else"] } as const;
  index.replace({ id: "seen", content: [{ md }], ...fields }, 1);
  return index;
}

function ask(index: SearchIndex, query: string): SearchResult | undefined {
  return answer(index, parseSearchRequest({ query }), analyzeQuery(query, analyzer))[0];
}

async function reloaded(index: SearchIndex): Promise<SearchIndex> {
  const sections = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of sectionsOf(index)) {
    const windows: Uint8Array[] = [];
    for await (const chunk of chunks) windows.push(chunk.slice());
    sections.set(name, { name, version, bytes: Buffer.concat(windows) });
  }
  const document = index.documents.find("seen")?.document;
  const loaded = finished(indexFromSections(analyzer, sections, () => document));
  expect(loaded.versionOf("seen")).toBe(1);
  return loaded;
}

const LONG_FENCE = `\`\`\`java\n${"int filler = 1;\n".repeat(300)}List<Leaderboard> a;\n${"int more = 2;\n".repeat(300)}\`\`\``;

it.each([
  ["`Map<Identifier,Leaderboard>` is a type.", "Leaderboard"],
  ["`List<Leaderboard>` is a type.", "Leaderboard"],
  ["```java\nList<Leaderboard> a;\n```", "Leaderboard"],
  [LONG_FENCE, "Leaderboard"],
  ["Text:\n\n    List<Leaderboard> a;\n", "Leaderboard"],
  ["- In a list:\n\n  ~~~\n  <Leaderboard>\n  ~~~\n", "Leaderboard"],
  ["M&uuml;ller &#38; Co.", "Müller"],
  ["<div>\nM&uuml;ller\n</div>", "müller"],
  ["<p>w<b>or</b>d</p>", "word"],
  ["[linked text][somewhere]", "linked"],
])("%j has the word %s", async (md, word) => {
  const index = indexed(md);
  expect(ask(index, word)?.resourceDocId).toBe("seen");
  expect(ask(await reloaded(index), word)?.resourceDocId).toBe("seen");
});

it.each([
  ["Seen <!-- hidden --> again", "hidden"],
  ["<div class='hidden'>\nSeen\n</div>", "hidden"],
  ["Seen <span title='hidden'>again</span>", "hidden"],
  ["[Seen](https://hidden.example/)", "hidden"],
  ["```hidden\nSeen\n```", "hidden"],
])("%j has not the word %s", (md, word) => {
  expect(ask(indexed(md), word)).toBeUndefined();
  expect(ask(indexed(md), "seen")?.resourceDocId).toBe("seen");
});

it.each([
  ["```java\nList<String> *a* = 1;\n```", "List<String> *a* = 1;"],
  ["```java\nList<String> *a* = 1;\n```", "```java\nList<String> *a* = 1;\n```"],
  ["    List<String> *a* = 1;\n", "List<String> *a* = 1;"],
  ["<div>\nM&uuml;ller *a*\n</div>", "Müller *a*"],
  ["<div>\nM&uuml;ller *a*\n</div>", "<div>\nM&uuml;ller *a*\n</div>"],
  ["Read [the text](a.md) of *M&uuml;ller*", "read the text of Müller"],
  ["Read `List<String>` first", "read List<String> first"],
  ["Read `List<String>` first", "Read `List<String>` first"],
])("%j equals the query %j", async (md, query) => {
  const index = indexed(md);
  expect(ask(index, query)?.similarTextParts[0]?.similarity).toBe(1);
  expect(ask(await reloaded(index), query)?.similarTextParts[0]?.similarity).toBe(1);
  expect(ask(index, `${query} more`)?.similarTextParts[0]?.similarity).toBeLessThanOrEqual(SIMILARITY_INEXACT_MAX);
});
