import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insightsKind } from "../../src/insights/insights-kind.ts";
import type { InsightsRecord } from "../../src/insights/insights-records.ts";
import { emptyInsights, type InsightsState, unitsOf, weekOf } from "../../src/insights/insights-state.ts";
import { encodeRecord } from "../../src/log/record-codec.ts";
import { recoverRecorded } from "../../src/log/recorded-kind.ts";
import { QUESTION_UNITS_MAX, QUESTIONS_MAX } from "../../src/model/limits.ts";
import type { LoadedSection } from "../../src/storage/store.ts";
import { TestClock } from "../support/test-clock.ts";

const KIND = insightsKind("insights-a");
const ids = fc.constantFrom("a", "b", "c", "d");
const time = fc.integer({ min: 1_800_000_000_000, max: 1_810_000_000_000 });
const feedback = fc.record(
  { atMs: time, helpful: fc.boolean(), comment: fc.string({ maxLength: 9 }), resourceDocId: ids },
  { requiredKeys: ["atMs", "helpful"] },
);
const asked = fc.record(
  {
    atMs: time,
    question: fc.string({ minLength: 1, maxLength: 30 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    found: fc.uniqueArray(ids),
    requestId: fc.string({ minLength: 1, maxLength: 5 }),
    isGap: fc.boolean(),
  },
  { requiredKeys: ["atMs", "question", "score", "found", "isGap"] },
);
const measures = { ndcgAt10: 1, mrrAt10: 1, recallAt10: 1 };
const run = fc.integer({ min: 1, max: 9 }).map((id) => {
  const miss = { index: id, question: "q", kind: "notFound" as const, expected: [], found: [] };
  const summary = { id: String(id), at: "2026-11-28T12:00:00.000Z", questions: id, missed: 1, measures };
  return { summary, misses: [miss], units: 70 };
});
const record: fc.Arbitrary<InsightsRecord> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(asked, { minLength: 1, maxLength: 5 })
      .map((questions) => ({ kind: "asked" as const, questions })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("judged" as const), number: fc.integer({ min: 1, max: 30 }), feedback }),
  },
  fc.record({ kind: fc.constant("aged" as const), beforeMs: time }),
  fc.constant({ kind: "cleared" as const }),
  fc.constant({ kind: "goldenSet" as const, golden: [{ question: "q", expected: [{ id: "a", gain: 1, lines: [] }] }] }),
  run.map((each) => ({ kind: "runAdded" as const, run: each })),
);

/** The state of these records, with a snapshot after the first ones. */
async function replayed(records: readonly InsightsRecord[], snapshotAfter: number): Promise<InsightsState> {
  const before = emptyInsights();
  for (const [i, each] of records.slice(0, snapshotAfter).entries()) KIND.apply(before, each, i + 1);
  const sections = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of KIND.sections(before, new TestClock())) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    sections.set(name, { name, version, bytes: Buffer.concat(pieces) });
  }
  const state = emptyInsights();
  const recovering = recoverRecorded(KIND, state, new TestClock());
  if (snapshotAfter > 0) await recovering.snapshot({ sequence: snapshotAfter, sections });
  for (const [i, each] of records.slice(snapshotAfter).entries())
    recovering.record(snapshotAfter + i + 1, encodeRecord(each));
  return state;
}

describe("the state of a question log", () => {
  it("is the same with a snapshot anywhere among its records", async () => {
    const history = fc
      .array(record, { maxLength: 30 })
      .chain((records) =>
        fc.record({ records: fc.constant(records), at: fc.integer({ min: 0, max: records.length }) }),
      );
    await fc.assert(
      fc.asyncProperty(history, async ({ records, at }) => {
        const [plain, withSnapshot] = [await replayed(records, 0), await replayed(records, at)];
        expect(withSnapshot).toEqual(plain);
        expect(plain.units).toBe(plain.questions.reduce((sum, each) => sum + unitsOf(each), 0));
        const numbers = plain.questions.map(({ number }) => number);
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      }),
      { numRuns: 200 },
    );
  });

  it("drops the questions of before an instant, in whatever order their times are", () => {
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 20 }), time, (questions, beforeMs) => {
        const state = emptyInsights();
        KIND.apply(state, { kind: "asked", questions }, 1);
        const kept = state.questions.filter(({ atMs }) => atMs >= beforeMs);
        const found = [...state.found].filter(([, atMs]) => atMs >= beforeMs);
        KIND.apply(state, { kind: "aged", beforeMs }, 2);
        expect(state.questions).toEqual(kept);
        expect([...state.found]).toEqual(found);
        expect(state.units).toBe(kept.reduce((sum, each) => sum + unitsOf(each), 0));
      }),
    );
  });

  it("keeps gaps longer than answered questions, and no more than its bounds", () => {
    const state = emptyInsights();
    const ask = (question: string, isGap: boolean, count: number): void => {
      const questions = Array.from({ length: count }, () => ({ atMs: 1, question, score: 0, found: [], isGap }));
      KIND.apply(state, { kind: "asked", questions }, state.sequence + 1);
    };
    ask("a gap", true, 1_000);
    for (let i = 0; i < 30; i++) ask("answered", false, 1_000);
    expect(state.questions.length).toBeLessThanOrEqual(QUESTIONS_MAX);
    expect(state.questions.filter(({ isGap }) => isGap)).toHaveLength(1_000);
    for (let i = 0; i < 30; i++) ask("further gaps", true, 1_000);
    expect(state.questions.length).toBeLessThanOrEqual(QUESTIONS_MAX);
    expect(state.questions.some(({ question }) => question === "a gap")).toBe(false);
    for (let i = 0; i < 10; i++) ask("x".repeat(4_096), true, 100);
    expect(state.units).toBeLessThanOrEqual(QUESTION_UNITS_MAX);
    // The weeks count all of them.
    expect(state.weeks.get("1969-12-29")).toMatchObject({ questions: 62_000, gaps: 32_000 });
  });

  it("knows the Monday of a week", () => {
    expect(["2026-11-22", "2026-11-23", "2026-11-29", "2026-11-30"].map((day) => weekOf(Date.parse(day)))).toEqual([
      "2026-11-16",
      "2026-11-23",
      "2026-11-23",
      "2026-11-30",
    ]);
  });
});
