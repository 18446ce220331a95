import type { ExplanationOutcome } from "../model/explanation.ts";
import type { DocumentType } from "../model/types.ts";
import type { ExpectedDocument } from "./golden.ts";

/** What came of asking a bot golden questions. Plain data. */
export interface Evaluation {
  readonly questions: number;
  /** Most documents that were asked for: 10 to 100. */
  readonly topK: number;
  readonly measures: EvaluationMeasures;
  /** Expected ids that the bot does not know, sorted. Each counts as not found. */
  readonly unknownDocuments: readonly string[];
  /** Questions whose first document, or its first part, is not what was expected, in the order of the questions. */
  readonly misses: readonly Miss[];
}

/** Means over the questions, each from 0 to 1. */
export interface EvaluationMeasures {
  readonly ndcgAt10: number;
  readonly mrrAt10: number;
  readonly recallAt10: number;
  /** Absent if fewer than 100 documents were asked for. */
  readonly recallAt100?: number;
  /** Over the questions that say lines; absent if none does. */
  readonly lines?: {
    readonly questions: number;
    /** An expected line is in the first part of the first document. */
    readonly firstPart: number;
    /** An expected line is in some returned part of the first ten documents. */
    readonly anyPart: number;
  };
}

/**
 * The first of these that is true of a question:
 * - `unknownDocument`: it expects a document that the bot does not have.
 * - `notFound`: none of the expected documents is among the first ten.
 * - `notFirst`: another document is first.
 * - `wrongLines`: the first document is an expected one, and its first part holds none of the expected lines.
 */
export type MissKind = "unknownDocument" | "notFound" | "notFirst" | "wrongLines";

export interface Miss {
  /** Place of the question among the golden ones, from 0. */
  readonly index: number;
  readonly question: string;
  readonly kind: MissKind;
  readonly expected: readonly ExpectedOutcome[];
  /** What was found instead: the first three documents. */
  readonly found: readonly FoundInstead[];
}

/** Where an expected document stands; see {@link Explanation}. */
export interface ExpectedOutcome extends ExpectedDocument {
  readonly outcome: ExplanationOutcome;
  /** From 1; absent if it is not found at all. */
  readonly rank?: number;
  readonly score: number;
}

/** A document that was found, with its best part. */
export interface FoundInstead {
  readonly id: string;
  readonly type: DocumentType;
  readonly title?: string;
  readonly score: number;
  readonly start: number;
  readonly stop: number;
  readonly text: string;
}
