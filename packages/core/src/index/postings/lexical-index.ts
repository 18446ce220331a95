import { PASSAGES_MAX, POSTINGS_MAX } from "../../model/limits.ts";
import { GrowingUint32 } from "../../platform/growing-array.ts";
import { finished, type Sliced } from "../../scheduling/time-slices.ts";
import { BM25, type Bm25Parameters, FREQUENCY_UNITS, gainOf, PassageNorms } from "./bm25.ts";
import type { Field } from "./field.ts";
import type { ForwardLists } from "./forward-lists.ts";
import type { Guesses } from "./guesses.ts";
import { GONE, LexicalCapture, type LexicalContents } from "./lexical-capture.ts";
import { type LexicalParts, noParts, partsOfContents } from "./lexical-parts.ts";
import { fragmentBit, fragmentsOf, frequencyOf, occurrences } from "./occurrences.ts";
import { PassageTerms } from "./passage-terms.ts";
import { passagesWithAll } from "./passages-with-all.ts";
import type { Postings } from "./postings.ts";
import { QueryWords } from "./query-words.ts";
import { scoresBetween, termsReadAtMost } from "./scores-between.ts";
import { Scoring } from "./scoring.ts";
import { ScoringMemory } from "./scoring-memory.ts";
import { TermCounts } from "./term-counts.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { type QueryReading, type TermStatistics, weighTerms } from "./weighing.ts";
import type { QueryTerm, WeightedQuery } from "./weighted-query.ts";

/**
 * BM25 over passages. A passage is known by its ordinal. Ordinals rise and are never given again. Scores depend on the live passages, not on their
 * history: terms and lengths are counted exactly, also after removals.
 */
export class LexicalIndex {
  readonly #parameters: Bm25Parameters;
  readonly #vocabulary: Vocabulary;
  readonly #counts: TermCounts;
  readonly #postings: Postings;
  /** The distinct terms of each passage, and how it holds them. */
  readonly #forward: ForwardLists;
  /** Length in frequency units; {@link GONE} for a passage that is removed or staged. */
  readonly #lengths: GrowingUint32;
  #liveCount = 0;
  /** Passages that no search sees yet. */
  #stagedCount = 0;
  #changes = 0;
  #liveLength = 0;
  readonly #words = new QueryWords();
  readonly #passageTerms = new PassageTerms();
  readonly #passagesMax: number;
  readonly #norms: PassageNorms;
  readonly #memory = new ScoringMemory();

  constructor(parameters: Bm25Parameters = BM25, windows: LexicalParts = noParts(), passagesMax = PASSAGES_MAX) {
    const { lengths } = windows.contents;
    this.#parameters = parameters;
    this.#passagesMax = passagesMax;
    this.#vocabulary = windows.vocabulary;
    this.#postings = windows.postings;
    this.#forward = windows.forward;
    this.#counts = new TermCounts(windows.frequencies, windows.heldTerms, windows.forward);
    this.#lengths = new GrowingUint32(lengths);
    this.#liveCount = lengths.length;
    this.#liveLength = windows.length;
    this.#norms = new PassageNorms(parameters, lengths);
    this.#takeAverage();
  }

