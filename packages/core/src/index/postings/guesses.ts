import { SEARCH_GUESSES_MAX } from "../../model/limits.ts";

/** Comparing a word with a term letter by letter takes as long as so many looks at terms. */
const COMPARISON_LOOKS = 8;
/** So many are looked at in a step. */
export const SLICE_LOOKS = 16_384;

/**
 * How much is done for the words of one question that no passage holds, counted in looks at terms of the index. All of them share it: once it is spent, no further
 * word is begun.
 */
export class Guesses {
  readonly #max: number;
  #spent = 0;

  constructor(max: number = SEARCH_GUESSES_MAX) {
    this.#max = max;
  }

  get spent(): number {
    return this.#spent;
  }
  get areSpent(): boolean {
    return this.#spent >= this.#max;
  }
  looked(terms: number): void {
    this.#spent += terms;
  }
  compared(terms = 1): void {
    this.#spent += terms * COMPARISON_LOOKS;
  }
}
