import { describe, expect, it } from "vitest";
import { comparedRuns, expectedFromText, expectedText } from "../src/page/api/runs.ts";
import type { Article, ExpectedDocument, Run, RunMiss } from "../src/page/api/types.ts";
import { bodyOf, draftOfArticle, newLines, wrongMetadata } from "../src/page/views/knowledge/editor-text.ts";

describe("golden questions as text", () => {
  it("keep what a person cannot type", () => {
    const before: readonly ExpectedDocument[] = [
      { id: "a", gain: 3, lines: [] },
      { id: "b:c", gain: 1, lines: [[2, 4]] },
      {
        id: "d",
        gain: 1,
        lines: [
          [1, 1],
          [3, 5],
        ],
      },
    ];
    expect(expectedText(before)).toBe("a, b:c:2-4, d:1+3-5");
    expect(expectedFromText("d:1+3-5,a, new:7, e", before)).toEqual([
      before[2],
      before[0],
      { id: "new", gain: 1, lines: [[7, 7]] },
      { id: "e", gain: 1, lines: [] },
    ]);
  });
});

describe("two runs", () => {
  const miss = (question: string, rank?: number): RunMiss => ({
    ...{ index: 0, question, kind: "notFirst", found: [] },
    expected: [{ id: "a", outcome: "returned", ...(rank !== undefined && { rank }) }],
  });
  const run = (misses: readonly RunMiss[]): Run => ({
    ...{
      id: "r",
      at: "",
      questions: 9,
      missed: misses.length,
      misses,
      measures: { ndcgAt10: 1, mrrAt10: 1, recallAt10: 1 },
    },
  });

  it("differ by the ranks of expected documents", () => {
    const { better, worse } = comparedRuns(
      run([miss("solved", 4), miss("nearer", 9), miss("same", 2), miss("lost", 2)]),
      run([miss("nearer", 2), miss("same", 2), miss("lost"), miss("new", 3)]),
    );
    expect(better.map(({ question }) => question)).toEqual(["solved", "nearer"]);
    expect(worse.map(({ question }) => question)).toEqual(["lost", "new"]);
  });
});

describe("an article as text", () => {
  const article: Article = {
    ...{
      id: "a",
      status: "active",
      title: "Fair",
      body: "In May.",
      activeOn: [],
      createdAt: "",
      updatedAt: "",
      characterCount: 0,
    },
    metadata: { year: 2026, code: "7", open: true, note: "a: b", lines: "a\nb" },
  };

  it("sends what was changed alone", () => {
    const before = draftOfArticle(article);
    expect(before.metadata).toBe('year: 2026\ncode: "7"\nopen: true\nnote: a: b\nlines: "a\\nb"');
    expect(bodyOf(before, before)).toEqual({});
    expect(bodyOf({ ...before, body: "In June.", address: " https://x.example " }, before)).toEqual({
      body: "In June.",
      source: "https://x.example",
    });
    expect(bodyOf({ ...before, metadata: `${before.metadata}\nnew: 1` }, before)).toEqual({
      metadata: { ...article.metadata, new: 1 },
    });
    expect(wrongMetadata("a: b\n\nno colon")).toBe("no colon");
  });

  it("tells which lines of another text are new", () => {
    expect([...newLines("a\nb", "a\nc\nb\nd")]).toEqual([1, 3]);
  });
});