  /** The next ordinal. */
  get nextOrdinal(): number {
    return this.#lengths.length;
  }
  /** Rises with every change. Queries weighed before are then out of date. */
  get changes(): number {
    return this.#changes;
  }
  get passageCount(): number {
    return this.#liveCount;
  }
  get goneCount(): number {
    return this.nextOrdinal - this.#liveCount - this.#stagedCount;
  }
  /** Number of terms that some passage holds, as far as they are counted; see {@link settle}. */
  get termCount(): number {
    return this.#counts.held;
  }
  /** Number of all terms that have a number, those included that no passage holds any more. */
  get vocabularySize(): number {
    return this.#vocabulary.size;
  }
  /** Whether so much is removed that a {@link copyOf} each live passage is worth the work. */
  get isMostlyGone(): boolean {
    return (
      this.goneCount > Math.max(GONE_MIN, Math.min(this.#liveCount, this.#passagesMax - this.nextOrdinal)) ||
      this.#forward.postings - this.#counts.postings > Math.max(GONE_POSTINGS_MIN, this.#counts.postings) ||
      this.#vocabulary.size - this.#counts.held > Math.max(GONE_MIN, this.#counts.held)
    );
  }

  /** Whether there is capacity for `passages` more. */
  hasCapacityFor(passages: number): boolean {
    return this.nextOrdinal + passages <= this.#passagesMax;
  }

  /** The same if removed passages were left out. */
  hasCapacityWithoutDeleted(passages: number): boolean {
    return this.#liveCount + this.#stagedCount + passages <= this.#passagesMax;
  }

  /** An index of the same kind with nothing in it. */
  emptyOne(): LexicalIndex {
    return new LexicalIndex(this.#parameters, noParts(), this.#passagesMax);
  }
  get bytes(): number {
    const ofPassages = this.#forward.bytes + this.#lengths.bytes + this.#norms.lengths.byteLength + this.#memory.bytes;
    return ofPassages + this.#postings.bytes + this.#counts.frequencies.bytes + this.#vocabulary.bytes;
  }

  /** A number that no other index of the process has. */
  get serial(): number {
    return this.#vocabulary.serial;
  }

  /** The number of a term. A new term gets the next number; no passage holds it yet. */
  numberOf(term: string): number {
    // Every term with a number has a frequency.
    const { frequencies } = this.#counts;
    frequencies.reserve();
    const number = this.#vocabulary.enter(term);
    if (number === frequencies.length) frequencies.push(0);
    return number;
  }

  /** Adds a passage and returns its ordinal. */
  add(fields: readonly Field[]): number {
    const ordinal = this.nextOrdinal;
    this.enter(ordinal, [this.stage(fields)]);
    finished(this.settle());
    return ordinal;
  }

  /**
   * Stages a passage at the next ordinal: no search sees it, and nothing counts it, before {@link enter}. Returns its length, which `enter` must be
   * given; until then the stored one is {@link GONE}.
   */
  stage(fields: readonly Field[]): number {
    this.#refuseTooMuch(fields.reduce((sum, { terms }) => sum + terms.length, 0));
    return this.#takeNext((ordinal) => this.#stageAt(ordinal, fields));
  }

  /** Stages a passage at the next ordinal; `post` adds its postings. If there is no memory for all of them, the ordinal is given up. */
  #takeNext(post: (ordinal: number) => number): number {
    const ordinal = this.nextOrdinal;
    // Memory for giving up is taken before there is anything to give up.
    this.#lengths.reserve();
    this.#forward.reserve();
    try {
      const length = post(ordinal);
      this.#closeStaged();
      return length;
    } catch (error) {
      // The ordinal is given up, or its postings so far would count for the next passage.
      this.#passageTerms.clear();
      this.#forward.giveUp();
      this.#lengths.push(GONE);
      throw error;
    }
  }

  #stageAt(ordinal: number, fields: readonly Field[]): number {
    // Before its first posting, so that a scoring in progress passes it over.
    this.#norms.set(ordinal, Number.POSITIVE_INFINITY);
    let length = 0;
    for (const { terms, weight, fragmentStarts = NONE } of fields) {
      const unit = Math.round(weight * FREQUENCY_UNITS);
      if (unit === 0) continue;
      length += terms.length * unit;
      let fragment = -1;
      for (let i = 0; i < terms.length; i++) {
        while (i >= (fragmentStarts[fragment + 1] ?? Number.POSITIVE_INFINITY)) fragment++;
        const term = terms[i] as string | number;
        this.#passageTerms.add(typeof term === "number" ? term : this.numberOf(term), unit, fragment);
      }
    }
    this.#forward.open(this.#passageTerms.count);
    this.#passageTerms.take((term, units, fragments) =>
      this.#addPosting(term, ordinal, occurrences(units, fragments), length),
    );
    return length;
  }

