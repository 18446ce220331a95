import type { ExplanationOutcome } from "../model/explanation.ts";
import type { DocumentType } from "../model/types.ts";
import type { ExpectedDocument } from "./golden.ts";

/** The result of an evaluation. Plain data. */
export interface Evaluation {
  readonly questions: number;
  /** The maximum number of documents asked for with each question: 10 to 100. */
  readonly topK: number;
  readonly measures: EvaluationMeasures;
  /** Expected ids that the bot does not know, sorted. Each counts as not found. */
  readonly unknownDocuments: readonly string[];
  /** The missed questions, in their order: the first document, or its first text part, is not an expected one. */
  readonly misses: readonly Miss[];
}

/** Means over the questions, each from 0 to 1. */
export interface EvaluationMeasures {
  readonly ndcgAt10: number;
  readonly mrrAt10: number;
  readonly recallAt10: number;
  /** Absent if fewer than 100 documents were asked for. */
  readonly recallAt100?: number;
  /** Means over the questions that name lines; absent if none does. */
  readonly lines?: {
    readonly questions: number;
    /** An expected line is in the first text part of the first document. */
    readonly firstPart: number;
    /** An expected line is in any returned text part of the first ten documents. */
    readonly anyPart: number;
  };
}

/**
 * The kind of a miss: the first of these that is true of a question.
 * - `unknownDocument`: it expects a document that the bot does not have.
 * - `notFound`: none of the expected documents is among the first ten.
 * - `notFirst`: another document is first.
 * - `wrongLines`: the first document is an expected one, and its first text part holds none of the expected lines.
 */
export type MissKind = "unknownDocument" | "notFound" | "notFirst" | "wrongLines";

/** A missed question, with its expected documents and the first ones that were found. */
export interface Miss {
  /** Index of the question among the golden questions, from 0. */
  readonly index: number;
  readonly question: string;
  readonly kind: MissKind;
  readonly expected: readonly ExpectedOutcome[];
  /** The first three documents that were found. */
  readonly found: readonly FoundInstead[];
}

/** The place of an expected document; see {@link Explanation}. */
export interface ExpectedOutcome extends ExpectedDocument {
  readonly outcome: ExplanationOutcome;
  /** Rank from 1; absent if it is not found at all. */
  readonly rank?: number;
  readonly score: number;
}

/** A document that was found, with its best text part. */
export interface FoundInstead {
  readonly id: string;
  readonly type: DocumentType;
  readonly title?: string;
  readonly score: number;
  readonly start: number;
  readonly stop: number;
  readonly text: string;
}
