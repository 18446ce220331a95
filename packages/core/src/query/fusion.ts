import { SIMILARITY_INEXACT_MAX } from "../domain/limits.ts";
import { sameSpace } from "../domain/records.ts";
import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { QueryVector } from "../vector/vector-rows.ts";
import { calibrationOf } from "./calibration.ts";
import type { PartVectors } from "./part-vectors.ts";

/** The question as an encoder sees it, and what its scores are worth. */
export interface DenseQuery {
  readonly vector: QueryVector;
  /** Share of the dense similarity, 0 to 1. */
  readonly weight: number;
  /** From a cosine of this question to a similarity in [0, 1]. */
  readonly calibrate: (cosine: number) => number;
  /** Whether a passage is written in another language than the question; undefined where that is told of none. */
  readonly isForeign?: ((ordinal: number) => boolean) | undefined;
  /** The cosine of the question and a short text that has no vector of its own; undefined where that cannot be told, of any text or of this one. */
  readonly cosineOfShort?: (text: string) => number | undefined;
}

/** What a question's vector can be compared with: nothing, if no passage has one of its space. */
export function denseQuery(
  { space, rows, ownShare }: Pick<PartVectors, "space" | "rows" | "ownShare">,
  embedded: EmbeddedQuestion | undefined,
  isForeign?: (ordinal: number) => boolean,
): DenseQuery | undefined {
  if (embedded === undefined || space === undefined || rows === undefined || rows.count === 0) return undefined;
  const { embedder, vector, firstWeight = embedder.weight, embedShort } = embedded;
  if (!sameSpace(space, embedder)) return undefined;
  return {
    vector: rows.prepare(vector),
    weight: ownShare * embedder.weight + (1 - ownShare) * firstWeight,
    calibrate: calibrationOf(embedder, rows, vector),
    ...(isForeign === undefined ? {} : { isForeign }),
    ...(embedShort === undefined ? {} : { cosineOfShort: (text) => cosineOf(vector, embedShort(text)) }),
  };
}

/** Of two vectors of length one. */
function cosineOf(a: Float32Array, b: Float32Array | undefined): number | undefined {
  if (b === undefined) return undefined;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/**
 * Below this the words say nothing: the passage shares so little of the query's weight that any text would.
 * A share of BM25's upper bound.
 */
export const LEXICAL_FLOOR = 0.01;

/** Below this the meaning says nothing: texts that have nothing in common come as close. A calibrated cosine. */
export const DENSE_FLOOR = 0.3;

/**
 * What the words of a passage in another language than the question are worth at least, as a share of its meaning: that it holds none of the
 * question's words tells nothing about it.
 */
export const FOREIGN_WORDS = 0.6;

/** BM25 as a similarity: its share of what a passage made of the query alone could reach. 0 below the floor. */
export function lexicalSimilarity(score: number, upperBound: number): number {
  const similarity = score / upperBound;
  return similarity < LEXICAL_FLOOR ? 0 : Math.min(similarity, SIMILARITY_INEXACT_MAX);
}

/**
 * One similarity of both, 0 if neither is above its floor: a convex combination of calibrated scores (Bruch, Gai, Ingber
 * 2022, "An Analysis of Fusion Functions for Hybrid Retrieval"). A passage without a vector is taken by its words alone, as if
 * its meaning were as close as they are: until its vector comes, it must not fall behind those that have one. One in another language
 * than the question is the other way round: its words are taken to be worth at least a share of its meaning.
 */
export function fusedSimilarity(
  lexical: number,
  cosine: number | undefined,
  dense: DenseQuery,
  isForeign: boolean | undefined = false,
): number {
  if (cosine === undefined) return lexical;
  const meaning = dense.calibrate(cosine);
  if (lexical === 0 && meaning < DENSE_FLOOR) return 0;
  const words = isForeign ? Math.max(lexical, FOREIGN_WORDS * meaning) : lexical;
  return Math.min(dense.weight * meaning + (1 - dense.weight) * words, SIMILARITY_INEXACT_MAX);
}

/** What a passage reaches at most that shares no words with the question, whatever language it is in. */
export function withoutWords(cosine: number, dense: DenseQuery): number {
  return fusedSimilarity(0, cosine, dense, dense.isForeign !== undefined);
}

/**
 * What a passage's words must be worth for it to reach `similarity`, if its cosine is at most `cosineMax`;
 * `unvectored` tells that it may have no vector, and then needs only as much as that.
 */
export function lexicalNeeded(similarity: number, cosineMax: number, unvectored: boolean, dense: DenseQuery): number {
  const { weight, calibrate } = dense;
  // A passage in another language may need no more than to be found at all.
  if (dense.isForeign !== undefined && fusedSimilarity(LEXICAL_FLOOR, cosineMax, dense, true) >= similarity)
    return LEXICAL_FLOOR;
  const missing = similarity - weight * calibrate(cosineMax);
  const needed = weight === 1 ? (missing > 0 ? Number.POSITIVE_INFINITY : 0) : missing / (1 - weight);
  return Math.max(LEXICAL_FLOOR, unvectored ? Math.min(needed, similarity) : needed);
}
