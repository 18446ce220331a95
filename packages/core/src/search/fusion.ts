import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { QueryVector } from "../index/vectors/codes.ts";
import type { WindowVectors } from "../index/window-vectors.ts";
import type { EmbedShort } from "../model/embed-short.ts";
import { SIMILARITY_INEXACT_MAX } from "../model/limits.ts";
import { sameSpace } from "../model/records.ts";
import { calibrationOf } from "./calibration.ts";
import type { Identified } from "./identified-passages.ts";
import { fromPower, toPower } from "./power-mean.ts";

/** The vector of a question, and how its cosines become similarities. */
export interface DenseQuery {
  readonly vector: QueryVector;
  /** Weight of the calibrated cosine in the hybrid score, 0 to 1. */
  readonly weight: number;
  /** Calibrates a cosine of this question to a similarity in [0, 1]. */
  readonly calibrate: (cosine: number) => number;
  /** How much the question is small talk, 0 to 1. Default 0. */
  readonly smallTalk?: number;
  /** True if a passage is written in another language than the question. Undefined if no passage counts as foreign. */
  readonly isForeign?: ((ordinal: number) => boolean) | undefined;
  /** Tells which passages lack identifiers of the question. Undefined if it has none, if no passage holds them all, or if too many do. */
  readonly identified?: Identified | undefined;
  /** The static embedder's vector of a short text, in the same space. Undefined if there is no static embedder. */
  readonly embedShort?: EmbedShort | undefined;
}

/** The dense side of a question. Undefined if the question has no vector, or no passage has one in the same space. */
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
    smallTalk: cutToShare(embedder.smallTalk?.(vector)),
    ...(isForeign === undefined ? {} : { isForeign }),
    embedShort,
  };
}

/** A share that foreign code gives, cut to 0 to 1. */
function cutToShare(given = 0): number {
  return given > 0 ? Math.min(1, given) : 0;
}

/**
 * The least lexical similarity that counts, as a share of BM25's upper bound.
 * Below it a passage shares so little of the question's weight that any text would.
 */
export const LEXICAL_FLOOR = 0.01;

/** The least calibrated cosine that makes a passage without words an answer. Texts that have nothing in common come as close. */
export const DENSE_FLOOR = 0.3;

/**
 * The least lexical similarity of a passage in another language than the question, as a share of its calibrated cosine.
 * Such a passage cannot be expected to hold the question's words.
 */
export const FOREIGN_WORDS = 0.8;

/** BM25 as a similarity, 0 to .999: its share of the upper bound, that of a passage made of the question alone. 0 below the floor. */
export function lexicalSimilarity(score: number, upperBound: number): number {
  const similarity = score / upperBound;
  return similarity < LEXICAL_FLOOR ? 0 : Math.min(similarity, SIMILARITY_INEXACT_MAX);
}

/**
 * The hybrid score of a passage: the power mean (`power-mean.ts`) of two calibrated scores. It ranks as a convex combination of score^1.5 does
 * (Bruch, Gai, Ingber 2022, "An Analysis of Fusion Functions for Hybrid Retrieval").
 *
 *     score^1.5 = w · (c · m)^1.5 + (1 − w) · b^1.5     w  dense.weight            m  calibrated cosine
 *                                                       c  meaningCounts, or 1     b  lexical similarity
 *
 * - It is 0 if neither b nor m reaches its floor, and at most .999.
 * - A passage without a vector has m = b. Until its vector is there, it must not fall behind passages that have one.
 * - A passage in another language has b of at least {@link FOREIGN_WORDS} · c · m.
 * - A passage that lacks the question's identifiers has c below 1.
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
  const mean = dense.weight * toPower(counted) + (1 - dense.weight) * toPower(words);
  return Math.min(fromPower(mean), SIMILARITY_INEXACT_MAX);
}

/** Traits of a passage, relative to a question, that change its hybrid score. */
export interface PassageTraits {
  /** True if it is written in another language than the question. Default false. */
  readonly isForeign?: boolean | undefined;
  /** Factor of its calibrated cosine, 0 to 1. Default 1. */
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

/** The factor of a passage's calibrated cosine and closeness, 0 to 1: below 1 if it lacks identifiers of the question. */
export function meaningCounted(ordinal: number, { identified }: Pick<DenseQuery, "identified">): number {
  return identified === undefined || identified.holding.has(ordinal) ? 1 : identified.meaningCounts;
}

/** Upper bound of the hybrid score of a passage, in any language, without any word of the question. Such a passage holds none of its identifiers. */
export function withoutWords(cosine: number, dense: DenseQuery): number {
  return fusedSimilarity(0, cosine, dense, {
    isForeign: dense.isForeign !== undefined,
    meaningCounts: dense.identified?.meaningCounts,
  });
}

/**
 * The least lexical similarity that a passage needs to reach the hybrid score `similarity`, if its cosine is at most `cosineMax` and if it lacks
 * identifiers of a question that has some. If `unvectored`, it may have no vector, and then needs no more than `similarity` itself.
 */
export function lexicalNeeded(similarity: number, cosineMax: number, unvectored: boolean, dense: DenseQuery): number {
  const { weight, calibrate } = dense;
  const meaningCounts = dense.identified?.meaningCounts ?? 1;
  // A passage in another language may need only the floor.
  if (
    dense.isForeign !== undefined &&
    fusedSimilarity(LEXICAL_FLOOR, cosineMax, dense, { isForeign: true, meaningCounts }) >= similarity
  )
    return LEXICAL_FLOOR;
  const missing = toPower(similarity) - weight * toPower(meaningCounts * calibrate(cosineMax));
  if (missing <= 0) return LEXICAL_FLOOR;
  const needed = fromPower(missing / (1 - weight));
  return Math.max(LEXICAL_FLOOR, unvectored ? Math.min(needed, similarity) : needed);
}
