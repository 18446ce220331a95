import type { CloseTerm } from "./close-terms.ts";
import { FREQUENCY_MAX, frequencyOf, sharedFrequency } from "./occurrences.ts";
import type { Postings } from "./postings.ts";
import type { QueryTerm, WeightedQuery } from "./weighted-query.ts";

/** Postings of one term that are read in the time of one that counts as one with others. */
const CLOSE_POSTING_OPERATIONS = 8;

/**
 * The scores of one query as they grow, term by term, the heaviest term first. Whoever drives it stops adding terms as
 * soon as the rest can no longer bring a new passage among the best, and completes only those still in question: the
 * long lists of common words are then never read (MaxScore; Turtle and Flood 1995, "Query Evaluation: Strategies and Optimizations").
 */
export class Scoring {
  readonly #query: WeightedQuery;
  readonly #postings: Postings;
  readonly #norms: Float64Array;
  readonly #scores: Float64Array;
  readonly #touched: Uint32Array;
  /** How a passage holds each term of the query. */
  readonly #wordsIn: (ordinal: number) => Uint32Array;
  #touchedCount = 0;
  #nextTerm = 0;
  #remaining: number;

  constructor(
    query: WeightedQuery,
    postings: Postings,
    norms: Float64Array,
    scores: Float64Array,
    touched: Uint32Array,
    wordsIn: (ordinal: number) => Uint32Array,
  ) {
    this.#query = query;
    this.#postings = postings;
    this.#norms = norms;
    this.#scores = scores;
    this.#touched = touched;
    this.#wordsIn = wordsIn;
    this.#remaining = query.terms.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Whether terms are left to add. */
  get hasNext(): boolean {
    return this.#nextTerm < this.#query.terms.length;
  }

  /** Passages that hold the next term. */
  get nextFrequency(): number {
    return this.#query.terms[this.#nextTerm]?.frequency ?? 0;
  }

  /** What it takes to add the next term: the postings that are read, of several terms that count as one {@link CLOSE_POSTING_OPERATIONS} each. */
  get nextPostings(): number {
    const { frequency = 0, close } = this.#query.terms[this.#nextTerm] ?? {};
    return close === undefined ? frequency : frequency * CLOSE_POSTING_OPERATIONS;
  }

  /** Terms that have not been added. */
  get termsLeft(): number {
    return this.#query.terms.length - this.#nextTerm;
  }

  /** More than this no passage can still gain. */
  get remainingMax(): number {
    return this.#remaining;
  }

  /** Passages with a score so far. */
  get touchedCount(): number {
    return this.#touchedCount;
  }

  /** Adds the next term to all passages that hold it. */
  addTerm(): void {
    const next = this.#query.terms[this.#nextTerm++];
    if (next === undefined) return;
    this.#remaining -= next.weight;
    if (next.close !== undefined) {
      this.#addClose(next, next.close);
      return;
    }
    this.#touchedCount = this.#postings.accumulate(
      next.term,
      next.weight,
      this.#norms,
      this.#scores,
      this.#touched,
      this.#touchedCount,
    );
  }

  /** The same for terms that are counted as one: their frequencies in a passage are added up before they gain anything. */
  #addClose({ weight }: QueryTerm, close: readonly CloseTerm[]): void {
    const frequencies = new Map<number, number>();
    for (const { term, share } of close) {
      this.#postings.forEach(term, (ordinal, frequency) => {
        const sum = (frequencies.get(ordinal) ?? 0) + sharedFrequency(frequency, share);
        frequencies.set(ordinal, Math.min(sum, FREQUENCY_MAX));
      });
    }
    for (const [ordinal, frequency] of frequencies) {
      const gain = (weight * frequency) / (frequency + (this.#norms[ordinal] ?? Number.POSITIVE_INFINITY));
      if (gain === 0) continue;
      const before = this.#scores[ordinal] ?? 0;
      if (before === 0) this.#touched[this.#touchedCount++] = ordinal;
      this.#scores[ordinal] = before + gain;
    }
  }

  /** The `i`-th passage with a score. */
  ordinalAt(i: number): number {
    return this.#touched[i] ?? 0;
  }

  /** Its score so far. */
  partial(ordinal: number): number {
    return this.#scores[ordinal] ?? 0;
  }

  /** Its whole score, the terms not added included. */
  complete(ordinal: number): number {
    let score = this.#scores[ordinal] ?? 0;
    if (!this.hasNext) return score;
    const norm = this.#norms[ordinal] ?? Number.POSITIVE_INFINITY;
    const words = this.#wordsIn(ordinal);
    for (let i = this.#nextTerm; i < this.#query.terms.length; i++) {
      const next = this.#query.terms[i];
      if (next === undefined) break;
      const frequency = frequencyOf(words[i] ?? 0);
      if (frequency > 0) score += (next.weight * frequency) / (frequency + norm);
    }
    return score;
  }

  /** Must be called at the end: the next query uses the same memory. */
  close(): void {
    for (let i = 0; i < this.#touchedCount; i++) this.#scores[this.#touched[i] ?? 0] = 0;
    this.#touchedCount = 0;
  }
}
