import { SEARCH_GUESSES_MAX } from "../../model/limits.ts";

/** Checks of terms that take as long as comparing a word with a term letter by letter. */
const COMPARISON_LOOKS = 8;
/** Terms checked in a slice. */
export const SLICE_LOOKS = 16_384;

/**
 * The budget for the words of one question that no passage holds, counted in checks of index terms. All of these words share it. Once it is spent,
 * no further word is begun.
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