  /**
   * Adds a passage of another index as it is there, without analyzing it again. `numbers` maps terms of the other index to their numbers here plus
   * one. It is an array of zeros at first, as long as the other index has terms; a term that came later has no place there.
   */
  copyOf(other: LexicalIndex, theirs: number, numbers: Uint32Array): void {
    const ordinal = this.nextOrdinal;
    const { count, terms, words } = other.#forward.read(theirs);
    const length = other.#lengths.get(theirs);
    this.#refuseTooMuch(count);
    this.#takeNext(() => {
      this.#norms.set(ordinal, Number.POSITIVE_INFINITY);
      this.#forward.open(count);
      for (let i = 0; i < count; i++) {
        const term = terms[i] as number;
        let number = (numbers[term] ?? 0) - 1;
        if (number < 0) {
          number = this.numberOf(other.#vocabulary.nameOf(term));
          numbers[term] = number + 1;
        }
        this.#addPosting(number, ordinal, words[i] as number, length);
      }
      return length;
    });
    this.enter(ordinal, [length]);
    finished(this.settle());
  }

  /** Prepares new terms for mistyped words, which the first question would wait for otherwise. */
  prepareWords(): void {
    this.#vocabulary.outline();
  }

  /** Makes consecutive staged passages from `first` on visible, all at once. Their terms are counted by {@link settle}. */
  enter(first: number, lengths: ArrayLike<number>): void {
    const end = first + lengths.length;
    for (let i = 0; i < lengths.length; i++) {
      const length = lengths[i] as number;
      this.#setLength(first + i, length);
      this.#liveLength += length;
    }
    this.#stagedCount -= lengths.length;
    this.#count(first, end, 1);
  }

  /** Gives staged passages up. Their ordinals are not given again. */
  abandon(count: number): void {
    this.#stagedCount -= count;
  }

  /** Removes a passage. Its ordinal is not given again. */
  remove(ordinal: number): void {
    this.removeAll(ordinal, ordinal + 1);
    finished(this.settle());
  }

  /** Removes the live passages of `[first, end)`. Their terms are counted off by {@link settle}. */
  removeAll(first: number, end: number): void {
    let [from, last] = [first, Math.min(end, this.nextOrdinal)];
    for (let ordinal = first; ordinal < last; ordinal++) {
      const length = this.#lengths.get(ordinal);
      if (length === GONE) {
        this.#count(from, ordinal, -1);
        from = ordinal + 1;
        continue;
      }
      this.#setLength(ordinal, GONE);
      this.#liveLength -= length;
    }
    this.#count(from, last, -1);
  }

  /** Counts the terms of passages that have entered or left. Weighing does it first, as far as it is not done. */
  settle(): Sliced<void> {
    return this.#counts.settle();
  }

  /** Weighs a query's terms. */
  weigh(queryTerms: readonly string[], reading?: QueryReading): WeightedQuery {
    return finished(this.weighInSlices(queryTerms, reading));
  }

  *weighInSlices(queryTerms: readonly string[], reading?: QueryReading, guesses?: Guesses): Sliced<WeightedQuery> {
    yield* this.settle();
    return yield* weighTerms(queryTerms, this.#statistics, reading, guesses);
  }

  /** The passages that hold every one of these terms. Empty where more than `most` do, or where all of the terms are common. */
  *passagesWithAll(terms: readonly string[], most: number): Sliced<ReadonlySet<number>> {
    yield* this.settle();
    return yield* this.#statistics.passagesWithAll(terms, most);
  }

  /** Begins to score passages term by term, heaviest first. Only one scoring can be open at a time. */
  score(query: WeightedQuery): Scoring {
    return new Scoring(query, this.#postings, this.#norms, this.#memory.for(this.nextOrdinal));
  }

  /** The score of one passage: the same number that a {@link Scoring} gives. */
  scoreOf(query: WeightedQuery, ordinal: number): number {
    const norm = this.#norms.of(ordinal);
    const words = this.#words.of(query, this.#forward, ordinal);
    let score = 0;
    for (let i = 0; i < query.terms.length; i++) {
      const frequency = frequencyOf(words[i] as number);
      if (frequency > 0) score += gainOf((query.terms[i] as QueryTerm).weight, frequency, norm);
    }
    return score;
  }

  /** The scores of all passages of `[first, end)`. */
  scoresBetween(query: WeightedQuery, first: number, end: number): Float64Array {
    const most = termsReadAtMost(query);
    if (this.#forward.countBetween(first, end, most) > most)
      return scoresBetween(query, this.#postings, this.#norms, first, end);
    const scores = new Float64Array(end - first);
    for (let i = 0; i < scores.length; i++) scores[i] = this.scoreOf(query, first + i);
    return scores;
  }

  /** The score that each term of a query adds to a passage that holds it, heaviest first: added up in this order they are its score. */
  termScores(query: WeightedQuery, ordinal: number): { term: string; frequency: number; score: number }[] {
    const norm = this.#norms.of(ordinal);
    const words = this.#words.of(query, this.#forward, ordinal);
    return query.terms.flatMap(({ text, weight }, i) => {
      const units = frequencyOf(words[i] as number);
      const held = { term: text, frequency: units / FREQUENCY_UNITS };
      return units === 0 ? [] : [{ ...held, score: gainOf(weight, units, norm) }];
    });
  }

  /** The weight of each fragment of a passage: the sum of the weights of the query's terms that it holds. Only for the first 24 fragments. */
  fragmentWeights(query: WeightedQuery, ordinal: number, fragmentCount: number): Float64Array {
    const words = this.#words.of(query, this.#forward, ordinal);
    const weights = new Float64Array(fragmentCount);
    let at = 0;
    for (const { weight } of query.terms) {
      const fragments = fragmentsOf(words[at++] as number);
      for (let fragment = 0; fragment < fragmentCount; fragment++) {
        if ((fragments & fragmentBit(fragment)) !== 0) weights[fragment] = (weights[fragment] as number) + weight;
      }
    }
    return weights;
  }

  /** The contents as they are now, to be read later. Owed terms are counted there. */
  capture(): LexicalCapture {
    return new LexicalCapture({
      lists: this.#forward.capture(),
      vocabulary: this.#vocabulary.terms,
      counts: this.#counts,
      lengths: this.#lengths,
      passages: this.#liveCount,
    });
  }

  /** The contents for {@link LexicalIndex.restore}, without removed passages and unused terms; the others are numbered again in order. */
  export(): LexicalContents {
    return this.capture().contents();
  }

  /** Makes an index of contents, as sliced work, and owns their arrays. @throws RangeError if no index can be made of them */
  static *restore(contents: LexicalContents, parameters: Bm25Parameters = BM25): Sliced<LexicalIndex> {
    return new LexicalIndex(parameters, yield* partsOfContents(contents));
  }

  get #statistics(): TermStatistics {
    const isThere = (ordinal: number): boolean => this.#lengths.get(ordinal) !== GONE;
    const held = { vocabulary: this.#vocabulary, frequencyOf: (term: number) => this.#counts.frequencies.get(term) };
    const together: TermStatistics["passagesWithAll"] = (terms, most) =>
      passagesWithAll(terms, most, { ...held, postings: this.#postings, isThere });
    return { ...held, passageCount: this.passageCount, parameters: this.#parameters, passagesWithAll: together };
  }

  #refuseTooMuch(postings: number): void {
    if (!this.hasCapacityFor(1)) throw new RangeError(`An index holds at most ${this.#passagesMax} passages.`);
    if (this.#forward.postings + postings > POSTINGS_MAX)
      throw new RangeError(`The passages of an index hold at most ${POSTINGS_MAX} terms.`);
  }

  /** Ends the staged passage at the next ordinal, which has all its postings. */
  #closeStaged(): void {
    this.#forward.close();
    this.#lengths.push(GONE);
    this.#stagedCount++;
  }

  #addPosting(term: number, ordinal: number, word: number, length: number): void {
    this.#postings.add(term, ordinal, frequencyOf(word), length);
    this.#forward.push(term, word);
  }

  /** Counts the passages of `[first, end)` in (1) or off (-1). */
  #count(first: number, end: number, sign: 1 | -1): void {
    if (first >= end) return;
    this.#counts.owe(first, end, sign);
    this.#liveCount += sign * (end - first);
    this.#changes++;
    this.#takeAverage();
  }

  #setLength(ordinal: number, length: number): void {
    this.#norms.set(ordinal, length === GONE ? Number.POSITIVE_INFINITY : length);
    this.#lengths.set(ordinal, length);
  }

  #takeAverage(): void {
    this.#norms.takeAverage(this.#liveCount > 0 ? this.#liveLength / this.#liveCount : 0);
  }
}

const NONE: readonly number[] = [];

/** Fewer removed passages or terms, and postings, are not worth the work. */
const GONE_MIN = 1_024;
const GONE_POSTINGS_MIN = 65_536;
