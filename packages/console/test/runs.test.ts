import { describe, expect, it } from "vitest";
import { comparedRuns, expectedFromText, expectedText, outcomesOf } from "../src/page/api/runs.ts";
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
  const miss = (question: string, kind: RunMiss["kind"] = "notFirst"): RunMiss => ({
    ...{ index: 0, question, kind, found: [], expected: [] },
  });
  const run = (misses: readonly RunMiss[], missed = misses.length): Run => ({
    ...{ id: "r", at: "", questions: 9, missed, misses, measures: { ndcgAt10: 1, mrrAt10: 1, recallAt10: 1 } },
  });
  const changes = (earlier: Run, later: Run): string[][] => {
    const { better, worse } = comparedRuns(earlier, later);
    return [better, worse].map((list) => list.map(({ question }) => question));
  };

  it("differ by the kinds of their misses", () => {
    const earlier = run([miss("solved"), miss("nearer", "notFound"), miss("same"), miss("lost")]);
    const later = run([miss("nearer", "wrongLines"), miss("same"), miss("lost", "unknownDocument"), miss("new")]);
    expect(changes(earlier, later)).toEqual([
      ["solved", "nearer"],
      ["lost", "new"],
    ]);
  });

  it("say nothing of a question whose outcome one of them has lost", () => {
    const cut = run([miss("nearer", "notFound")], 2);
    const whole = run([miss("nearer"), miss("perhaps")]);
    expect(changes(cut, whole)).toEqual([["nearer"], []]);
    expect(changes(whole, cut)).toEqual([[], ["nearer"]]);
  });
});

describe("golden questions after a run", () => {
  const miss: RunMiss = { index: 1, question: "b", kind: "notFirst", found: [], expected: [] };
  const run = (missed: number, questions = 2): Run => ({
    ...{ id: "r", at: "", questions, missed, misses: [miss], measures: { ndcgAt10: 1, mrrAt10: 1, recallAt10: 1 } },
  });
  const outcomes = (text: string, of: Run, changed: readonly string[] = []) =>
    outcomesOf(
      [...text].map((question) => ({ question, expected: [] })),
      of,
      new Set(changed),
    );

  it("have no outcome if they are new, changed or lost", () => {
    expect(outcomes("ab", run(1))).toEqual(["ok", "missed"]);
    expect(outcomes("abc", run(1))).toEqual(["ok", "missed", "notRun"]);
    expect(outcomes("ab", run(1), ["a"])).toEqual(["notRun", "missed"]);
    expect(outcomes("abc", run(2, 3))).toEqual(["unknown", "missed", "unknown"]);
  });

  it("are unknown if some were deleted and others added, and not if some were deleted", () => {
    expect(outcomes("bc", run(1))).toEqual(["missed", "unknown"]);
    expect(outcomes("b", run(1))).toEqual(["missed"]);
    expect(outcomes("bc", run(1, 3))).toEqual(["missed", "ok"]);
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
