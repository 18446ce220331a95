import {
  fragmentAt,
  fragmentsOfPassage,
  type IndexedDocument,
  ordinalCountOf,
  passageOfFragment,
} from "../index/indexed-document.ts";
import { forEachOfBest } from "../index/postings/best-passages.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { TEXT_PARTS_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { bestOf, isBefore, type Ranked, SLICE_DOCUMENTS } from "./best-documents.ts";
import { PASSAGE_OPERATIONS } from "./budget.ts";
import type { EqualTexts } from "./equal-texts.ts";
import { type Allowed, passageRanges } from "./filters/allowed-documents.ts";
import { type DenseQuery, fusedSimilarityOf, LEXICAL_FLOOR, lexicalSimilarity } from "./fusion.ts";
import { scoreByBoth } from "./hybrid-scores.ts";
import type { ParsedQuery } from "./parsed-query.ts";

/** A passage or question variant with its similarity to the question. */
export interface Hit {
  readonly ordinal: number;
  readonly similarity: number;
  /** Its lexical similarity, 0 to 1. */
  readonly words: number;
  /** The result of reranking; undefined if the passage was not compared. */
  readonly reranking?: HitReranking;
}

/** The result of reranking for one passage. */
export interface HitReranking {
  /** Closeness of each of its embedding windows, 0 to 1. The title window is not among them. */
  readonly windows: readonly number[];
  /** The rerank weight; the hybrid score weighs 1. */
  readonly weight: number;
}

/** A found document: its best hits above the floor, and its texts that equal the question. */
export interface DocumentHits {
  readonly document: IndexedDocument;
  /** Its best passages, best first: the ones that may be quoted. At most {@link PASSAGES_QUOTED_MAX}. */
  readonly passages: readonly Hit[];
  /** The similarity of its best question variant; 0 if none is above the floor. */
  readonly variant: number;
  /** The ordinal of that question variant. */
  readonly bestVariant?: number | undefined;
  /**
   * Closeness of the best question variant, 0 to 1: its own or that of an answer's passage, whichever is higher.
   * Undefined if the variant was not compared.
   */
  readonly variantCloseness?: number;
  /** How many times the title raised the similarity of each passage, above 1. Undefined if it did not, or was not compared. */
  readonly titleFactor?: number;
  readonly equal: EqualTexts;
  /** The pattern by which the vocabulary pins it to the question. It comes first then, with a similarity of 1. */
  readonly pinned?: string | undefined;
}

/**
 * The maximum number of passages kept of a document. Each has a fragment as good as itself, so that a few passages fill all quotes.
 * Twice the number of quotes, since fragments may share a line. Of a line with more passages than that, some give way to those of other lines.
 */
export const PASSAGES_QUOTED_MAX = TEXT_PARTS_MAX * 2;

/** A found document, and its best passage. */
export interface FoundDocument {
  readonly document: IndexedDocument;
  readonly bestOrdinal: number;
  /** See {@link DocumentHits.pinned}. */
  readonly pinned?: string;
}

/**
 * Retrieves the best `count` allowed documents, best first, ties by id.
 * A document that equals the question is always among them, whatever its BM25.
 */
export function* retrieve(
  index: SearchIndex,
  query: ParsedQuery,
  allowed: Allowed,
  count: number,
): Sliced<FoundDocument[]> {
  yield* scoreDocuments(index, query, allowed, count);
  const { ranked } = yield* bestOf(index, allowed, count);
  return ranked.map(({ document }) => ({ document, bestOrdinal: index.scores.ordinalOf(document.slot) }));
}

/**
 * Counts the allowed documents that rank before this one. Scores all documents.
 * @param pinned documents that rank before all others, whatever their scores
 */
export function* countBefore(
  index: SearchIndex,
  query: ParsedQuery,
  allowed: Allowed,
  pinned: Pick<ReadonlyMap<IndexedDocument, unknown>, "has" | "size">,
  ranked: Ranked,
): Sliced<number> {
  index.effort.begin();
  yield* scoreDocuments(index, query, allowed, index.documents.slotCount);
  const { scores } = index;
  let before = pinned.size;
  for (let i = 0; i < scores.count; i++) {
    if (i % SLICE_DOCUMENTS === 0) yield;
    const document = index.documents.at(scores.slotAt(i));
    if (document === undefined || pinned.has(document)) continue;
    if (!isBefore({ document, score: scores.scoreOf(document.slot) }, ranked)) continue;
    if (allowed === undefined || allowed.has(document.slot)) before += 1;
  }
  return before;
}

/** Sets `index.scores` for every document that may be among the best `count`. */
function* scoreDocuments(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): Sliced<void> {
  if (allowed !== undefined && areFew(allowed, query)) yield* scoreEach(index, query, allowed);
  else if (query.dense === undefined) yield* scoreByWords(index, query, allowed, count);
  else yield* scoreByBoth(index, query, query.dense, allowed, count);
  yield* scoreEqual(index, query);
}

/**
 * Sets `index.scores` for every allowed document that the question finds, and no other: those that a search returns with no maximum of results.
 * @returns false if the budget ended before all passages were scored. Then some documents may be missing.
 */
