import type { Sliced } from "../../scheduling/time-slices.ts";
import { GrowingUint32 } from "./growing-array.ts";

/** Terms that are counted in a step, and passages without terms. A step ends with a passage. */
const SLICE_TERMS = 2_048;

/** The terms of passages, by ordinal. */
export interface TermLists {
  /** Terms of all lists together. */
  readonly postings: number;
  /** Those of one passage, until another is asked for. */
  read(ordinal: number): { readonly count: number; readonly terms: Uint32Array };
}

/** Passages of `[next, end)` that are still to be counted. */
interface Owed {
  next: number;
  end: number;
  readonly sign: 1 | -1;
}

/**
 * How many passages hold each term. A document comes or goes at once, but counting its terms takes long: that is owed, and done in steps. Whoever
 * reads the counts has {@link settle} finish first. Anyone may take the next step, for they share one queue.
 */
export class TermCounts {
  /** By term: passages that hold it. */
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

  /** The counts and what is owed, as they are now, of the same passages. What comes and goes later changes nothing of it. */
  copy(lists: TermLists): TermCounts {
    const copy = new TermCounts(this.frequencies.view().slice(), this.#held, lists);
    copy.#postings = this.#postings;
    copy.#owed = this.#owed.map((owed) => ({ ...owed }));
    return copy;
  }

  /** Terms that some passage holds, as far as they are counted. */
  get held(): number {
    return this.#held;
  }
  /** Terms of all passages that are there, as far as they are counted. */
  get postings(): number {
    return this.#postings;
  }

  /** The passages of `[first, end)` count from now on, or no more. */
  owe(first: number, end: number, sign: 1 | -1): void {
    const last = this.#owed.at(-1);
    // Passages are mostly taken out one after the other.
    if (last?.sign === sign && last.end === first) last.end = end;
    else if (first < end) this.#owed.push({ next: first, end, sign });
  }

  /** Counts what is owed, also what comes meanwhile. */
  *settle(): Sliced<void> {
    while (this.#step()) yield;
  }

  /** One step; whether more is owed. In the order in which it came, so that no count falls below 0. */
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

  /** Returns how many terms the passage has. */
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
