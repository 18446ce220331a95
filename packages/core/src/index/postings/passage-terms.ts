import { fragmentBit } from "./occurrences.ts";

/**
 * Collects the distinct terms of one passage, in the order of their first occurrences. Counts in arrays over all terms of the index: it is called
 * for every word of every passage, where a map would take several times as long. Reused for one passage after the other.
 */
export class PassageTerms {
  /** By number of the term; zero between passages. */
  #units = new Uint32Array(1_024);
  #fragments = new Uint32Array(1_024);
  readonly #met: number[] = [];

  /** Number of distinct terms. */
  get count(): number {
    return this.#met.length;
  }

  /** Adds an occurrence that counts `unit` (above 0) in frequency units. It lies in fragment `fragment` (from 0), or in none (below 0). */
  add(term: number, unit: number, fragment: number): void {
    if (term >= this.#units.length) this.#grow(term);
    const before = this.#units[term] as number;
    if (before === 0) this.#met.push(term);
    this.#units[term] = before + unit;
    if (fragment >= 0) this.#fragments[term] = (this.#fragments[term] as number) | fragmentBit(fragment);
  }

  /** Visits every term with its units and its fragments, and forgets all terms. */
  take(visit: (term: number, units: number, fragments: number) => void): void {
    for (const term of this.#met) {
      const [units, fragments] = [this.#units[term] as number, this.#fragments[term] as number];
      this.#units[term] = 0;
      this.#fragments[term] = 0;
      visit(term, units, fragments);
    }
    this.#met.length = 0;
  }

  /** Forgets all terms. */
  clear(): void {
    for (const term of this.#met) {
      this.#units[term] = 0;
      this.#fragments[term] = 0;
    }
    this.#met.length = 0;
  }

  #grow(term: number): void {
    const length = Math.max(term + 1, this.#units.length * 2);
    const [units, fragments] = [new Uint32Array(length), new Uint32Array(length)];
    units.set(this.#units);
    fragments.set(this.#fragments);
    [this.#units, this.#fragments] = [units, fragments];
  }
}
