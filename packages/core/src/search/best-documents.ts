import type { IndexedDocument } from "../index/indexed-document.ts";
import { must } from "../model/must.ts";
import type { Allowed } from "./allowed-documents.ts";

/** A document with the score that ranks it. */
export interface Ranked {
  readonly document: IndexedDocument;
  readonly score: number;
}

/**
 * Keeps the best `count` of the documents offered, highest score first, ties by id.
 * The filter is checked only for documents that would be taken, and before they displace another.
 */
export class BestDocuments {
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

  /** The least score that a document needs to be taken; 0 until `count` documents are kept. */
  get threshold(): number {
    return this.#ranked[this.#count - 1]?.score ?? 0;
  }

  /** Each document may be offered once. */
  offer(document: IndexedDocument, score: number): void {
    const last = this.#ranked.at(-1);
    if (last !== undefined && this.#ranked.length === this.#count && !isBefore({ document, score }, last)) return;
    if (this.#allowed !== undefined && !this.#allowed.has(document.slot)) return;
    let low = 0;
    let high = this.#ranked.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(must(this.#ranked[middle], "a document that is kept"), { document, score })) low = middle + 1;
      else high = middle;
    }
    this.#ranked.splice(low, 0, { document, score });
    if (this.#ranked.length > this.#count) this.#ranked.pop();
  }
}

/** True if `a` ranks before `b`. */
export function isBefore(a: Ranked, b: Ranked): boolean {
  return a.score > b.score || (a.score === b.score && a.document.document.id < b.document.document.id);
}
