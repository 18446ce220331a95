import { fragmentBit } from "./occurrences.ts";

/**
 * The distinct terms of one passage, in the order in which they came, counted in arrays over all terms of the index: they are
 * asked for every word of every passage, which a map would take several times as long for. Used for one passage after the other.
 */
export class PassageTerms {
  /** By number of the term; zero between passages. */
  #units = new Uint32Array(1_024);
  #fragments = new Uint32Array(1_024);
  readonly #met: number[] = [];

  /** How many there are. */
  get count(): number {
    return this.#met.length;
  }

  /** One more occurrence, which counts `unit` (above 0); in a piece that can be quoted, from 0, or in none (below 0). */
  add(term: number, unit: number, fragment: number): void {
    if (term >= this.#units.length) this.#grow(term);
    const before = this.#units[term] as number;
    if (before === 0) this.#met.push(term);
    this.#units[term] = before + unit;
    if (fragment >= 0) this.#fragments[term] = (this.#fragments[term] as number) | fragmentBit(fragment);
  }

  /** Hands out every term with its units and its pieces, and forgets them. */
  take(visit: (term: number, units: number, fragments: number) => void): void {
    for (const term of this.#met) {
      const [units, fragments] = [this.#units[term] as number, this.#fragments[term] as number];
      this.#units[term] = 0;
      this.#fragments[term] = 0;
      visit(term, units, fragments);
    }
    this.#met.length = 0;
  }

  /** Forgets them. */
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
