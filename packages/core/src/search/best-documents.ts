import type { IndexedDocument } from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./filters/allowed-documents.ts";

/** A document with the score that ranks it. */
export interface Ranked {
  readonly document: IndexedDocument;
  readonly score: number;
}

/**
 * Keeps the best `count` of the documents offered, highest score first, ties by id.
 * The filter is checked only for documents that would be taken, and before they displace another.
 */
class BestDocuments {
  readonly #count: number;
  readonly #allowed: Allowed;
  readonly #ranked: Ranked[] = [];

  constructor(count: number, allowed: Allowed) {
    this.#count = count;
    this.#allowed = allowed;
  }

  /** Best first. */
  get ranked(): readonly Ranked[] {
    return this.#ranked;
  }

  /** Each document may be offered once. */
  offer(document: IndexedDocument, score: number): void {
    const offered = { document, score };
    const last = this.#ranked[this.#count - 1];
    if (last !== undefined && !isBefore(offered, last)) return;
    if (this.#allowed !== undefined && !this.#allowed.has(document.slot)) return;
    const at = this.#ranked.findIndex((other) => isBefore(offered, other));
    this.#ranked.splice(at < 0 ? this.#ranked.length : at, 0, offered);
    if (this.#ranked.length > this.#count) this.#ranked.pop();
  }
}

/** True if `a` ranks before `b`. */
export function isBefore(a: Ranked, b: Ranked): boolean {
  return a.score > b.score || (a.score === b.score && a.document.document.id < b.document.document.id);
}

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
