import type { GoldenQuestion } from "../evaluation/golden.ts";
import type { Recorded } from "../log/recorded-kind.ts";
import type { RunMiss, RunSummary } from "./types.ts";

/** A question as a record brings it, masked. */
export interface AskedQuestion {
  /** Wall clock, milliseconds since the epoch. */
  readonly atMs: number;
  readonly question: string;
  readonly score: number;
  /** Ids of the first documents that were found, best first. */
  readonly found: readonly string[];
  readonly requestId?: string;
  /** Whether it found little, by the bot's setting at that time. */
  readonly isGap: boolean;
}

/** A question of the log. */
export interface LoggedQuestion extends Omit<AskedQuestion, "found"> {
  /** Rises from question to question. */
  readonly number: number;
  /** Id of the first document that was found. */
  readonly nearest?: string;
  readonly feedback?: StoredFeedback;
}

/** Feedback as it is stored, its comment masked. */
export interface StoredFeedback {
  readonly atMs: number;
  readonly helpful: boolean;
  readonly resourceDocId?: string;
  readonly comment?: string;
}

/** The figures of one week. */
export interface WeekFigures {
  readonly questions: number;
  readonly gaps: number;
  readonly helpful: number;
  readonly unhelpful: number;
}

/** A run as it is stored. */
export interface StoredRun {
  readonly summary: RunSummary;
  /** Fewer than were missed, and some without documents, if the bounds have taken the others. */
  readonly misses: readonly RunMiss[];
  /** UTF-16 units of the misses as JSON. */
  readonly units: number;
}

/** What is known of a bot's questions: all records of its log, applied in order. Entries are replaced and never changed. */
export interface InsightsState extends Recorded {
  /** By number. */
  questions: LoggedQuestion[];
  /** The number of the next question. */
  next: number;
  /** UTF-16 units of all questions and comments. */
  units: number;
  /** When each document was last among the first of an answer, by its id, in the order of those answers. */
  readonly found: Map<string, number>;
  /** By the Monday on which they begin, in the order of their first questions: a clock that is set back makes an older week a later entry. */
  readonly weeks: Map<string, WeekFigures>;
  golden: readonly GoldenQuestion[];
  /** Oldest first. */
  runs: StoredRun[];
  /** The number of the next run. */
  nextRun: number;
}

/** The state of an empty log. */
export function emptyInsights(): InsightsState {
  return {
    questions: [],
    next: 1,
    units: 0,
    found: new Map(),
    weeks: new Map(),
    golden: [],
    runs: [],
    nextRun: 1,
    removedAt: 0,
    sequence: 0,
  };
}

/** UTF-16 units of the texts of a question. */
export function unitsOf({ question, feedback }: Pick<LoggedQuestion, "question" | "feedback">): number {
  return question.length + (feedback?.comment?.length ?? 0);
}

export const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const DAYS_FROM_MONDAY = 3;

/** The Monday of the week of an instant, UTC: `2026-11-23`. */
export function weekOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const monday = day - ((day + DAYS_FROM_MONDAY) % 7);
  return new Date(monday * DAY_MS).toISOString().slice(0, 10);
}

/** About how much memory the state takes, in bytes. O(runs). */
export function insightsBytes({ questions, units, found, runs, golden }: InsightsState): number {
  const ofRuns = runs.reduce((sum, { units: ofRun }) => sum + ofRun, 0);
  return (units + ofRuns) * 2 + questions.length * 200 + found.size * 120 + runs.length * 500 + golden.length * 400;
}
