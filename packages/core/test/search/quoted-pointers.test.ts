import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { pointsTo } from "../../src/markdown/pointers.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer, explainNow } from "../support/answer.ts";

const analyzer = new LanguageAnalyzer("multi");

function indexed(md: string, titles: readonly string[] = []): SearchIndex {
  const index = new SearchIndex(analyzer);
  index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles }, 1);
  return index;
}

function found(md: string, query: string, titles: readonly string[] = []): SearchResult {
  const [result] = answer(indexed(md, titles), parseSearchRequest({ query }), analyzeQuery(query, analyzer));
  return result ?? expect.fail("the document is not found");
}

const starts = (result: SearchResult): number[] => result.similarTextParts.map(({ start }) => start);

/** A list of contents, and the sections that it names. The words of the question are all in the list. */
const contents = (target: string): string => `# Proxies

- [Set up a proxy server](${target}#set-up)
- [Remove lamps](${target}#remove)

## Set up

Set up the proxy of a server on the second page.

## Remove

Take the lamp away.
`;
const QUESTION = "where to set up a proxy server";

describe("the first quote of a document", () => {
  it("is the text that an entry of its contents leads to", () => {
    const other = found(contents("proxy.md"), QUESTION);
    const own = found(contents(""), QUESTION);
    expect(starts(other)).toEqual([3, 8]);
    expect(starts(own)).toEqual([8, 3]);
    const [best, second] = own.similarTextParts;
    expect(best?.text).toBe("Set up the proxy of a server on the second page.");
    expect([own.bestMatchScore, best?.similarity, second?.similarity]).toEqual(Array(3).fill(other.bestMatchScore));
  });

  it("is the same in an explanation", () => {
    const request = parseSearchRequest({ query: QUESTION });
    const analyzed = analyzeQuery(QUESTION, analyzer);
    const index = indexed(contents(""));
    const explained = explainNow(index, request, "d", analyzed, undefined, 1);
    expect(explained.similarTextParts).toEqual(answer(index, request, analyzed)[0]?.similarTextParts);
    expect(explained.similarTextParts[0]?.start).toBe(8);
  });

  it("is the entry if that equals the question", () => {
    const md = "- [A proxy server](#proxy)\n\n## Proxy\n\nThis is a proxy server, a proxy server!\n";
    const [first, second] = found(md, "a proxy server").similarTextParts;
    expect(first).toMatchObject({ start: 1, similarity: 1 });
    expect(second?.similarity).toBeGreaterThan(0.5);
    expect(starts(found(md, "this proxy server"))).toEqual([5, 1]);
  });

  it("is the text if the title equals the question, and has its similarity", () => {
    const result = found(contents(""), QUESTION, [QUESTION]);
    expect(result.similarTextParts[0]).toMatchObject({ start: 8, similarity: 1 });
    expect(result.similarTextParts[1]?.similarity).toBeLessThan(1);
  });

  it("is the entry if the best text is less than half as good", () => {
    const md = "- [Set up a proxy server](#set-up)\n\n## Of another thing\n\nSet the table for the lamp of a guest.\n";
    const result = found(md, QUESTION);
    expect(starts(result)).toEqual([1, 5]);
    const [first, second] = result.similarTextParts;
    expect(second?.similarity).toBeLessThan(0.5 * (first?.similarity ?? 0));
  });

  it("is no definition of a link, which the page does not show", () => {
    const md = "Start the [proxy server][] by its address.\n\n[proxy server]: /docs/address/\n";
    expect(starts(found(md.replace("]: ", "] "), "proxy server address docs"))).toEqual([3, 1]);
    expect(starts(found(md, "proxy server address docs"))).toEqual([1, 3]);
  });

  it("is no image if its passage has text that is half as good, whatever other passages have", () => {
    const image = "![The settings of the proxy server](settings.png)";
    const text = "The settings of the proxy server are few.";
    const query = "settings of the proxy server";
    expect(starts(found(`${image}\n\n${text}\n`, query))).toEqual([3, 1]);
    const apart = found(`${image}\n\n## Other\n\n${text}\n`, query);
    expect(starts(apart)).toEqual([1, 5]);
    expect(apart.similarTextParts[1]?.similarity).toBeGreaterThan(0.5 * apart.bestMatchScore);
  });
});

const WORDS = ["parcel", "order", "harbour", "zebra", "lamp"];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((some) => some.join(" "));
const line = fc.oneof(
  words.map((text) => `- [${text}](#${text.length})`),
  words.map((text) => `- Some ${text} there.`),
  words.map((text) => `## ${text}`),
);
/** With a link and a text of the question's words, so that many questions find both. */
const questionAndPage = fc.tuple(words, fc.array(line, { maxLength: 12 })).map(([asked, lines]) => {
  const own = [`- [${asked}](#x)`, `- Some ${asked} there.`, ...lines].join("\n\n");
  return { query: `find ${asked}`, own };
});

it("keeps the score and the quotes of a document, and puts a link to its own page first only if no text is half as good", () => {
  let moved = 0;
  fc.assert(
    fc.property(questionAndPage, ({ query, own }) => {
      const elsewhere = own.replaceAll("](#", "](p#");
      const ask = (md: string): SearchResult | undefined =>
        answer(indexed(md), parseSearchRequest({ query }), analyzeQuery(query, analyzer))[0];
      const [changed, plain] = [ask(own), ask(elsewhere)];
      expect(changed?.bestMatchScore).toBe(plain?.bestMatchScore);
      if (changed === undefined || plain === undefined) return;
      expect(starts(changed).sort()).toEqual(starts(plain).sort());
      const similarities = changed.similarTextParts.map(({ similarity }) => similarity);
      expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
      expect(similarities[0]).toBe(changed.bestMatchScore);
      const lines = own.split("\n");
      for (const { text, start, stop } of changed.similarTextParts)
        expect(text).toBe(lines.slice(start - 1, stop).join("\n"));
      const isPointer = ({ text }: { readonly text: string }): boolean => pointsTo(text) !== undefined;
      const [first] = changed.similarTextParts;
      if (first !== undefined && isPointer(first))
        for (const part of changed.similarTextParts)
          if (!isPointer(part)) expect(part.similarity).toBeLessThan(0.5 * first.similarity);
      if (first?.start !== plain.similarTextParts[0]?.start) moved++;
    }),
    { numRuns: lawRuns(300) },
  );
  expect(moved).toBeGreaterThan(5);
});
