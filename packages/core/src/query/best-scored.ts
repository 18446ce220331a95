import { inPortions, type Steps } from "../runtime/steps.ts";
import type { Allowed } from "./allowed.ts";
import { BestDocuments } from "./best-documents.ts";
import type { SearchIndex } from "./search-index.ts";

/** So many documents are offered in a step. */
export const STEP_DOCUMENTS = 1_024;

/** The best documents by what `index.scores` holds. */
export function* bestOf(index: SearchIndex, allowed: Allowed, count: number): Steps<BestDocuments> {
  const { scores, documents } = index;
  const best = new BestDocuments(count, allowed);
  const offer = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const slot = scores.slotAt(i);
      const document = documents.at(slot);
      if (document !== undefined) best.offer(document, scores.scoreOf(slot));
    }
  };
  if (scores.count <= STEP_DOCUMENTS) offer(0, scores.count);
  else yield* inPortions(scores.count, STEP_DOCUMENTS, offer);
  return best;
}
