import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { SIMILARITY_INEXACT_MAX } from "../../src/model/limits.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";

/** A question equals a text only if neither has a word that the other lacks. */

const analyzer = new LanguageAnalyzer("multi");

interface Saying {
  readonly title?: string;
  readonly question?: string;
  readonly md?: string;
}

function documentOf({ title, question, md }: Saying): SearchableDocument {
  const titles = [question ?? title ?? "Of something else"];
  const type = question === undefined ? "DOCUMENT" : "QNA";
  return { id: "a", type, status: "active", metaData: {}, content: [{ md: md ?? "Some other text." }], titles };
}

function ask(saying: Saying, query: string): SearchResult | undefined {
  const index = new SearchIndex(analyzer);
  index.replace(documentOf(saying), 1);
  return answer(index, parseSearchRequest({ query }), analyzeQuery(query, analyzer))[0];
}

const similarity = (saying: Saying, query: string): number => ask(saying, query)?.bestMatchScore ?? 0;

describe("does not equal:", () => {
  it.each<[Saying, string]>([
    [{ title: "map" }, "Map<Identifier,Leaderboard>"],
    [{ title: "List" }, "List<Quokka>"],
    [{ title: "How to use std::vector<int>" }, "how to use std::vector"],
    [{ title: "Generics <everything you want>" }, "Generics"],
    [{ title: "Generics" }, "Generics <everything you want>"],
    [{ title: "Seen" }, "Seen <!-- not seen -->"],
    [{ title: "Seen" }, "Seen <script>alert()</script>"],
    [{ title: "2. Bundesliga" }, "Bundesliga"],
    [{ title: "2. Bundesliga" }, "1. Bundesliga"],
    [{ title: "What is a[i][j]?" }, "What is a[i][k]?"],
    [{ title: "Refund" }, "```more\nrefund\n```"],
    [{ question: "What does <br> do?" }, "What does do?"],
    [{ question: "What does do?" }, "What does <br> do?"],
    [{ question: "What does &nbsp; do?" }, "What does do?"],
    [{ md: "Read the text" }, "Read <b>the</b> text"],
    [{ md: "Read the text" }, "Read <Leaderboard> the text"],
    [{ md: "Read <Leaderboard> the text" }, "Read the text"],
    [{ md: "Go to /orders/<order-id>" }, "Go to /orders/"],
    [{ md: "<div>\nList<Quokka,Other> a\n</div>" }, "List a"],
    [{ md: "<div>\nRead the text\n</div>" }, "<p>Read the text</p>"],
    [{ md: "```java\nList a;\n```" }, "```python\nList a;\n```"],
    [{ md: "<!-- hidden -->\n\nText." }, "***"],
  ])("%j the question %j", (saying, query) => {
    expect(similarity(saying, query)).toBeLessThanOrEqual(SIMILARITY_INEXACT_MAX);
  });
});

describe("equals:", () => {
  it.each<[Saying, string]>([
    [{ title: "Map<Identifier,Leaderboard>" }, "map<identifier,leaderboard>"],
    [{ title: "How to use **std::vector<int>**" }, "how to use `std::vector<int>`"],
    [{ title: "Generics <everything you want>" }, "Generics  <everything you want>"],
    [{ title: "2. Bundesliga" }, "2. bundesliga"],
    [{ question: "What does <br> do?" }, "what does `<br>` do?"],
    [{ question: "What does &nbsp; do?" }, "What does &nbsp; do?"],
    [{ md: "Press <kbd>x</kbd> **now**" }, "Press <kbd>x</kbd> now"],
    [{ md: "Press <kbd>x</kbd> **now**" }, "Press x now"],
    [{ md: "Read <Leaderboard> the text" }, "Read <Leaderboard> the text"],
    [{ md: "Read `<Leaderboard>`, [this](a.md)" }, "Read <Leaderboard>, this"],
    [{ md: "See <https://example.org/>" }, "See https://example.org/"],
    [{ md: "<div>\nRead *the* text\n</div>" }, "<div>\nRead *the* text\n</div>"],
    [{ md: "<div>\nRead *the* text\n</div>" }, "Read *the* text"],
    [{ md: "1. First" }, "1. First"],
    [{ md: "```java\nList a;\n```" }, "```java\nList a;\n```"],
    [{ md: "```java\nList a;\n```" }, "```\nList a;\n```"],
  ])("%j the question %j", (saying, query) => {
    expect(similarity(saying, query)).toBe(1);
  });
});

it.each<[Saying, string]>([
  [{ title: "The <head> element" }, "head"],
  [{ title: "Article <upsilon>" }, "upsilon"],
  [{ title: "Map<Identifier,Leaderboard>" }, "Leaderboard"],
  [{ question: "What does <upsilon> do?" }, "upsilon"],
])("%j is found by %s, and so embedded", (saying, word) => {
  expect(ask(saying, word)?.resourceDocId).toBe("a");
  expect([...embeddedTexts(cutDocument(documentOf(saying)))].join("\n")).toContain(word);
});

it.each(["```refund", "~~~ refund", `${"`".repeat(4_000)} refund`, "Please:\n```refund\n"])(
  "the question %j is not only the name of a language",
  (query) => {
    expect(ask({ md: "A refund is paid within days." }, query)?.resourceDocId).toBe("a");
  },
);

it("holds between no two strings of other words, and between each and itself", () => {
  const gap = fc.constantFrom(
    " ",
    "\n",
    " <",
    "<",
    "> ",
    "<!-- ",
    " -->",
    "```",
    "\n~~~",
    "`",
    "**",
    "&nbsp;",
    "1. ",
    "][",
  );
  const text = fc.array(fc.tuple(gap, fc.constantFrom("alpha", "beta", "br", "Gamma")), { minLength: 1, maxLength: 6 });
  const written = (windows: readonly (readonly [string, string])[]): string => windows.flat().join("");
  const wordsOf = (windows: readonly (readonly [string, string])[]): string =>
    windows.map(([, word]) => word).join(" ");
  fc.assert(
    fc.property(text, text, (one, other) => {
      const title = written(one);
      expect(similarity({ title }, title)).toBe(1);
      if (wordsOf(one) !== wordsOf(other)) expect(similarity({ title }, written(other))).toBeLessThan(1);
    }),
    { numRuns: lawRuns(500) },
  );
});
