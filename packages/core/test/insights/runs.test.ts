import { describe, expect, it } from "vitest";
import { applyInsights } from "../../src/insights/insights-records.ts";
import { emptyInsights, type InsightsState, type StoredRun } from "../../src/insights/insights-state.ts";
import { comparison, storedRun } from "../../src/insights/runs.ts";
import type { RunInput } from "../../src/insights/types.ts";
import { RUN_MISSES_UNITS_MAX, RUN_UNITS_MAX, RUNS_MAX } from "../../src/model/limits.ts";

type Miss = RunInput["misses"][number];

const missOf = (index: number, { question = `question ${index}`, kind = "notFound" as Miss["kind"] } = {}): Miss => {
  const title = "A title of a usual length, which is kept";
  const found = Array.from({ length: 10 }, (_, n) => ({
    ...{ id: `found-${n}`, type: "PDF" as const, title, score: 0.5, start: 1, stop: 1, text: "" },
  }));
  return {
    index,
    question,
    kind,
    expected: [{ id: "a", gain: 1, lines: [], outcome: "returned", rank: 12, score: 0.1 }],
    found,
  };
};
const runOf = (misses: readonly Miss[]): StoredRun => {
  const measures = { ndcgAt10: 0.5, mrrAt10: 0.5, recallAt10: 0.5 };
  return storedRun({ questions: 1_000_000, topK: 10, measures, unknownDocuments: [], misses } as RunInput, 0);
};
const many = (count: number): Miss[] => Array.from({ length: count }, (_, index) => missOf(index));

describe("a run with more misses than fit", () => {
  it("loses the documents of the last ones, and no outcome", () => {
    const misses = many(400);
    const first = runOf(misses);
    expect(first.misses.map(({ index, kind }) => [index, kind])).toEqual(
      misses.map(({ index, kind }) => [index, kind]),
    );
    expect(first.misses[0]?.found).toHaveLength(10);
    expect(first.misses.at(-1)).toMatchObject({ expected: [], found: [] });
    expect(first.units).toBeLessThanOrEqual(RUN_MISSES_UNITS_MAX);
    // The same misses in another order, of which others keep their documents, are no change.
    const second = runOf([...misses].reverse());
    expect(comparison(first, second)).toMatchObject({ better: [], worse: [], unknown: 0 });
    expect(comparison(first, runOf(misses.slice(1)))).toMatchObject({
      better: [{ question: "question 0", before: "notFound", after: "right" }],
      worse: [],
      unknown: 0,
    });
  });

  it("calls outcomes unknown, and not right, where misses were cut", () => {
    const misses = many(5_000);
    const [first, second] = [runOf(misses), runOf([...misses].reverse())];
    expect(first.misses.length).toBeLessThan(5_000);
    const { better, worse, unknown } = comparison(first, second);
    expect([better, worse]).toEqual([[], []]);
    expect(unknown).toBeGreaterThanOrEqual(5_000 - first.misses.length);
    // A question that both keep is compared all the same.
    const changed = runOf([missOf(0, { kind: "notFirst" }), ...misses.slice(1)]);
    expect(comparison(first, changed)).toMatchObject({ better: [{ question: "question 0" }], worse: [] });
  });
});

describe("runs that take too much together", () => {
  const unitsOf = ({ runs }: InsightsState): number => runs.reduce((sum, { units }) => sum + units, 0);
  const kept = (misses: readonly Miss[], count: number): InsightsState => {
    const state = emptyInsights();
    const run = runOf(misses);
    for (let n = 1; n <= count; n++) applyInsights(state, { kind: "runAdded", run }, n);
    return state;
  };

  it("lose the documents of the oldest before any outcome", () => {
    const state = kept(many(120), RUNS_MAX + 5);
    expect(state.runs).toHaveLength(RUNS_MAX);
    expect(unitsOf(state)).toBeLessThanOrEqual(RUN_UNITS_MAX);
    const [oldest, newest] = [state.runs[0], state.runs.at(-1)];
    expect(oldest?.misses[0]?.found).toEqual([]);
    expect(newest?.misses[0]?.found).toHaveLength(10);
    if (oldest === undefined || newest === undefined) return;
    expect(comparison(oldest, newest)).toMatchObject({ better: [], worse: [], unknown: 0 });
  });

  it("lose the misses of the oldest, whose outcomes are unknown then", () => {
    const state = kept(many(1_500), RUNS_MAX);
    expect(unitsOf(state)).toBeLessThanOrEqual(RUN_UNITS_MAX);
    const [oldest, newest] = [state.runs[0], state.runs.at(-1)];
    expect(oldest?.misses).toEqual([]);
    if (oldest === undefined || newest === undefined) return;
    expect(comparison(oldest, newest)).toMatchObject({ better: [], worse: [], unknown: 1_500 });
    expect(comparison(oldest, oldest)).toMatchObject({ unknown: 1_500 });
  });
});
