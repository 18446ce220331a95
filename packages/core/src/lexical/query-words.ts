import type { GrowingUint32 } from "./growing-array.ts";
import type { WeightedQuery } from "./weighted-query.ts";

/** The terms of passages and how they hold them, one passage after the other; a passage begins at `starts[ordinal]`. */
export interface ForwardLists {
  readonly starts: GrowingUint32;
  readonly terms: GrowingUint32;
  /** See `occurrences.ts`. */
  readonly words: GrowingUint32;
}

/**
 * How single passages hold the terms of a query: one walk over a passage's terms, however many terms the query has.
 * It remembers the last query.
 */
export class QueryWords {
  #query: WeightedQuery | undefined;
  /** By term: its place in the query + 1, or 0. */
  #places = new Uint16Array(0);
  #found = new Uint32Array(0);

  /** By the place of the term in the query. The array is used again by the next call. */
  of(query: WeightedQuery, { starts, terms, words }: ForwardLists, ordinal: number): Uint32Array {
    if (query !== this.#query) this.#take(query);
    const found = this.#found;
    found.fill(0);
    const places = this.#places;
    const stop = starts.get(ordinal + 1);
    for (let at = starts.get(ordinal); at < stop; at++) {
      const place = places[terms.get(at)] ?? 0;
      if (place > 0) found[place - 1] = words.get(at);
    }
    return found;
  }

  #take(query: WeightedQuery): void {
    for (const { term } of this.#query?.terms ?? []) this.#places[term] = 0;
    const highest = query.terms.reduce((most, { term }) => Math.max(most, term), 0);
    if (highest >= this.#places.length) {
      const places = new Uint16Array(Math.ceil((highest + 1) * 1.5));
      this.#places = places;
    }
    for (const [i, { term }] of query.terms.entries()) this.#places[term] = i + 1;
    this.#found = new Uint32Array(query.terms.length);
    this.#query = query;
  }
}
