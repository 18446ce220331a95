/**
 * The most characters that the articles can come to have when what is in flight becomes durable, above those they have.
 *
 * Each article counts with the longest of its versions, durable or in flight: so no outcome of the writes in flight,
 * whichever of them fail, takes the articles over a quota that had room for all of this. What a write takes away is free
 * when it is durable.
 */
export class CharacterReservations {
  readonly #durable: (id: string) => number;
  readonly #articles = new Map<string, { readonly inFlight: number[]; above: number }>();
  #total = 0;

  /** @param durable characters of an article's durable version; 0 if there is none */
  constructor(durable: (id: string) => number) {
    this.#durable = durable;
  }

  /** Characters reserved for all writes in flight. */
  get total(): number {
    return this.#total;
  }

  /** How many more would be reserved with a version of this length. */
  growth(id: string, characters: number): number {
    return Math.max(0, characters - this.#durable(id) - (this.#articles.get(id)?.above ?? 0));
  }

  /**
   * Reserves a version of an article; 0 characters for its removal.
   * @returns gives back exactly this: to be called once, when the write is durable and applied or when it has failed
   */
  reserve(id: string, characters: number): () => void {
    let article = this.#articles.get(id);
    if (article === undefined) {
      article = { inFlight: [], above: 0 };
      this.#articles.set(id, article);
    }
    const { inFlight } = article;
    const growth = this.growth(id, characters);
    inFlight.push(characters);
    article.above += growth;
    this.#total += growth;
    return () => {
      inFlight.splice(inFlight.indexOf(characters), 1);
      this.#settle(id);
    };
  }

  #settle(id: string): void {
    const article = this.#articles.get(id);
    if (article === undefined) return;
    let longest = 0;
    for (const characters of article.inFlight) longest = Math.max(longest, characters);
    const above = Math.max(0, longest - this.#durable(id));
    this.#total += above - article.above;
    article.above = above;
    if (article.inFlight.length === 0) this.#articles.delete(id);
  }
}
