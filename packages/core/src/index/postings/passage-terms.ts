import { pieceBit } from "./occurrences.ts";

/**
 * The distinct terms of one passage, in the order in which they came, counted in arrays over all terms of the index: they are
 * asked for every word of every passage, which a map would take several times as long for. Used for one passage after the other.
 */
export class PassageTerms {
  /** By number of the term; zero between passages. */
  #units = new Uint32Array(1_024);
  #pieces = new Uint32Array(1_024);
  readonly #met: number[] = [];

  /** How many there are. */
  get count(): number {
    return this.#met.length;
  }

  /** One more occurrence, which counts `unit` (above 0); in a piece that can be quoted, from 0, or in none (below 0). */
  add(term: number, unit: number, piece: number): void {
    if (term >= this.#units.length) this.#grow(term);
    const before = this.#units[term] as number;
    if (before === 0) this.#met.push(term);
    this.#units[term] = before + unit;
    if (piece >= 0) this.#pieces[term] = (this.#pieces[term] as number) | pieceBit(piece);
  }

  /** Hands out every term with its units and its pieces, and forgets them. */
  take(visit: (term: number, units: number, pieces: number) => void): void {
    for (const term of this.#met) {
      const [units, pieces] = [this.#units[term] as number, this.#pieces[term] as number];
      this.#units[term] = 0;
      this.#pieces[term] = 0;
      visit(term, units, pieces);
    }
    this.#met.length = 0;
  }

  /** Forgets them. */
  clear(): void {
    for (const term of this.#met) {
      this.#units[term] = 0;
      this.#pieces[term] = 0;
    }
    this.#met.length = 0;
  }

  #grow(term: number): void {
    const length = Math.max(term + 1, this.#units.length * 2);
    const [units, pieces] = [new Uint32Array(length), new Uint32Array(length)];
    units.set(this.#units);
    pieces.set(this.#pieces);
    [this.#units, this.#pieces] = [units, pieces];
  }
}
