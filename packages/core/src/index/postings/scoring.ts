import { must } from "../../model/must.ts";
import type { PassageNorms } from "./bm25.ts";
import type { CloseTerm } from "./close-terms.ts";
import { FREQUENCY_MAX, sharedFrequency } from "./occurrences.ts";
import type { Postings } from "./postings.ts";
import type { ScoringMemory } from "./scoring-memory.ts";
import type { QueryTerm, WeightedQuery } from "./weighted-query.ts";

/** Cost of a posting of terms that count as one, in postings of a single term. */
const CLOSE_POSTING_OPERATIONS = 8;

/** Postings that are scanned in the time in which a term is looked up in a passage. */
const POSTINGS_A_LOOK_UP = 6;

/** Number of terms, the heaviest ones, whose upper bound is computed. Terms behind them are bounded by their whole weight. */
const BOUNDED_TERMS_MAX = 64;

const TERM = "the next term of a query";

/**
 * The partial scores of one query, which grow term by term, the heaviest term first (MaxScore; Turtle and Flood 1995, "Query Evaluation: Strategies
 * and Optimizations").
 *
 * The caller stops adding terms as soon as the remaining ones can no longer bring a new passage among the best. It then completes only the passages
 * still in question, so the long lists of common words are never read whole.
 *
 * In bounds: the memory has a place for each passage that searches see, and callers stay below {@link touchedCount} and {@link candidateCount}.
 */
export class Scoring {
  readonly #query: WeightedQuery;
  readonly #postings: Postings;
  readonly #norms: PassageNorms;
  readonly #memory: ScoringMemory;
  /** By term: upper bound of what it and all after it add to a passage; 0 after the last. */
  readonly #remaining: Float64Array;
  #touchedCount = 0;
  #nextTerm = 0;
  #candidateCount = 0;
  /** The first term that candidates still lack. */
  #nextOfCandidates = 0;

  constructor(query: WeightedQuery, postings: Postings, norms: PassageNorms, memory: ScoringMemory) {
    this.#query = query;
    this.#postings = postings;
    this.#norms = norms;
    this.#memory = memory;
    const { terms } = query;
    this.#remaining = new Float64Array(terms.length + 1);
    for (let i = terms.length - 1; i >= 0; i--) {
      const term = must(terms[i], TERM);
      const most = i < BOUNDED_TERMS_MAX && term.close === undefined ? postings.highestGain(term.term, norms) : 1;
      this.#remaining[i] = (this.#remaining[i + 1] as number) + term.weight * most;
    }
  }

  /** Whether terms are left to add. */
  get hasNext(): boolean {
    return this.#nextTerm < this.#query.terms.length;
  }

  get #next(): QueryTerm {
    return must(this.#query.terms[this.#nextTerm], TERM);
  }

  /** Number of passages that hold the next term. There must be one, as for the two below. */
  get nextFrequency(): number {
    return this.#next.frequency;
  }

  /** Cost of adding the next term, in postings. Where several terms count as one, each posting costs {@link CLOSE_POSTING_OPERATIONS}. */
  get nextPostings(): number {
    const { frequency, close } = this.#next;
    return close === undefined ? frequency : frequency * CLOSE_POSTING_OPERATIONS;
  }

  /** Number of terms that have not been added. */
  get termsLeft(): number {
    return this.#query.terms.length - this.#nextTerm;
  }

  /** Upper bound of what a passage can still gain, but for the last bits of the sum. */
  get remainingMax(): number {
    return this.#remaining[this.#nextTerm] as number;
  }

  /** Number of passages with a score so far. */
  get touchedCount(): number {
    return this.#touchedCount;
  }

