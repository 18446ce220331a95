import type { SearchIndex } from "../../index/search-index.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { meaningCounted } from "../fusion.ts";
import type { DocumentHits, Hit } from "../retrieval.ts";
import { type ComparedPassages, lookAt, passagesToCompare, type Reranking } from "./compared-passages.ts";
import { type AssumedCloseness, assumedCloseness, rerankedScore } from "./reranked-score.ts";

/** So many of the best documents of two looks are looked at. */
export const RERANK_DEPTH = 20;

/** Documents in the order of all looks. */
export interface RerankedDocuments {
  /** Best first, ties by id, with the similarities of all looks. */
  readonly documents: readonly DocumentHits[];
  /** What is taken for the closeness of those that were not looked at; undefined where there was no reranking. */
  readonly assumed: AssumedCloseness | undefined;
}

/**
 * What two looks have found, in the order of all three. A document whose token codes are not kept is taken for as close as the others are on the average; those beyond
 * the first {@link RERANK_DEPTH} for as close as the least of these: how many are asked for changes nothing of the first ones.
 * @param found best first, ties by id
 */
export function* rerankedDocuments(
  index: SearchIndex,
  found: readonly DocumentHits[],
  look: Reranking,
): Sliced<RerankedDocuments> {
  const looked: (ComparedPassages | undefined)[] = [];
  const best = found.slice(0, RERANK_DEPTH);
  for (const [i, count] of passagesToCompare(best).entries()) {
    const document = best[i];
    if (document !== undefined) looked.push(yield* lookAt(index, document, count, look));
  }
  const assumed = assumedCloseness(looked.flatMap((passages, i) => closenessOfBest(found[i], passages)));
  if (assumed === undefined) return { documents: found, assumed };
  const { weight } = look.calibration;
  const documents = found.map((document, i) => {
    const passages = looked[i];
    if (passages !== undefined) return rerankedByComparison(document, passages, weight);
    return rerankedBy(document, i < RERANK_DEPTH ? assumed.usual : assumed.least, look);
  });
  return { documents: documents.sort(byScoreThenId), assumed };
}

/** How close what two looks hold for the best of a document is; nothing for one that equals the question, which is first whatever it is. */
function closenessOfBest(found: DocumentHits | undefined, looked: ComparedPassages | undefined): number[] {
  if (found === undefined || looked === undefined || scoreOf(found) >= 1) return [];
  const best = found.passages[0];
  const isVariant = found.variant > (best?.similarity ?? 0);
  const closeness = isVariant ? closenessOfVariant(found, looked) : looked.get(best?.ordinal ?? -1)?.closeness;
  return closeness === undefined ? [] : [closeness];
}

/** A question with its answer is as close as either: the answer's passages tell what the wording leaves open. */
function closenessOfVariant({ bestVariant }: DocumentHits, looked: ComparedPassages): number {
  let closeness = looked.get(bestVariant ?? -1)?.closeness ?? 0;
  for (const passage of looked.values()) closeness = Math.max(closeness, passage.closeness);
  return closeness;
}

/** A document with the similarities of all looks. Passages that were not looked at are taken for as close as the least of those that were. */
export function rerankedByComparison(found: DocumentHits, looked: ComparedPassages, weight: number): DocumentHits {
  const { passages, variant } = found;
  const variantCloseness = closenessOfVariant(found, looked);
  let least = Number.POSITIVE_INFINITY;
  for (const { ordinal } of passages) {
    least = Math.min(least, looked.get(ordinal)?.closeness ?? Number.POSITIVE_INFINITY);
  }
  const reranked = passages.map((hit): Hit => {
    const passage = looked.get(hit.ordinal);
    const similarity = rerankedScore(hit.similarity, passage?.closeness ?? least, weight);
    return { ...hit, similarity, ...(passage === undefined ? {} : { look: { windows: passage.windows, weight } }) };
  });
  return {
    ...found,
    passages: reranked.sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal),
    variant: rerankedScore(variant, variantCloseness, weight),
    ...(looked.has(found.bestVariant ?? -1) ? { variantCloseness } : {}),
  };
}

/** The same for one closeness of all. */
export function rerankedBy(found: DocumentHits, closeness: number, look: Reranking): DocumentHits {
  const similarityOf = (similarity: number, ordinal: number): number =>
    rerankedScore(similarity, closeness * meaningCounted(ordinal, look), look.calibration.weight);
  return {
    ...found,
    passages: found.passages.map((hit) => ({ ...hit, similarity: similarityOf(hit.similarity, hit.ordinal) })),
    variant: similarityOf(found.variant, found.bestVariant ?? -1),
  };
}

/** The similarity that a document is shown with. */
export function scoreOf({ passages, variant, equal }: DocumentHits): number {
  if (equal.title || equal.fragments.length > 0) return 1;
  return Math.max(passages[0]?.similarity ?? 0, variant);
}

function byScoreThenId(a: DocumentHits, b: DocumentHits): number {
  const [first, second] = [scoreOf(a), scoreOf(b)];
  if (first !== second) return second - first;
  return a.document.document.id < b.document.document.id ? -1 : 1;
}
