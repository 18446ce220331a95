/**
 * By how much articles, or imported documents, can come to be larger, in characters or in bytes, when what is in flight becomes durable.
 *
 * Each of them counts with the largest of its versions, durable or in flight: so no outcome of the writes in flight,
 * whichever of them fail, takes them over a quota that had room for all of this. What a write takes away is free
 * when it is durable.
 */
export class VersionReservations {
  readonly #durable: (id: string) => number;
  readonly #articles = new Map<string, { readonly inFlight: number[]; above: number }>();
  #total = 0;

  /** @param durable size of an article's durable version; 0 if there is none */
  constructor(durable: (id: string) => number) {
    this.#durable = durable;
  }

  /** What is reserved for all writes in flight. */
  get total(): number {
    return this.#total;
  }

  /** How much more would be reserved with a version of this size. */
  growth(id: string, size: number): number {
    return Math.max(0, size - this.#durable(id) - (this.#articles.get(id)?.above ?? 0));
  }

  /**
   * Reserves a version of an article; 0 for its removal.
   * @returns gives back exactly this: to be called once, when the write is durable and applied or when it has failed
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
    const article = this.#articles.get(id);
    if (article === undefined) return;
    let largest = 0;
    for (const size of article.inFlight) largest = Math.max(largest, size);
    const above = Math.max(0, largest - this.#durable(id));
    this.#total += above - article.above;
    article.above = above;
    if (article.inFlight.length === 0) this.#articles.delete(id);
  }
}
