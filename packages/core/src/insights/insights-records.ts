import type { GoldenQuestion } from "../evaluation/golden.ts";
import { decodeRecord } from "../log/record-codec.ts";
import {
  FOUND_DOCUMENTS_MAX,
  INSIGHTS_WEEKS_MAX,
  QUESTION_UNITS_MAX,
  QUESTIONS_MAX,
  RUN_UNITS_MAX,
  RUNS_MAX,
} from "../model/limits.ts";
import {
  type AskedQuestion,
  type InsightsState,
  type LoggedQuestion,
  type StoredFeedback,
  type StoredRun,
  unitsOf,
  type WeekFigures,
  weekOf,
} from "./insights-state.ts";
import { withoutDocuments, withoutMisses } from "./runs.ts";

/** A record of a bot's insights. */
export type InsightsRecord =
  | { readonly kind: "asked"; readonly questions: readonly AskedQuestion[] }
  /** Feedback on the question of this number. It replaces an earlier one. */
  | { readonly kind: "judged"; readonly number: number; readonly feedback: StoredFeedback }
  /** Questions that were asked before this instant are dropped. */
  | { readonly kind: "aged"; readonly beforeMs: number }
  /** The question log was deleted. */
  | { readonly kind: "cleared" }
  | { readonly kind: "goldenSet"; readonly golden: readonly GoldenQuestion[] }
  | { readonly kind: "runAdded"; readonly run: StoredRun };

type Apply<Kind extends InsightsRecord["kind"]> = (
  state: InsightsState,
  record: Extract<InsightsRecord, { readonly kind: Kind }>,
) => void;

/** What each kind does. A kind without a row does not compile. */
const APPLY: { readonly [Kind in InsightsRecord["kind"]]: Apply<Kind> } = {
  asked: (state, { questions }) => {
    for (const { found, ...asked } of questions) {
      const [nearest] = found;
      const logged: LoggedQuestion = {
        number: state.next,
        ...asked,
        ...(nearest === undefined ? {} : { nearest }),
      };
      state.next += 1;
      state.questions.push(logged);
      state.units += unitsOf(logged);
      countWeek(state, asked.atMs, { questions: 1, gaps: asked.isGap ? 1 : 0 });
      for (const id of found) noteFound(state, id, asked.atMs);
    }
    dropBeyondBounds(state);
  },
  judged: (state, { number, feedback }) => {
    const at = indexOf(state, number);
    const before = state.questions[at];
    if (before === undefined) return;
    const after = { ...before, feedback };
    state.questions[at] = after;
    state.units += unitsOf(after) - unitsOf(before);
    if (before.feedback !== undefined) countWeek(state, before.atMs, helpfulness(before.feedback, -1));
    countWeek(state, before.atMs, helpfulness(feedback, 1));
  },
  aged: (state, { beforeMs }) => {
    // Clocks are set, and nodes have different ones: the order of questions is not that of their times.
    drop(
      state,
      state.questions.filter(({ atMs }) => atMs < beforeMs),
    );
    for (const [id, atMs] of state.found) if (atMs < beforeMs) state.found.delete(id);
    state.removedAt = state.sequence;
  },
  cleared: (state) => {
    [state.questions, state.units] = [[], 0];
    state.found.clear();
    state.weeks.clear();
    state.removedAt = state.sequence;
  },
  goldenSet: (state, { golden }) => {
    state.golden = golden;
  },
  runAdded: (state, { run }) => {
    state.runs = withinBounds([...state.runs, run]);
    state.nextRun += 1;
  },
};

/** Applies a record to the state. The same code serves new writes and replay. */
export function applyInsights(state: InsightsState, record: InsightsRecord, sequence: number): void {
  state.sequence = sequence;
  // The row takes records of its own kind, and the record names the row. TypeScript cannot relate the two.
  (APPLY[record.kind] as Apply<InsightsRecord["kind"]>)(state, record as never);
}

