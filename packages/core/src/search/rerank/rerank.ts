import type { SearchIndex } from "../../index/search-index.ts";
import type { Steps } from "../../scheduling/steps.ts";
import { meaningCounted } from "../fusion.ts";
import type { DocumentHits, Hit } from "../retrieval.ts";
import { type LookedPassages, lookAt, passagesToLookAt, type ThirdLook } from "./compared-passages.ts";
import { type AssumedCloseness, assumedCloseness, lookedAtScore } from "./reranked-score.ts";

/** So many of the best documents of two looks are looked at. */
export const DOCUMENTS_LOOKED_AT = 20;

/** Documents in the order of all looks. */
export interface RescoredDocuments {
  /** Best first, ties by id, with the similarities of all looks. */
  readonly documents: readonly DocumentHits[];
  /** What is taken for the closeness of those that were not looked at; undefined where there was no third look. */
  readonly assumed: AssumedCloseness | undefined;
}

/**
 * What two looks have found, in the order of all three. A document whose signs are not kept is taken for as close as the others are on the average; those beyond
 * the first {@link DOCUMENTS_LOOKED_AT} for as close as the least of these: how many are asked for changes nothing of the first ones.
 * @param found best first, ties by id
 */
export function* rescoredDocuments(
  index: SearchIndex,
  found: readonly DocumentHits[],
  look: ThirdLook,
): Steps<RescoredDocuments> {
  const looked: (LookedPassages | undefined)[] = [];
  const best = found.slice(0, DOCUMENTS_LOOKED_AT);
  for (const [i, count] of passagesToLookAt(best).entries()) {
    const document = best[i];
    if (document !== undefined) looked.push(yield* lookAt(index, document, count, look));
  }
  const assumed = assumedCloseness(looked.flatMap((passages, i) => closenessOfBest(found[i], passages)));
  if (assumed === undefined) return { documents: found, assumed };
  const { weight } = look.calibration;
  const documents = found.map((document, i) => {
    const passages = looked[i];
    if (passages !== undefined) return rescoredByLook(document, passages, weight);
    return rescoredBy(document, i < DOCUMENTS_LOOKED_AT ? assumed.usual : assumed.least, look);
  });
  return { documents: documents.sort(byScoreThenId), assumed };
}

/** How close what two looks hold for the best of a document is; nothing for one that equals the question, which is first whatever it is. */
function closenessOfBest(found: DocumentHits | undefined, looked: LookedPassages | undefined): number[] {
  if (found === undefined || looked === undefined || scoreOf(found) >= 1) return [];
  const best = found.passages[0];
  const isWording = found.wording > (best?.similarity ?? 0);
  const closeness = isWording ? closenessOfWording(found, looked) : looked.get(best?.ordinal ?? -1)?.closeness;
  return closeness === undefined ? [] : [closeness];
}

/** A question with its answer is as close as either: the answer's passages tell what the wording leaves open. */
function closenessOfWording({ bestWording }: DocumentHits, looked: LookedPassages): number {
  let closeness = looked.get(bestWording ?? -1)?.closeness ?? 0;
  for (const passage of looked.values()) closeness = Math.max(closeness, passage.closeness);
  return closeness;
}

/** A document with the similarities of all looks. Passages that were not looked at are taken for as close as the least of those that were. */
export function rescoredByLook(found: DocumentHits, looked: LookedPassages, weight: number): DocumentHits {
  const { passages, wording } = found;
  const wordingCloseness = closenessOfWording(found, looked);
  let least = Number.POSITIVE_INFINITY;
  for (const { ordinal } of passages) {
    least = Math.min(least, looked.get(ordinal)?.closeness ?? Number.POSITIVE_INFINITY);
  }
  const rescored = passages.map((hit): Hit => {
    const passage = looked.get(hit.ordinal);
    const similarity = lookedAtScore(hit.similarity, passage?.closeness ?? least, weight);
    return { ...hit, similarity, ...(passage === undefined ? {} : { look: { parts: passage.parts, weight } }) };
  });
  return {
    ...found,
    passages: rescored.sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal),
    wording: lookedAtScore(wording, wordingCloseness, weight),
    ...(looked.has(found.bestWording ?? -1) ? { wordingCloseness } : {}),
  };
}

/** The same for one closeness of all. */
export function rescoredBy(found: DocumentHits, closeness: number, look: ThirdLook): DocumentHits {
  const similarityOf = (similarity: number, ordinal: number): number =>
    lookedAtScore(similarity, closeness * meaningCounted(ordinal, look), look.calibration.weight);
  return {
    ...found,
    passages: found.passages.map((hit) => ({ ...hit, similarity: similarityOf(hit.similarity, hit.ordinal) })),
    wording: similarityOf(found.wording, found.bestWording ?? -1),
  };
}

/** The similarity that a document is shown with. */
export function scoreOf({ passages, wording, equal }: DocumentHits): number {
  if (equal.title || equal.pieces.length > 0) return 1;
  return Math.max(passages[0]?.similarity ?? 0, wording);
}

function byScoreThenId(a: DocumentHits, b: DocumentHits): number {
  const [first, second] = [scoreOf(a), scoreOf(b)];
  if (first !== second) return second - first;
  return a.document.document.id < b.document.document.id ? -1 : 1;
}
