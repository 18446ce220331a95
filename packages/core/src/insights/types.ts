/** What users ask, what they do not find, and whether a bot gets better. Plain data. */

import type { Evaluation, EvaluationMeasures, MissKind } from "../evaluation/evaluation.ts";
import type { Quality } from "../model/types.ts";

/** A document beside a question. */
export interface NearestDocument {
  /** `resourceDocId` of a document, `id` of an article. */
  readonly id: string;
  /** Absent if it has none, or was removed meanwhile. */
  readonly title?: string;
  /** The `bestMatchScore` of the question's answer, 0 to 1. */
  readonly score: number;
}

/** A question of the log. E-mail addresses, phone, card and account numbers and keys in it were masked before it was written. */
export interface QuestionRow {
  /** Rises from question to question. */
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
  readonly question: string;
  /** The `bestMatchScore` of the first document; 0 if nothing was found. */
  readonly bestScore: number;
  /** The first document that was found. Absent if there was none. */
  readonly nearest?: NearestDocument;
  /** The `x-request-id` of the search. Absent if it had none. An e-mail address or a number in it is masked, with some digits of a digest behind it. */
  readonly requestId?: string;
  /** The last feedback on its answer. Absent if there was none. */
  readonly feedback?: QuestionFeedback;
}

/** What a user said about an answer. */
export interface QuestionFeedback {
  readonly helpful: boolean;
  readonly resourceDocId?: string;
  /** Masked like questions. */
  readonly comment?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Feedback on the answer to a search; the body of `POST /api/v1/knowledge/feedback`. */
export interface FeedbackInput {
  /** The `x-request-id` of the search: 1 to 128 characters. */
  readonly requestId: string;
  /** The document that the feedback is about. Default: the whole answer. */
  readonly resourceDocId?: string;
  readonly helpful: boolean;
  /** At most 1,000 characters. */
  readonly comment?: string;
}

/** The request of a page of the question log. */
export interface QuestionPageRequest {
  /** Most rows of the page, from 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The `id` of the last row of the previous page. Default: the newest rows. */
  readonly before?: number;
}

/** A group of questions that mean about the same, and that found little. */
export interface Gap {
  /** The most typical question of the group, which names it. */
  readonly question: string;
  /** Questions of the group within the days of the log. */
  readonly count: number;
  /** Of them, those of the last 7 days. */
  readonly countWeek: number;
  /** Of them, those of the 7 days before. */
  readonly countBefore: number;
  /** Of them, those whose answer was said not to help. */
  readonly unhelpful: number;
  /** The best score of any question of the group, 0 to 1. */
  readonly bestScore: number;
  /** Up to 5 different questions of the group, the most frequent first, without the one that names it. */
  readonly examples: readonly string[];
  /** The document with the best score. Absent if no question of the group found any. */
  readonly nearest?: NearestDocument;
  /** ISO 8601, UTC. */
  readonly lastAskedAt: string;
}

/** The request of a list of gaps. */
export interface GapRequest {
  /** Most groups of the list, from 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** Questions whose best score is lower count, 0 to 1. Default: the bot's setting `gapScore`. */
  readonly belowScore?: number;
}

/** A document by its name. */
export interface NamedDocument {
  readonly id: string;
  readonly title?: string;
}

/** Two documents that have most of their text in common. */
export interface NearDuplicate {
  readonly ids: readonly [string, string];
  /** An empty title stands for none. */
  readonly titles: readonly [string, string];
  /** The share of their runs of words that both have, 0 to 1. */
  readonly similarity: number;
}

/** Two lines that say the same but for a number, or but for a negation. They may contradict each other. */
export interface Contradiction {
  readonly ids: readonly [string, string];
  /** An empty title stands for none. */
  readonly titles: readonly [string, string];
  /** The two lines as they are stored, at most 500 characters of each. */
  readonly lines: readonly [string, string];
  readonly reason: "numbers" | "negation";
}

/** The figures of one week. */
export interface InsightsWeek {
  /** The Monday on which it begins, UTC: `2026-11-23`. */
  readonly week: string;
  readonly questions: number;
  /** Questions that found little, by the setting `gapScore` of that time. */
  readonly gaps: number;
  readonly helpful: number;
  readonly unhelpful: number;
}

/** An evaluation to keep as a run. */
export interface RunInput extends Evaluation {
  /** ISO 8601. Default: now. */
  readonly at?: string;
  readonly quality?: Quality;
  /** Whether another vocabulary than the bot's was tried. Default false. */
  readonly vocabulary?: boolean;
}

/** A kept run of the golden questions. */
export interface RunSummary {
  /** Rises from run to run, as text. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly questions: number;
  /** Questions that were missed. */
  readonly missed: number;
  readonly measures: EvaluationMeasures;
  readonly quality?: Quality;
  readonly vocabulary?: boolean;
}

/** A kept run with its misses. Where they would take too much memory, late misses and old runs lose the documents of their misses, then the misses. */
export interface Run extends RunSummary {
  /** In the order of the questions. With fewer than `missed` of them, the outcome of all other questions is unknown. */
  readonly misses: readonly RunMiss[];
}

/** A missed question of a run. */
export interface RunMiss {
  /** Index of the question among the golden questions, from 0. */
  readonly index: number;
  readonly question: string;
  readonly kind: MissKind;
  /** The expected documents. Empty if they were cut. */
  readonly expected: readonly { readonly id: string; readonly outcome: string; readonly rank?: number }[];
  /** The first documents that were found instead. Empty if there were none, or if they were cut. */
  readonly found: readonly NearestDocument[];
}

/** What changed from one run to a later one. */
export interface RunComparison {
  /** Changes of the measures: the later value minus the earlier one. */
  readonly measures: Readonly<Record<"ndcgAt10" | "mrrAt10" | "recallAt10", number>>;
  readonly better: readonly ChangedQuestion[];
  readonly worse: readonly ChangedQuestion[];
  /** At least this number of missed questions could not be compared: their misses were cut from one of the runs. 0 for runs that have all of theirs. */
  readonly unknown: number;
}

/** A question whose outcome differs between two runs. `right` is none of the misses. */
export interface ChangedQuestion {
  readonly question: string;
  readonly before: MissKind | "right";
  readonly after: MissKind | "right";
}
