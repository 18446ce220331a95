import type { CloseTerm } from "./close-terms.ts";
import type { GrowingUint32 } from "./growing-array.ts";
import { together } from "./occurrences.ts";
import type { QueryTerm, WeightedQuery } from "./weighted-query.ts";

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
  /** By term: its number among those that are looked for + 1, or 0. */
  #wanted = new Uint16Array(0);
  /** By that number: the place in the query, and what an occurrence counts. */
  #places: number[] = [];
  #shares: number[] = [];
  /** The next number of the same term, which may stand for several of the query; 0 for none. */
  #others: number[] = [];
  #found = new Uint32Array(0);

  /** By the place of the term in the query. The array is used again by the next call. */
  of(query: WeightedQuery, { starts, terms, words }: ForwardLists, ordinal: number): Uint32Array {
    if (query !== this.#query) this.#take(query);
    const found = this.#found;
    found.fill(0);
    const wanted = this.#wanted;
    const stop = starts.get(ordinal + 1);
    for (let at = starts.get(ordinal); at < stop; at++) {
      for (let number = wanted[terms.get(at)] ?? 0; number > 0; number = this.#others[number - 1] ?? 0) {
        const place = this.#places[number - 1] ?? 0;
        found[place] = together(found[place] ?? 0, words.get(at), this.#shares[number - 1] ?? 1);
      }
    }
    return found;
  }

  #take(query: WeightedQuery): void {
    for (const { term } of (this.#query?.terms ?? []).flatMap(standIns)) this.#wanted[term] = 0;
    this.#places = [];
    this.#shares = [];
    this.#others = [];
    const highest = query.terms.flatMap(standIns).reduce((most, { term }) => Math.max(most, term), 0);
    if (highest >= this.#wanted.length) this.#wanted = new Uint16Array(Math.ceil((highest + 1) * 1.5));
    for (const [place, each] of query.terms.entries()) {
      for (const { term, share } of standIns(each)) {
        this.#others.push(this.#wanted[term] ?? 0);
        this.#wanted[term] = this.#places.push(place);
        this.#shares.push(share);
      }
    }
    this.#found = new Uint32Array(query.terms.length);
    this.#query = query;
  }
}

function standIns({ term, close }: QueryTerm): readonly CloseTerm[] {
  return close ?? [{ term, share: 1 }];
}
