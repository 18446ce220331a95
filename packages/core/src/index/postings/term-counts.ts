import { GrowingUint32 } from "../../platform/growing-array.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";

/** Terms that are counted in a slice; each passage counts as one more. A slice ends with a passage. */
const SLICE_TERMS = 2_048;

/** The terms of passages, by ordinal. */
export interface TermLists {
  /** Number of terms in all lists together. */
  readonly postings: number;
  /** The list of one passage. Valid until the next call. */
  read(ordinal: number): { readonly count: number; readonly terms: Uint32Array };
}

/** Passages of `[next, end)` that are yet to be counted. */
interface Owed {
  next: number;
  end: number;
  readonly sign: 1 | -1;
}

/**
 * Knows how many passages hold each term. A document enters or leaves at once, but counting its terms takes long: the count is owed, and done in
 * slices. Readers must finish {@link settle} first. Any caller may run the next slice, since all share one queue.
 */
export class TermCounts {
  /** By term: the number of passages that hold it. */
  readonly frequencies: GrowingUint32;
  readonly #lists: TermLists;
  #held: number;
  #postings: number;
  #owed: Owed[] = [];

  constructor(frequencies: Uint32Array, held: number, lists: TermLists) {
    this.frequencies = new GrowingUint32(frequencies);
    this.#held = held;
    this.#lists = lists;
    this.#postings = lists.postings;
  }

  /** A copy of the counts and of the owed passages, over lists of the same passages. Later changes do not show in it. */
  copy(lists: TermLists): TermCounts {
    const copy = new TermCounts(this.frequencies.view().slice(), this.#held, lists);
    copy.#postings = this.#postings;
    copy.#owed = this.#owed.map((owed) => ({ ...owed }));
    return copy;
  }

  /** Number of terms that some passage holds, as far as they are counted. */
  get held(): number {
    return this.#held;
  }
  /** Number of terms of all live passages, as far as they are counted. */
  get postings(): number {
    return this.#postings;
  }

  /** Owes the count of the passages of `[first, end)`: they are added (1) or taken off (-1). */
  owe(first: number, end: number, sign: 1 | -1): void {
    const last = this.#owed.at(-1);
    // Passages are mostly removed one after the other.
    if (last?.sign === sign && last.end === first) last.end = end;
    else if (first < end) this.#owed.push({ next: first, end, sign });
  }

  /** Counts all owed passages, including those that are owed meanwhile. */
  *settle(): Sliced<void> {
    while (this.#step()) yield;
  }

  /** Runs one slice. Returns whether more is owed. Passages are counted in the order in which they were owed, so that no count falls below 0. */
  #step(): boolean {
    let left = SLICE_TERMS;
    for (let owed = this.#owed[0]; owed !== undefined; owed = this.#owed[0]) {
      while (owed.next < owed.end) {
        if (left <= 0) return true;
        left -= 1 + this.#count(owed.next++, owed.sign);
      }
      this.#owed.shift();
    }
    return false;
  }

  /** Counts the terms of a passage. Returns their number. */
  #count(ordinal: number, sign: 1 | -1): number {
    const { count, terms } = this.#lists.read(ordinal);
    for (let i = 0; i < count; i++) {
      const term = terms[i] as number;
      const before = this.frequencies.get(term);
      this.frequencies.set(term, before + sign);
      if (before === 0) this.#held++;
      else if (before + sign === 0) this.#held--;
    }
    this.#postings += sign * count;
    return count;
  }
}