/** Decodes a record of the log. @throws LoredexError `CORRUPT` for invalid bytes, `UNSUPPORTED_FORMAT` for an unknown kind */
export function decodeInsightsRecord(sequence: number, bytes: Uint8Array): InsightsRecord {
  // Boundary: the frame's checksum has been verified and the kind is known, so these are the bytes that were written.
  return decodeRecord(sequence, bytes, APPLY).json as InsightsRecord;
}

/** Index of the question with a number; -1 if it was dropped. */
function indexOf({ questions }: InsightsState, number: number): number {
  let [low, high] = [0, questions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((questions[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return questions[low]?.number === number ? low : -1;
}

function helpfulness({ helpful }: StoredFeedback, sign: 1 | -1): Partial<WeekFigures> {
  return helpful ? { helpful: sign } : { unhelpful: sign };
}

function countWeek({ weeks }: InsightsState, atMs: number, more: Partial<WeekFigures>): void {
  const week = weekOf(atMs);
  const { questions, gaps, helpful, unhelpful } = weeks.get(week) ?? {
    questions: 0,
    gaps: 0,
    helpful: 0,
    unhelpful: 0,
  };
  weeks.set(week, {
    questions: questions + (more.questions ?? 0),
    gaps: gaps + (more.gaps ?? 0),
    helpful: helpful + (more.helpful ?? 0),
    unhelpful: unhelpful + (more.unhelpful ?? 0),
  });
  if (weeks.size > INSIGHTS_WEEKS_MAX) weeks.delete([...weeks.keys()].sort()[0] ?? "");
}

function noteFound({ found }: InsightsState, id: string, atMs: number): void {
  found.delete(id);
  found.set(id, atMs);
  if (found.size <= FOUND_DOCUMENTS_MAX) return;
  for (const longestAgo of found.keys()) {
    found.delete(longestAgo);
    return;
  }
}

/** The share of all questions that is dropped at once, so that most batches drop none. */
const DROPPED_SHARE = 1 / 16;

/** Drops the oldest answered questions beyond the bounds, and the oldest of all if too few are answered: gaps are what the log is kept for. */
function dropBeyondBounds(state: InsightsState): void {
  if (state.questions.length <= QUESTIONS_MAX && state.units <= QUESTION_UNITS_MAX) return;
  const [least, units] = [QUESTIONS_MAX * (1 - DROPPED_SHARE), QUESTION_UNITS_MAX * (1 - DROPPED_SHARE)];
  const isAnswered = ({ isGap, feedback }: LoggedQuestion): boolean => !isGap && feedback?.helpful !== false;
  for (const mayGo of [isAnswered, () => true]) {
    let [count, left] = [state.questions.length, state.units];
    const gone: LoggedQuestion[] = [];
    for (const question of state.questions) {
      if (count <= least && left <= units) break;
      if (!mayGo(question)) continue;
      gone.push(question);
      count -= 1;
      left -= unitsOf(question);
    }
    drop(state, gone);
  }
  state.removedAt = state.sequence;
}

function drop(state: InsightsState, gone: readonly LoggedQuestion[]): void {
  if (gone.length === 0) return;
  const numbers = new Set(gone.map(({ number }) => number));
  state.questions = state.questions.filter(({ number }) => !numbers.has(number));
  state.units -= gone.reduce((sum, question) => sum + unitsOf(question), 0);
}

/** The last runs. If all together are too many, the oldest lose the documents of their misses, and if that is not enough, the misses. */
function withinBounds(runs: readonly StoredRun[]): StoredRun[] {
  let kept = runs.slice(-RUNS_MAX);
  let units = kept.reduce((sum, run) => sum + run.units, 0);
  for (const shorten of [withoutDocuments, withoutMisses]) {
    kept = kept.map((run) => {
      if (units <= RUN_UNITS_MAX) return run;
      const less = shorten(run);
      units -= run.units - less.units;
      return less;
    });
  }
  return kept;
}