export function* scoreAllFound(index: SearchIndex, query: ParsedQuery, allowed: Allowed): Sliced<boolean> {
  if (query.terms.length === 0) {
    index.scores.reset(index.documents.slotCount);
    return true;
  }
  const isWhole = yield* scoreEach(index, query, allowed, index.effort.countsOf(query.lexical.terms.length));
  yield* scoreEqual(index, query, allowed);
  return isWhole;
}

/** Raises the score of documents with a text that equals the question to 1. */
function* scoreEqual(index: SearchIndex, query: ParsedQuery, allowed?: Allowed): Sliced<void> {
  const { scores } = index;
  yield* index.exactMatches(query, ({ slot, firstOrdinal, variantCount }) => {
    if (allowed?.has(slot) === false) return;
    scores.raise(slot, 1, scores.scoreOf(slot) > 0 ? scores.ordinalOf(slot) : firstOrdinal + variantCount);
  });
}

/** Allowed passages up to which a question with a vector scores each: about as many as the walk compares in the same time. */
const FEW_PASSAGES = 1_024;

/** True if scoring each allowed passage takes less than the walk of a question with a vector. */
function areFew({ passageCount }: NonNullable<Allowed>, { dense }: ParsedQuery): boolean {
  return dense !== undefined && passageCount <= FEW_PASSAGES;
}

/**
 * Sets `index.scores` for all allowed documents, passage by passage.
 * @param most passages to score. Returns false if there are more.
 */
function* scoreEach(
  index: SearchIndex,
  query: ParsedQuery,
  allowed: Allowed,
  most = Number.POSITIVE_INFINITY,
): Sliced<boolean> {
  const { scores, documents, effort } = index;
  const each = PASSAGE_OPERATIONS + query.lexical.terms.length;
  scores.reset(documents.slotCount);
  const portion = Math.max(1, Math.floor((SLICE_COMPLETIONS * PASSAGE_OPERATIONS) / each));
  const ranges = passageRanges(documents, allowed);
  let left = most;
  while (ranges.next()) {
    const { first, end } = ranges;
    for (let from = first; from < end; from += portion) {
      const to = Math.min(end, from + portion);
      left -= to - from;
      if (left < 0) return false;
      forEachSimilarity(index, query, from, to, (ordinal, similarity) => {
        if (similarity > 0) scores.raise(documents.slotOf(ordinal), similarity, ordinal);
      });
      if (effort.shouldYield((to - from) * each)) yield;
    }
  }
  return true;
}

/** Sets `index.scores` by BM25 alone: the similarity of the best passage of every document that may be among the best `count`. */
function* scoreByWords(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): Sliced<void> {
  const { scores } = index;
  const { upperBound } = query.lexical;
  const { documents } = index;
  const slotOf = (ordinal: number): number => documents.slotOf(ordinal);
  // A set of slots holds only those of documents.
  const mayBe = allowed && ((slot: number): boolean => allowed.has(slot));
  const wanted = { count, groups: { of: slotOf, mayBe }, floor: LEXICAL_FLOOR * upperBound };
  const scoring = index.lexical.score(query.lexical);
  try {
    scores.reset(index.documents.slotCount);
    yield* forEachOfBest(scoring, wanted, index.effort, (ordinal, score) => {
      scores.raise(slotOf(ordinal), lexicalSimilarity(score, upperBound), ordinal);
    });
  } finally {
    scoring.close();
  }
}

/**
 * Scores the passages of a found document as retrieval did, and finds its texts that equal the question.
 * If the document has more passages than the budget allows, the passages around its best one are compared.
 */
export function* hitsOf(
  index: SearchIndex,
  query: ParsedQuery,
  { document, bestOrdinal, pinned }: FoundDocument,
): Sliced<DocumentHits> {
  const best = new BestHits(document);
  const { firstOrdinal } = document;
  const passages = ordinalCountOf(document);
  const compared = index.effort.comparisonsOf(passages, query.lexical.terms.length);
  const equal = yield* index.equalTexts(query, document);
  const latest = firstOrdinal + passages - compared;
  const start = Math.max(firstOrdinal, Math.min(latest, middleOf(document, equal, bestOrdinal) - (compared >> 1)));
  for (let from = 0; from < compared; from += SLICE_COMPLETIONS) {
    if (from > 0) yield;
    addHits(index, query, start + from, start + Math.min(compared, from + SLICE_COMPLETIONS), best);
  }
  const { passages: bestPassages, variant, bestVariant } = best;
  return { document, passages: bestPassages, variant, bestVariant, equal, ...(pinned === undefined ? {} : { pinned }) };
}

/**
 * The ordinal around which passages are compared. Usually that is the best passage.
 * A document that equals the question is found whatever its BM25, so its best passage may be unknown. The passage that equals the question is taken then.
 */
function middleOf(document: IndexedDocument, equal: EqualTexts, bestOrdinal: number): number {
  const [fragment] = equal.fragments;
  if (fragment !== undefined)
    return document.firstOrdinal + document.variantCount + passageOfFragment(document, fragment);
  return equal.title ? document.firstOrdinal : bestOrdinal;
}