  /** Adds the next term to all passages that hold it. */
  addTerm(): void {
    const next = this.#next;
    this.#nextTerm++;
    if (next.close !== undefined) {
      this.#addClose(next, next.close);
      return;
    }
    const { scores, touched, risen } = this.#memory;
    this.#touchedCount = this.#postings.accumulate(
      next.term,
      next.weight,
      this.#norms,
      scores,
      touched,
      this.#touchedCount,
      risen,
    );
  }

  /**
   * {@link addTerm} for terms that count as one: their frequencies in a passage are added up before they gain anything. Passages that were staged
   * after the scoring began may lie beyond the memory: their frequency stays 0.
   */
  #addClose({ weight }: QueryTerm, close: readonly CloseTerm[]): void {
    const { scores, counts, touched, risen } = this.#memory;
    const norms = this.#norms;
    const count = (ordinal: number, frequency: number): void => {
      counts[ordinal] = Math.min((counts[ordinal] ?? 0) + frequency, FREQUENCY_MAX);
    };
    for (const { term, share } of close) {
      this.#postings.forEach(term, (ordinal, frequency) => count(ordinal, sharedFrequency(frequency, share)));
    }
    for (const { term } of close) {
      this.#postings.forEach(term, (ordinal) => {
        const frequency = counts[ordinal] ?? 0;
        if (frequency === 0) return;
        counts[ordinal] = 0;
        const gain = (weight * frequency) / (frequency + norms.of(ordinal));
        if (gain === 0) return;
        const before = scores[ordinal] as number;
        if (before === 0) touched[this.#touchedCount++] = ordinal;
        const score = before + gain;
        scores[ordinal] = score;
        if (score > risen.least) risen.add(ordinal);
      });
    }
  }

  /** Passages with a score so far. The view holds until the next term is added. */
  get touched(): Uint32Array {
    return this.#memory.touched.subarray(0, this.#touchedCount);
  }

  /** By ordinal: the scores so far. */
  get scores(): Float64Array {
    return this.#memory.scores;
  }

  /** The `i`-th passage with a score. */
  ordinalAt(i: number): number {
    return this.#memory.touched[i] as number;
  }

  /** The score of a passage so far. */
  partial(ordinal: number): number {
    return this.#memory.scores[ordinal] as number;
  }

  /** The whole score of a passage, terms that are not added yet included. Once there are candidates, only valid for these. */
  complete(ordinal: number): number {
    let score = this.partial(ordinal);
    const { terms } = this.#query;
    const next = Math.max(this.#nextTerm, this.#nextOfCandidates);
    if (next === terms.length) return score;
    const norm = this.#norms.of(ordinal);
    for (let i = next; i < terms.length; i++) {
      const term = must(terms[i], TERM);
      const frequency = this.#frequencyIn(term, ordinal);
      if (frequency > 0) score += (term.weight * frequency) / (frequency + norm);
    }
    return score;
  }

  #frequencyIn({ term, close }: QueryTerm, ordinal: number): number {
    if (close === undefined) return this.#postings.frequencyIn(term, ordinal);
    let sum = 0;
    for (const each of close) {
      const frequency = this.#postings.frequencyIn(each.term, ordinal);
      if (frequency > 0) sum = Math.min(sum + sharedFrequency(frequency, each.share), FREQUENCY_MAX);
    }
    return sum;
  }

  /**
   * Passages that include the best so far. With candidates: these. Before: the passages that have risen since {@link watch} if all of them are known,
   * else all with a score.
   */
  get lookedAt(): Uint32Array {
    if (this.#candidateCount > 0) return this.candidates;
    const { risen } = this.#memory;
    return risen.areKnown ? risen.ordinals.subarray(0, risen.count) : this.touched;
  }

  /** Number of passages of {@link lookedAt}. */
  get lookCount(): number {
    if (this.#candidateCount > 0) return this.#candidateCount;
    const { risen } = this.#memory;
    return risen.areKnown ? risen.count : this.#touchedCount;
  }

  /** Tells that the best so far are known and have at least this score: other passages must rise above it. Infinite if they are not known. */
  watch(least: number): void {
    this.#memory.risen.watch(least);
  }

  /** Number of terms that these passages lack. */
  get termsLacking(): number {
    return this.#query.terms.length - Math.max(this.#nextTerm, this.#nextOfCandidates);
  }

  /** The candidates. The view holds until a term is added to them. */
  get candidates(): Uint32Array {
    return this.#memory.candidates.subarray(0, this.#candidateCount);
  }

  /** Number of candidates, after {@link takeCandidates}. */
  get candidateCount(): number {
    return this.#candidateCount;
  }

  /**
   * Makes passages with at least this partial score candidates, at most `countMax` of them. No term is added to all passages any more.
   * @param mayBe tells which passages may be candidates; undefined if all may
   */
  takeCandidates(least: number, countMax: number, mayBe?: (ordinal: number) => boolean): void {
    const { scores, touched } = this.#memory;
    const { candidates } = this.#memory.forCandidates(Math.min(this.#touchedCount, countMax));
    const touchedCount = this.#touchedCount;
    let count = 0;
    for (let i = 0; i < touchedCount && count < countMax; i++) {
      const ordinal = touched[i] as number;
      if ((scores[ordinal] as number) >= least && (mayBe === undefined || mayBe(ordinal)))
        candidates[count++] = ordinal;
    }
    this.#memory.sortCandidates(count);
    this.#candidateCount = count;
    this.#nextOfCandidates = this.#nextTerm;
  }

  /** Whether candidates lack terms. */
  get candidatesLack(): boolean {
    return this.#nextOfCandidates < this.#query.terms.length;
  }

  /** Adds the next term that the candidates lack to them, and drops those that cannot reach this score any more. */
  addToCandidates(threshold: number): void {
    const next = must(this.#query.terms[this.#nextOfCandidates++], TERM);
    const least = threshold - (this.#remaining[this.#nextOfCandidates] as number);
    const { candidates, scores } = this.#memory;
    // Dropped candidates gain by it as well. {@link close} resets them with the others.
    if (next.close === undefined && next.frequency < this.#candidateCount * POSTINGS_A_LOOK_UP)
      this.#postings.addToScores(next.term, next.weight, this.#norms, scores);
    else this.#addLookedUp(next);
    const before = this.#candidateCount;
    let count = 0;
    for (let i = 0; i < before; i++) {
      const ordinal = candidates[i] as number;
      if ((scores[ordinal] as number) >= least) candidates[count++] = ordinal;
    }
    this.#candidateCount = count;
  }

  #addLookedUp(next: QueryTerm): void {
    this.#lookUp(next);
    const { scores, candidates, frequencies } = this.#memory;
    const { lengths, base, slope } = this.#norms;
    const { weight } = next;
    for (let i = 0; i < this.#candidateCount; i++) {
      const frequency = frequencies[i] as number;
      if (frequency === 0) continue;
      const ordinal = candidates[i] as number;
      const norm = base + slope * (lengths[ordinal] as number);
      scores[ordinal] = (scores[ordinal] as number) + (weight * frequency) / (frequency + norm);
    }
  }

  /** Looks up how often each candidate holds a term, into `frequencies`. */
  #lookUp({ term, close }: QueryTerm): void {
    const { candidates, frequencies, sums } = this.#memory;
    const count = this.#candidateCount;
    if (close === undefined) {
      this.#postings.lookUp(term, candidates, count, frequencies);
      return;
    }
    sums.fill(0, 0, count);
    for (const each of close) {
      this.#postings.lookUp(each.term, candidates, count, frequencies);
      for (let i = 0; i < count; i++) {
        const frequency = frequencies[i] as number;
        if (frequency > 0)
          sums[i] = Math.min((sums[i] as number) + sharedFrequency(frequency, each.share), FREQUENCY_MAX);
      }
    }
    frequencies.set(sums.subarray(0, count));
  }

  /** The `i`-th candidate. */
  candidateAt(i: number): number {
    return this.#memory.candidates[i] as number;
  }

  /** Resets the working memory, which the next query uses. Must be called at the end. */
  close(): void {
    const { scores, touched } = this.#memory;
    const count = this.#touchedCount;
    for (let i = 0; i < count; i++) scores[touched[i] as number] = 0;
    this.#touchedCount = 0;
    this.#candidateCount = 0;
    this.watch(Number.POSITIVE_INFINITY);
  }
}
