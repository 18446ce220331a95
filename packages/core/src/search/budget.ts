import {
  DOCUMENT_COMPARISONS_MAX,
  QUERY_COUNTS_MAX,
  SEARCH_COMPLETIONS_MAX,
  SEARCH_POSTINGS_MAX,
} from "../model/limits.ts";

/** The most that one search may work, in counted operations. */
export interface SearchBudget {
  readonly postings: number;
  readonly completions: number;
  /** For each document that is returned. */
  readonly comparisonsOfDocument: number;
  /** For counting all documents found. */
  readonly counts: number;
  /** Operations of all kinds between two yields. */
  readonly step: number;
}

/** Takes well below a millisecond. A question of a few words to a small bot never yields. */
const STEP_OPERATIONS = 16_384;

/** The default budget of a search. */
export const SEARCH_BUDGET: SearchBudget = {
  postings: SEARCH_POSTINGS_MAX,
  completions: SEARCH_COMPLETIONS_MAX,
  comparisonsOfDocument: DOCUMENT_COMPARISONS_MAX,
  counts: QUERY_COUNTS_MAX,
  step: STEP_OPERATIONS,
};

/** Operations counted for reading a passage: about the time of comparing this number of terms. */
export const PASSAGE_OPERATIONS = 64;

/** Passages that are compared at least, in a document that has more than its budget allows. */
const PASSAGES_OF_DOCUMENT_MIN = 32;

/** Counts the operations of a search, and says what its budget still allows. */
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

  /** Operations of all kinds, over all searches. */
  get operations(): number {
    return this.#operations;
  }

  /** Counts operations of any kind. Returns true if the search should yield now. */
  shouldYield(operations: number): boolean {
    this.#operations += operations;
    this.#sinceYield += operations;
    if (this.#sinceYield < this.#budget.step) return false;
    this.#sinceYield = 0;
    return true;
  }

  /** Starts the budget of another search. */
  begin(): void {
    this.#postings = 0;
    this.#completions = 0;
    this.#comparisons = 0;
  }

  /**
   * Returns true if this number of postings may still be read, and then counts them. The first list is always allowed: it is that of the rarest term.
   * Once a list is refused, the caller reads none of the more common terms after it.
   * Passages that hold only these terms are not found. All others have their whole score.
   */
  mayRead(postings: number): boolean {
    if (this.#postings > 0 && this.#postings + postings > this.#budget.postings) return false;
    this.#postings += postings;
    return true;
  }

  /** Returns how many of these passages may be completed, at least 1, and counts them. Each may lack up to `terms` terms. */
  completionsOf(passages: number, terms: number): number {
    const cost = PASSAGE_OPERATIONS + terms;
    const count = Math.min(passages, Math.max(1, Math.floor((this.#budget.completions - this.#completions) / cost)));
    this.#completions += count * cost;
    return count;
  }

  /** Number of passages that may be scored to count all documents found. Each has up to `terms` terms. */
  countsOf(terms: number): number {
    return Math.floor(this.#budget.counts / (PASSAGE_OPERATIONS + terms));
  }

  /**
   * Returns how many passages of a document may be compared with a question of `terms` terms, and counts them.
   * Each document has the same share, whatever else is found. So its quotes depend on the question and the document alone.
   */
  comparisonsOf(passages: number, terms: number): number {
    const cost = PASSAGE_OPERATIONS + terms;
    const share = Math.floor(this.#budget.comparisonsOfDocument / cost);
    const count = Math.min(passages, Math.max(PASSAGES_OF_DOCUMENT_MIN, share));
    this.#comparisons += count * cost;
    return count;
  }
}
