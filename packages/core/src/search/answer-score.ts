import { SIMILARITY_INEXACT_MAX } from "../model/limits.ts";
import type { ParsedQuery } from "./parsed-query.ts";

/** By this much the power of a score is above 1 if its question is nothing but small talk. */
const SMALL_TALK_POWER = 2;

/** The power that the similarities of answers are raised to, by how much the question is small talk, 0 to 1. */
export function scorePower(smallTalk: number): number {
  return 1 + SMALL_TALK_POWER * smallTalk;
}

/**
 * The score of an answer or of its quote, by its similarity s after reranking:
 *
 *     score = s ^ (1 + 2 · t)         t  how much the question is small talk, 0 to 1
 *
 * Greetings, thanks and questions about the bot come close to many texts. Their scores fall below those of answers, while the order stays, and a text that says
 * nearly the same stays an answer. A question that asks something has t = 0.
 */
export function answerScore(similarity: number, { dense }: Pick<ParsedQuery, "dense">): number {
  const smallTalk = dense?.smallTalk ?? 0;
  if (smallTalk === 0 || similarity > SIMILARITY_INEXACT_MAX) return similarity;
  // Above 0: a found document has a score.
  return Math.max(Number.MIN_VALUE, similarity ** scorePower(smallTalk));
}

/** The similarity that {@link answerScore} made a score of: a greeting that finds little is no gap in what a bot knows. */
export function similarityOf(score: number, smallTalk: number): number {
  return score > SIMILARITY_INEXACT_MAX ? score : score ** (1 / scorePower(smallTalk));
}
