import type { SearchIndex } from "../../index/search-index.ts";
import { SIMILARITY_INEXACT_MAX, TOP_K_MAX } from "../../model/limits.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { meaningCounted } from "../fusion.ts";
import type { DocumentHits, Hit } from "../retrieval.ts";
import {
  type CodesOfDocument,
  type ComparedPassages,
  codesOfDocument,
  compareDocument,
  type Reranking,
} from "./compared-passages.ts";
import { assumedCloseness, rerankedScore } from "./reranked-score.ts";

/** The rerank depth, the number of best documents by hybrid score that are compared, of a search that ranks up to as many. */
export const RERANK_DEPTH_MIN = 20;
/** The rerank depth of a search that ranks more. */
const RERANK_DEPTH_MAX = TOP_K_MAX;

/**
 * The rerank depth of a search that ranks `count` documents. Every document that a search returns is compared, so the score of one with token codes depends
 * on no other.
 */
export function rerankDepthOf(count: number): number {
  return count <= RERANK_DEPTH_MIN ? RERANK_DEPTH_MIN : RERANK_DEPTH_MAX;
}

/** Documents in their order after reranking. */
export interface RerankedDocuments {
  /** Best first, ties by id, with their similarities after reranking. */
  readonly documents: readonly DocumentHits[];
  /** Whether any document was compared. */
  readonly isReranked: boolean;
  /** The closeness assumed for documents that were not compared. Undefined: they keep their hybrid scores. */
  readonly assumed?: number | undefined;
}

/**
 * Reranks hybrid hits by late interaction. A document that lacks some of its token codes gets the mean closeness of the compared ones, without those that
 * equal the question or are pinned to it.
 * If token codes must be read first, it returns at once, and the search runs again when they are there.
 * @param found best first, ties by id
 */
export function* rerankedDocuments(
  index: SearchIndex,
  found: readonly DocumentHits[],
  reranking: Reranking,
): Sliced<RerankedDocuments> {
  const codes: (CodesOfDocument | undefined)[] = [];
  for (const document of found) {
    codes.push(codesOfDocument(index, document, reranking));
    if (index.effort.shouldYield(CODES_OPERATIONS)) yield;
  }
  // Nothing is compared before all codes are there: the search would compare it again.
  if (reranking.tokenCodes.isUnread) return { documents: found, isReranked: false };
  const comparison: (ComparedPassages | undefined)[] = [];
  for (const each of codes) comparison.push(each && (yield* compareDocument(index, each, reranking)));
  const assumed = assumedCloseness(comparison.flatMap((compared, i) => closenessOfBest(found[i], compared)));
  const documents = found.map((document, i) => reranked(document, comparison[i], assumed, reranking));
  // Pinned documents are first, and stay in their order.
  const pinned = documents.filter((each) => each.pinned !== undefined);
  const others = pinned.length === 0 ? documents : documents.slice(pinned.length);
  const isReranked = comparison.some((compared) => compared !== undefined);
  return { documents: [...pinned, ...others.sort(byScoreThenId)], isReranked, assumed };
}

/** A document after reranking: by its comparison; without one by the assumed closeness; without either it keeps its hybrid score. */
export function reranked(
  found: DocumentHits,
  comparison: ComparedPassages | undefined,
  assumed: number | undefined,
  reranking: Reranking,
): DocumentHits {
  if (comparison !== undefined) return rerankedByComparison(found, comparison, reranking);
  return assumed === undefined ? found : rerankedBy(found, assumed, reranking);
}

/** Operations counted to find the token codes of a document: up to seven texts, of some embedding windows each, and its title. */
const CODES_OPERATIONS = 256;

/** Closeness of a document's best hit, or of its title. Empty if it was not compared, or if it equals the question: then it is first whatever its closeness. */
function closenessOfBest(found: DocumentHits | undefined, comparison: ComparedPassages | undefined): number[] {
  if (found === undefined || comparison === undefined || scoreOf(found) >= 1) return [];
  const best = found.passages[0];
  const isVariant = found.variant > (best?.similarity ?? 0);
  if (isVariant) return [closenessOfVariant(found, comparison)];
  const closeness = comparison.get(best?.ordinal ?? -1)?.closenessWithTitle;
  return closeness === undefined ? [] : [closeness];
}

