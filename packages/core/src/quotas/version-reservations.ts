import { must } from "../model/must.ts";

/**
 * Reserves the growth of articles, or of imported documents, by writes in flight: in characters or in bytes.
 *
 * Invariant: each article counts with the largest of its versions, durable or in flight. So a quota that admits all writes in flight
 * is not exceeded, whichever of them fail. A write that makes an article smaller frees quota when it is durable.
 */
export class VersionReservations {
  readonly #durable: (id: string) => number;
  readonly #articles = new Map<string, { readonly inFlight: number[]; above: number }>();
  #total = 0;

  /** @param durable size of an article's durable version; 0 if there is none */
  constructor(durable: (id: string) => number) {
    this.#durable = durable;
  }

  /** Sum of the reservations of all writes in flight. */
  get total(): number {
    return this.#total;
  }

  /** Additional reservation for a version of this size. */
  growth(id: string, size: number): number {
    return Math.max(0, size - this.#durable(id) - (this.#articles.get(id)?.above ?? 0));
  }

  /**
   * Reserves a version of an article; 0 for its removal.
   * @returns a function that gives exactly this back. Call it once: when the write is durable and applied, or when it has failed
   */
  reserve(id: string, size: number): () => void {
    let article = this.#articles.get(id);
    if (article === undefined) {
      article = { inFlight: [], above: 0 };
      this.#articles.set(id, article);
    }
    const { inFlight } = article;
    const growth = this.growth(id, size);
    inFlight.push(size);
    article.above += growth;
    this.#total += growth;
    return () => {
      inFlight.splice(inFlight.indexOf(size), 1);
      this.#settle(id);
    };
  }

  #settle(id: string): void {
    const article = must(this.#articles.get(id), "the reservations of an article");
    let largest = 0;
    for (const size of article.inFlight) largest = Math.max(largest, size);
    const above = Math.max(0, largest - this.#durable(id));
    this.#total += above - article.above;
    article.above = above;
    if (article.inFlight.length === 0) this.#articles.delete(id);
  }
}
