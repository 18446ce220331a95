import { must } from "../../model/must.ts";
import { hasMoreBits } from "../../platform/letter-bits.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { type Guesses, SLICE_LOOKS } from "./guesses.ts";

/** Terms in one row for each letter at a certain place, with the letters of each term as bits. The data that is read of most terms lies side by side. */
export class TermsByLetter {
  /** By letter, a byte: number and letter bits of one term after the other. */
  readonly #rows: Uint32Array[] = [];
  readonly #used = new Uint32Array(256);
  #bytes = 0;

  /** A counter, since it is read after every question. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ensures that the next {@link add} to a letter asks for no memory. Returns its row. */
  reserve(letter: number): Uint32Array {
    const row = this.#rows[letter] ?? NO_TERMS;
    if (this.#used[letter] !== row.length) return row;
    const grown = new Uint32Array(Math.max(ROW_MIN, (row.length >>> 2) * 6));
    grown.set(row);
    this.#bytes += grown.byteLength - row.byteLength;
    this.#rows[letter] = grown;
    return grown;
  }

  add(letter: number, term: number, letters: number): void {
    const row = this.reserve(letter);
    const used = this.#used[letter] as number;
    row[used] = term;
    row[used + 1] = letters;
    this.#used[letter] = used + 2;
  }

  /**
   * Visits the terms with this letter that have at most `othersMax` letters outside `among`, and all letters of `wanted`. Sliced. Each term of the
   * letter counts as one check, and the letter as one more.
   */
  *forEach(
    letter: number,
    { among, othersMax, wanted = 0 }: { among: number; othersMax: number; wanted?: number },
    guesses: Guesses,
    visit: (term: number, letters: number) => void,
  ): Sliced<void> {
    const used = this.#used[letter] as number;
    guesses.looked(1 + used / 2);
    for (let from = 0; from < used; from += 2 * SLICE_LOOKS) {
      if (from > 0) yield;
      const row = must(this.#rows[letter], "the row of a letter that has terms");
      visitSome(row, from, Math.min(used, from + 2 * SLICE_LOOKS), ~among, othersMax, wanted, visit);
    }
  }
}

function visitSome(
  row: Uint32Array,
  from: number,
  to: number,
  others: number,
  othersMax: number,
  wanted: number,
  visit: (term: number, letters: number) => void,
): void {
  for (let at = from; at < to; at += 2) {
    const letters = row[at + 1] as number;
    if (!hasMoreBits(letters & others, othersMax) && (letters & wanted) === wanted) visit(row[at] as number, letters);
  }
}

const NO_TERMS = new Uint32Array(0);
const ROW_MIN = 64;
