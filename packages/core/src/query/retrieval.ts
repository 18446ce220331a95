import { SIMILARITY_INEXACT_MAX } from "../limits.ts";
import type { Allowed } from "./filters.ts";
import type { IndexedDocument } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { SearchIndex } from "./search-index.ts";

/** A passage (or title) with its similarity to the query. */
export interface Hit {
  readonly ordinal: number;
  readonly similarity: number;
}

/** A document with its hits. */
export interface DocumentHits {
  readonly document: IndexedDocument;
  /** The highest similarity of its hits; 1 for an exact match. */
  readonly best: number;
  readonly hits: readonly Hit[];
}

/**
 * Below this a match says nothing: the passage shares so little of the query's weight that any text would.
 * A share of BM25's upper bound.
 */
export const RELEVANCE_FLOOR = 0.03;

/**
 * The best `count` documents that are allowed, each with all its hits above the floor, best first, ties by id.
 * A document that equals the query is among them whatever its words weigh.
 */
export function retrieve(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): DocumentHits[] {
  const ordinals: number[] = [];
  const similarities: number[] = [];
  const bestBySlot = new Map<number, number>();
  const { upperBound } = query.lexical;
  index.lexical.forEachScore(query.lexical, (ordinal, score) => {
    const similarity = Math.min(score / upperBound, SIMILARITY_INEXACT_MAX);
    if (similarity < RELEVANCE_FLOOR) return;
    ordinals.push(ordinal);
    similarities.push(similarity);
    const slot = index.slotOf(ordinal);
    if (similarity > (bestBySlot.get(slot) ?? 0)) bestBySlot.set(slot, similarity);
  });
  for (const exact of index.exactMatches(query)) bestBySlot.set(exact.slot, 1);

  const chosen = bestDocuments(index, bestBySlot, allowed, count);
  const hitsBySlot = new Map<number, Hit[]>(chosen.map(({ slot }) => [slot, []]));
  for (const [i, ordinal] of ordinals.entries()) {
    hitsBySlot.get(index.slotOf(ordinal))?.push({ ordinal, similarity: similarities[i] ?? 0 });
  }
  return chosen.map((document) => ({
    document,
    best: bestBySlot.get(document.slot) ?? 0,
    hits: hitsBySlot.get(document.slot) ?? [],
  }));
}

/** The best documents in order. The filter is asked only for documents that would be taken. */
function bestDocuments(
  index: SearchIndex,
  bestBySlot: ReadonlyMap<number, number>,
  allowed: Allowed,
  count: number,
): IndexedDocument[] {
  const best: { readonly document: IndexedDocument; readonly score: number }[] = [];
  for (const [slot, score] of bestBySlot) {
    const document = index.documentAt(slot);
    if (document === undefined) continue;
    const last = best.at(-1);
    const isFull = best.length === count;
    if (isFull && last !== undefined && !isBefore(score, document, last.score, last.document)) continue;
    if (allowed !== undefined && !allowed(document.document)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = best[middle];
      if (other !== undefined && isBefore(other.score, other.document, score, document)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, { document, score });
    if (best.length > count) best.pop();
  }
  return best.map((entry) => entry.document);
}

function isBefore(score: number, document: IndexedDocument, otherScore: number, other: IndexedDocument): boolean {
  return score > otherScore || (score === otherScore && document.document.id < other.document.id);
}