/** Closeness of a QNA: the best of its question variant and the passages of its answer, which tell what the variant leaves open. */
function closenessOfVariant({ bestVariant }: DocumentHits, comparison: ComparedPassages): number {
  let closeness = comparison.get(bestVariant ?? -1)?.closeness ?? 0;
  for (const passage of comparison.values()) closeness = Math.max(closeness, passage.closeness);
  return closeness;
}

/**
 * A document with its similarities after comparison. Passages that were not compared get the least closeness of those that were; less if they lack the
 * question's identifiers. The title raises all passages alike, see {@link titleFactorOf}.
 */
export function rerankedByComparison(
  found: DocumentHits,
  comparison: ComparedPassages,
  reranking: Pick<Reranking, "calibration" | "identified">,
): DocumentHits {
  const { passages, variant } = found;
  const { weight } = reranking.calibration;
  const variantCloseness = closenessOfVariant(found, comparison);
  let least = Number.POSITIVE_INFINITY;
  for (const { ordinal } of passages) {
    const closeness = comparison.get(ordinal)?.closeness ?? Number.POSITIVE_INFINITY;
    least = Math.min(least, closeness / meaningCounted(ordinal, reranking));
  }
  const compared = passages.map((hit): Hit => {
    const passage = comparison.get(hit.ordinal);
    const closeness = passage?.closeness ?? least * meaningCounted(hit.ordinal, reranking);
    const similarity = rerankedScore(hit.similarity, closeness, weight);
    return {
      ...hit,
      similarity,
      ...(passage === undefined ? {} : { reranking: { windows: passage.windows, weight } }),
    };
  });
  compared.sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal);
  const titleFactor = titleFactorOf(found, compared[0]?.similarity ?? 0, comparison, weight);
  return {
    ...found,
    passages: titleFactor === 1 ? compared : compared.map((hit) => raisedBy(hit, titleFactor)),
    variant: rerankedScore(variant, variantCloseness, weight),
    ...(comparison.has(found.bestVariant ?? -1) ? { variantCloseness } : {}),
    ...(titleFactor === 1 ? {} : { titleFactor }),
  };
}

/**
 * How many times the title raises the similarity of each passage; 1 if it does not. The best one gets what it would have if every compared passage were at
 * least as close as the title. One factor for all keeps them in their order. Measured: docs/decisions/2026-11-29-power-mean.md
 * @param best the highest similarity of a passage without the title
 */
function titleFactorOf({ passages }: DocumentHits, best: number, comparison: ComparedPassages, weight: number): number {
  if (best === 0) return 1;
  let raised = best;
  for (const { ordinal, similarity } of passages) {
    const closeness = comparison.get(ordinal)?.closenessWithTitle;
    if (closeness !== undefined) raised = Math.max(raised, rerankedScore(similarity, closeness, weight));
  }
  return raised / best;
}

function raisedBy(hit: Hit, factor: number): Hit {
  return { ...hit, similarity: Math.min(SIMILARITY_INEXACT_MAX, hit.similarity * factor) };
}

/**
 * A document with its similarities by one assumed closeness for all its passages. Less is assumed of a passage that lacks the question's identifiers.
 * No passage becomes better than one before it: they stay in the order of their hybrid scores, as nobody has compared them.
 */
export function rerankedBy(found: DocumentHits, closeness: number, reranking: Reranking): DocumentHits {
  const similarityOf = (similarity: number, ordinal: number): number =>
    rerankedScore(similarity, closeness * meaningCounted(ordinal, reranking), reranking.calibration.weight);
  let most = 1;
  return {
    ...found,
    passages: found.passages.map((hit) => {
      most = Math.min(most, similarityOf(hit.similarity, hit.ordinal));
      return { ...hit, similarity: most };
    }),
    variant: similarityOf(found.variant, found.bestVariant ?? -1),
  };
}

/** The similarity that a document is ranked by: 1 if a text of it equals the question or if it is pinned to it, else that of its best hit. */
export function scoreOf({ passages, variant, equal, pinned }: DocumentHits): number {
  if (equal.title || equal.fragments.length > 0 || pinned !== undefined) return 1;
  return Math.max(passages[0]?.similarity ?? 0, variant);
}

function byScoreThenId(a: DocumentHits, b: DocumentHits): number {
  const [first, second] = [scoreOf(a), scoreOf(b)];
  if (first !== second) return second - first;
  return a.document.document.id < b.document.document.id ? -1 : 1;
}
