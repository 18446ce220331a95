import { type Bm25Parameters, inverseDocumentFrequency } from "./bm25.ts";
import { type CloseTerm, closeTerms, type TypedWord } from "./close-terms.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { AskedTerm, QueryTerm, WeightedQuery } from "./weighted-query.ts";

/** What an index knows that weights depend on. */
export interface TermStatistics {
  readonly vocabulary: Vocabulary;
  /** Passages that hold the term with this number. */
  readonly frequencyOf: (term: number) => number;
  readonly passageCount: number;
  readonly parameters: Bm25Parameters;
}

const NOTHING_ELSE: readonly string[] = [];

/** So many words of a query are guessed: each takes milliseconds in a large vocabulary, and who pastes pages has not mistyped them all. */
const GUESSED_WORDS_MAX = 32;

/** What a word that was guessed counts, against one that is there. */
const GUESSED_WEIGHT = 0.9;

/**
 * Weighs a query's terms; repeated terms count as often as they stand there, and each its share. For a term that no passage holds, those stand that
 * are close to its word, with the frequency that they have together: a rare spelling must not weigh more than the word that
 * was meant.
 */
export function weighTerms(
  queryTerms: readonly string[],
  { vocabulary, frequencyOf, passageCount, parameters }: TermStatistics,
  typedAs?: (term: string) => TypedWord | undefined,
  shareOf?: (term: string) => number,
): WeightedQuery {
  const counts = new Map<string, number>();
  for (const term of queryTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms: QueryTerm[] = [];
  const byTerm = new Map<string, number>();
  const unknown: [term: string, count: number][] = [];
  const asked: AskedTerm[] = [];
  /** Enters a term of the query, and returns its weight. */
  const ask = (text: string, count: number, frequency: number, meant: readonly string[]): number => {
    const idf = inverseDocumentFrequency(passageCount, frequency);
    const weight = (shareOf?.(text) ?? 1) * count * idf * (parameters.k1 + 1);
    asked.push({ text, count, frequency, idf, weight, meant });
    return weight;
  };
  let upperBound = 0;
  for (const [term, count] of counts) {
    const number = vocabulary.find(term);
    const frequency = number === undefined ? 0 : frequencyOf(number);
    if (number === undefined || frequency === 0) {
      unknown.push([term, count]);
      continue;
    }
    const weight = ask(term, count, frequency, NOTHING_ELSE);
    upperBound += weight;
    terms.push({ text: term, term: number, weight, frequency });
    byTerm.set(term, weight);
  }
  const taken = new Set(terms.map(({ term }) => term));
  for (const [i, [term, count]] of unknown.entries()) {
    const typed = i < GUESSED_WORDS_MAX ? typedAs?.(term) : undefined;
    const close = typed === undefined ? [] : closeTerms(typed, vocabulary, frequencyOf);
    const [first] = close;
    // The word is in the query as it should be as well: once is enough.
    if (first !== undefined && taken.has(first.term)) continue;
    const free = close.filter((each) => !taken.has(each.term));
    const frequency = free.reduce((sum, each) => sum + frequencyOf(each.term), 0);
    const meant = free.map((each) => vocabulary.terms[each.term] ?? "");
    const whole = ask(term, count, Math.min(frequency, passageCount), meant);
    upperBound += whole;
    if (first === undefined) continue;
    const weight = whole * GUESSED_WEIGHT;
    terms.push({ text: term, term: first.term, weight, frequency, close: free });
    for (const each of free) enter(each, weight);
  }
  function enter({ term, share }: CloseTerm, weight: number): void {
    taken.add(term);
    byTerm.set(vocabulary.terms[term] ?? "", weight * share);
  }
  // Scores are added up in this order everywhere, so that they are the same to the last bit.
  terms.sort((a, b) => b.weight - a.weight);
  return { asked, terms, byTerm, upperBound };
}
