import type { CloseTerm } from "./close-terms.ts";
import type { ForwardLists } from "./forward-lists.ts";
import { together } from "./occurrences.ts";
import type { QueryTerm, WeightedQuery } from "./weighted-query.ts";

/**
 * Finds how single passages hold the terms of a query: one walk over a passage's terms, however many terms the query has. Remembers the last query.
 * In bounds: {@link QueryWords.#take} numbers the wanted terms, and gives each number an entry in every array.
 */
export class QueryWords {
  #query: WeightedQuery | undefined;
  /** By term: its number among the wanted terms plus one, or 0. */
  #wanted = new Uint16Array(0);
  /** By that number: the place in the query, and the share of one occurrence. */
  #places: number[] = [];
  #shares: number[] = [];
  /** The next number of the same term, which may stand for several of the query; 0 for none. */
  #others: number[] = [];
  #found = new Uint32Array(0);

  /** How a passage holds each term, by the term's place in the query. The next call reuses the array. */
  of(query: WeightedQuery, forward: ForwardLists, ordinal: number): Uint32Array {
    if (query !== this.#query) this.#take(query);
    this.#found.fill(0);
    forward.visitWanted(ordinal, this.#wanted, this.#meet);
    return this.#found;
  }

  readonly #meet = (first: number, word: number): void => {
    const found = this.#found;
    for (let number = first; number > 0; number = this.#others[number - 1] as number) {
      const place = this.#places[number - 1] as number;
      found[place] = together(found[place] as number, word, this.#shares[number - 1] as number);
    }
  };

  #take(query: WeightedQuery): void {
    // All memory is taken before anything changes.
    const highest = query.terms.flatMap(standIns).reduce((most, { term }) => Math.max(most, term), 0);
    const grown = highest < this.#wanted.length ? undefined : new Uint16Array(Math.ceil((highest + 1) * 1.5));
    const found = new Uint32Array(query.terms.length);
    if (grown === undefined)
      for (const { term } of (this.#query?.terms ?? []).flatMap(standIns)) this.#wanted[term] = 0;
    else this.#wanted = grown;
    this.#places = [];
    this.#shares = [];
    this.#others = [];
    for (const [place, each] of query.terms.entries()) {
      for (const { term, share } of standIns(each)) {
        this.#others.push(this.#wanted[term] as number);
        this.#wanted[term] = this.#places.push(place);
        this.#shares.push(share);
      }
    }
    this.#found = found;
    this.#query = query;
  }
}

function standIns({ term, close }: QueryTerm): readonly CloseTerm[] {
  return close ?? [{ term, share: 1 }];
}