function addHits(index: SearchIndex, query: ParsedQuery, start: number, end: number, best: BestHits): void {
  forEachSimilarity(index, query, start, end, (ordinal, similarity, words) => best.offer(ordinal, similarity, words));
}

/** Visits the passages of `[start, end)`, each with its similarity to the question, and its lexical similarity. */
function forEachSimilarity(
  index: SearchIndex,
  { dense, lexical }: ParsedQuery,
  start: number,
  end: number,
  visit: (ordinal: number, similarity: number, words: number) => void,
): void {
  const scores = index.lexical.scoresBetween(lexical, start, end);
  const cosines = dense && index.windowVectors.cosinesBetween(dense.vector, start, end);
  for (let ordinal = start; ordinal < end; ordinal++) {
    const words = lexicalSimilarity(scores[ordinal - start] as number, lexical.upperBound);
    visit(ordinal, dense === undefined ? words : bothOf(words, cosines?.[ordinal - start], ordinal, dense), words);
  }
}

const HIT = "a hit that is kept";

/**
 * Collects the best passages of a document and its best question variant. Hits are offered in order; of equal ones the first wins.
 * One long line may be several passages, of which only one is quoted.
 * If the best passages fill too few quotes for that reason, the worst that shares its line with a better one gives way to a passage of another line.
 */
class BestHits {
  readonly passages: Hit[] = [];
  variant = 0;
  bestVariant: number | undefined;
  readonly #document: IndexedDocument;
  readonly #firstPassage: number;
  /** True if a passage was dropped and those kept fill all quotes. One that is no better than the last is not needed then. */
  #isFilled = false;

  constructor(document: IndexedDocument) {
    this.#document = document;
    this.#firstPassage = document.firstOrdinal + document.variantCount;
  }

  offer(ordinal: number, similarity: number, words: number): void {
    if (ordinal < this.#firstPassage) {
      if (similarity <= this.variant) return;
      this.variant = similarity;
      this.bestVariant = ordinal;
      return;
    }
    const { passages } = this;
    if (similarity <= (this.#isFilled ? must(passages.at(-1), HIT).similarity : 0)) return;
    let at = passages.length;
    while (at > 0 && must(passages[at - 1], HIT).similarity < similarity) at--;
    passages.splice(at, 0, { ordinal, similarity, words });
    if (passages.length > PASSAGES_QUOTED_MAX) this.#dropOne();
  }

  /** Drops the last passage. If those before it fill too few quotes, the last that shares its line with a better one is dropped instead. */
  #dropOne(): void {
    const lines = this.passages.map(({ ordinal }) => this.#lineOf(ordinal));
    let at = PASSAGES_QUOTED_MAX;
    // There is one: more passages are kept than there are lines.
    if (!fillQuotes(lines.slice(0, at))) while (lines.indexOf(must(lines[at], HIT)) === at) at--;
    this.passages.splice(at, 1);
    lines.splice(at, 1);
    this.#isFilled = fillQuotes(lines);
  }

  /** The line on which all of a passage stands. A passage of several lines gets a number of its own, below 0. */
  #lineOf(ordinal: number): number {
    const [first, last] = fragmentsOfPassage(this.#document, ordinal - this.#firstPassage);
    const { startLine } = fragmentAt(this.#document, first);
    return fragmentAt(this.#document, last - 1).stopLine === startLine ? startLine : -1 - ordinal;
  }
}

function fillQuotes(lines: readonly number[]): boolean {
  return new Set(lines).size >= TEXT_PARTS_MAX;
}

/** Fuses lexical similarity and cosine. A cosine of NaN means that the passage has no vector. */
function bothOf(words: number, cosine: number | undefined, ordinal: number, dense: DenseQuery): number {
  return fusedSimilarityOf(ordinal, words, Number.isNaN(cosine) ? undefined : cosine, dense);
}

/** Passages whose scores are completed between two yields. */
const SLICE_COMPLETIONS = 256;

/** The scores of one passage: BM25, cosine if it has a vector, and both fused. */
export interface PassageScores {
  readonly bm25: number;
  /** The lexical similarity, 0 to .999; 0 below the floor. */
  readonly lexical: number;
  /** The cosine of its nearest embedding window; undefined if it has no vector. */
  readonly cosine: number | undefined;
  /** The hybrid score, 0 to .999; 0 below both floors. */
  readonly similarity: number;
}

/** The scores of one passage as retrieval computes them. Pass `bm25` if it is known already. */
export function scoresOf(
  index: SearchIndex,
  { dense, lexical: words }: ParsedQuery,
  ordinal: number,
  bm25 = index.lexical.scoreOf(words, ordinal),
): PassageScores {
  const lexical = lexicalSimilarity(bm25, words.upperBound);
  const cosine = dense === undefined ? undefined : index.windowVectors.cosineOf(dense.vector, ordinal);
  const similarity = dense === undefined ? lexical : fusedSimilarityOf(ordinal, lexical, cosine, dense);
  return { bm25, lexical, cosine, similarity };
}
