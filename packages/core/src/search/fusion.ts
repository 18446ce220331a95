import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { QueryVector } from "../index/vectors/rows.ts";
import type { WindowVectors } from "../index/window-vectors.ts";
import { SIMILARITY_INEXACT_MAX } from "../model/limits.ts";
import { sameSpace } from "../model/records.ts";
import { calibrationOf } from "./calibration.ts";
import type { Identified } from "./identified-passages.ts";

/** The question as an encoder sees it, and what its scores are worth. */
export interface DenseQuery {
  readonly vector: QueryVector;
  /** Share of the dense similarity, 0 to 1. */
  readonly weight: number;
  /** From a cosine of this question to a similarity in [0, 1]. */
  readonly calibrate: (cosine: number) => number;
  /** Whether a passage is written in another language than the question; undefined where that is told of none. */
  readonly isForeign?: ((ordinal: number) => boolean) | undefined;
  /** Which passages lack identifiers of the question; undefined where the question has none, or no passage holds them all. */
  readonly identified?: Identified | undefined;
  /** The cosine of the question and a short text that has no vector of its own; undefined where that cannot be told, of any text or of this one. */
  readonly cosineOfShort?: (text: string) => number | undefined;
}

/** What a question's vector can be compared with: nothing, if no passage has one of its space. */
export function denseQuery(
  { space, rows, ownShare }: Pick<WindowVectors, "space" | "rows" | "ownShare">,
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
 * than the question is the other way round: its words are taken to be worth at least a share of its meaning. The meaning of a passage
 * that lacks the question's identifiers counts for less.
 */
export function fusedSimilarity(
  lexical: number,
  cosine: number | undefined,
  dense: DenseQuery,
  { isForeign = false, meaningCounts = 1 }: PassageTraits = NO_TRAITS,
): number {
  const meaning = cosine === undefined ? lexical : dense.calibrate(cosine);
  if (lexical === 0 && meaning < DENSE_FLOOR) return 0;
  if (cosine === undefined && meaningCounts === 1) return lexical;
  const counted = meaningCounts * meaning;
  const words = isForeign ? Math.max(lexical, FOREIGN_WORDS * counted) : lexical;
  return Math.min(dense.weight * counted + (1 - dense.weight) * words, SIMILARITY_INEXACT_MAX);
}

/** What is known of a passage beside a question, apart from its scores. */
export interface PassageTraits {
  /** Whether it is written in another language than the question. Default false. */
  readonly isForeign?: boolean | undefined;
  /** What its meaning counts, 0 to 1. Default 1. */
  readonly meaningCounts?: number | undefined;
}

const NO_TRAITS: PassageTraits = {};

/** {@link fusedSimilarity} of the passage with this ordinal. */
export function fusedSimilarityOf(
  ordinal: number,
  lexical: number,
  cosine: number | undefined,
  dense: DenseQuery,
): number {
  return fusedSimilarity(lexical, cosine, dense, {
    isForeign: dense.isForeign?.(ordinal),
    meaningCounts: meaningCounted(ordinal, dense),
  });
}

/** What the meaning of a passage counts, 0 to 1. */
export function meaningCounted(ordinal: number, { identified }: Pick<DenseQuery, "identified">): number {
  return identified?.lacks(ordinal) === true ? identified.meaning : 1;
}

/** The highest score of a passage, in any language, that shares no words with the question, and so none of its identifiers. */
export function withoutWords(cosine: number, dense: DenseQuery): number {
  return fusedSimilarity(0, cosine, dense, {
    isForeign: dense.isForeign !== undefined,
    meaningCounts: dense.identified?.meaning,
  });
}

/**
 * What a passage's words must be worth for it to reach `similarity`, if its cosine is at most `cosineMax`;
 * `unvectored` tells that it may have no vector, and then needs only as much as that.
 */
export function lexicalNeeded(similarity: number, cosineMax: number, unvectored: boolean, dense: DenseQuery): number {
  const { weight, calibrate } = dense;
  // A passage in another language may need no more than to be found at all.
  if (
    dense.isForeign !== undefined &&
    fusedSimilarity(LEXICAL_FLOOR, cosineMax, dense, { isForeign: true }) >= similarity
  )
    return LEXICAL_FLOOR;
  const missing = similarity - weight * calibrate(cosineMax);
  const needed = weight === 1 ? (missing > 0 ? Number.POSITIVE_INFINITY : 0) : missing / (1 - weight);
  return Math.max(LEXICAL_FLOOR, unvectored ? Math.min(needed, similarity) : needed);
}
