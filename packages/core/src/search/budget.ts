import { DOCUMENT_COMPARISONS_MAX, SEARCH_COMPLETIONS_MAX, SEARCH_POSTINGS_MAX } from "../model/limits.ts";

/** What one search may work, in operations. */
export interface SearchBudget {
  readonly postings: number;
  readonly completions: number;
  /** For each document that it returns. */
  readonly comparisonsOfDocument: number;
  /** Of all kinds together: so many make a step, after which others may have their turn. */
  readonly step: number;
}

/** Well below a millisecond: a question of a few words to a small bot is answered in one step. */
const STEP_OPERATIONS = 16_384;

export const SEARCH_BUDGET: SearchBudget = {
  postings: SEARCH_POSTINGS_MAX,
  completions: SEARCH_COMPLETIONS_MAX,
  comparisonsOfDocument: DOCUMENT_COMPARISONS_MAX,
  step: STEP_OPERATIONS,
};

/** Reading a passage takes as long as comparing about so many terms. */
export const PASSAGE_OPERATIONS = 64;

/** Of a document that has more passages than may be compared, at least so many are. */
const PASSAGES_OF_DOCUMENT_MIN = 32;

/** What a search has worked, counted as it goes, and what it may still. */
export class Effort {
  readonly #budget: SearchBudget;
  #postings = 0;
  #completions = 0;
  #comparisons = 0;
  #operations = 0;
  #sinceYield = 0;

  constructor(budget: SearchBudget = SEARCH_BUDGET) {
    this.#budget = budget;
  }

  get spent(): { readonly postings: number; readonly completions: number; readonly comparisons: number } {
    return { postings: this.#postings, completions: this.#completions, comparisons: this.#comparisons };
  }

  /** Operations of all kinds and all searches. */
  get operations(): number {
    return this.#operations;
  }

  /** Counts operations of any kind, and tells whether they are enough for a step: then others may have their turn. */
  shouldYield(operations: number): boolean {
    this.#operations += operations;
    this.#sinceYield += operations;
    if (this.#sinceYield < this.#budget.step) return false;
    this.#sinceYield = 0;
    return true;
  }

  /** Another search begins. */
  begin(): void {
    this.#postings = 0;
    this.#completions = 0;
    this.#comparisons = 0;
  }

  /**
   * Whether so many more postings may be read; then they count. The first list always may: it is that of the rarest term. Where one may not, all after it,
   * of more common words, are not read either: passages that hold only these are not found, all others have their whole score.
   */
  mayRead(postings: number): boolean {
    if (this.#postings > 0 && this.#postings + postings > this.#budget.postings) return false;
    this.#postings += postings;
    return true;
  }

  /** How many of these passages may be made whole, with so many terms that may be missing of each. They count. */
  completionsOf(passages: number, terms: number): number {
    const cost = PASSAGE_OPERATIONS + terms;
    const count = Math.min(passages, Math.max(1, Math.floor((this.#budget.completions - this.#completions) / cost)));
    this.#completions += count * cost;
    return count;
  }

  /**
   * How many passages of a document may be compared with a question of that number of terms. Each document has the same share, whatever else
   * is found: its quotes depend on the question and the document alone.
   */
  comparisonsOf(passages: number, terms: number): number {
    const cost = PASSAGE_OPERATIONS + terms;
    const share = Math.floor(this.#budget.comparisonsOfDocument / cost);
    const count = Math.min(passages, Math.max(PASSAGES_OF_DOCUMENT_MIN, share));
    this.#comparisons += count * cost;
    return count;
  }
}
