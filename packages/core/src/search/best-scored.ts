import type { SearchIndex } from "../index/search-index.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./allowed-documents.ts";
import { BestDocuments } from "./best-documents.ts";

/** Documents offered between two yields. */
export const SLICE_DOCUMENTS = 1_024;

/** The best `count` allowed documents by `index.scores`. */
export function* bestOf(index: SearchIndex, allowed: Allowed, count: number): Sliced<BestDocuments> {
  const { scores, documents } = index;
  const best = new BestDocuments(count, allowed);
  const offer = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const slot = scores.slotAt(i);
      const document = documents.at(slot);
      if (document !== undefined) best.offer(document, scores.scoreOf(slot));
    }
  };
  if (scores.count <= SLICE_DOCUMENTS) offer(0, scores.count);
  else yield* inPortions(scores.count, SLICE_DOCUMENTS, offer);
  return best;
}
