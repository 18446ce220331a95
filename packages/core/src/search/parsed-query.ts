import type { Analyzer, DocumentLanguages } from "../analysis/analyzer.ts";
import type { TypedWord } from "../index/postings/close-terms.ts";
import type { LexicalIndex } from "../index/postings/lexical-index.ts";
import type { WeightedQuery } from "../index/postings/weighted-query.ts";
import { searchedText } from "../markdown/searched-text.ts";
import type { PinnedAnswer } from "../model/vocabulary-types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { AskedVocabulary } from "../vocabulary/compiled-vocabulary.ts";

import { EqualToQuestion } from "./equal-texts.ts";
import type { DenseQuery } from "./fusion.ts";
import { type AskedIdentifiers, askedIdentifiers, identified, type SearchedTexts } from "./identified-passages.ts";
import { otherSpellings } from "./other-spellings.ts";

/** A question as its text alone tells it, independent of the index. */
export interface AnalyzedQuery {
  /** Tells which texts equal the question: a perfect match. */
  readonly equal: EqualToQuestion;
  /** Its terms in order, repeated ones included, without those to ignore. Empty for a question without a word. */
  readonly terms: readonly string[];
  readonly identifiers: AskedIdentifiers;
  /** Terms of its text that the vocabulary ignores. */
  readonly ignored: readonly string[];
  /** The answers that the vocabulary pins to it, the first one first. */
  readonly pins: readonly PinnedAnswer[];
  /** The language of its text, among those of the documents. */
  readonly languageBy: (languages: DocumentLanguages) => string;
  /** Weighs its terms by the postings of an index. The last result is remembered until the index changes. */
  readonly weigh: (index: LexicalIndex) => Sliced<WeightedQuery>;
}

/** A question, ready for BM25, vectors and quotes. */
export interface ParsedQuery extends AnalyzedQuery {
  readonly lexical: WeightedQuery;
  /** Weight of each distinct term. Terms that no passage holds are missing. */
  readonly termWeights: ReadonlyMap<string, number>;
  /** Undefined if BM25 alone answers. */
  readonly dense?: DenseQuery;
}

const NO_OTHERS: readonly string[] = [];
const NOTHING_ASKED: Omit<AskedVocabulary, "terms"> = { ignored: [], synonyms: [], others: new Map(), pins: [] };

/** The terms of a question, in order. */
export function termsOfQuestion(text: string, analyzer: Analyzer): readonly string[] {
  return analyzer.terms(searchedText(text, "question"));
}

/**
 * Analyzes a question: its terms, identifiers, spellings and forms. Reads no index until `weigh` is called.
 * @param vocabulary what the bot's vocabulary makes of its terms; default: nothing
 */
export function analyzeQuery(text: string, analyzer: Analyzer, vocabulary?: AskedVocabulary): AnalyzedQuery {
  const plain = searchedText(text, "question");
  const terms = vocabulary?.terms ?? analyzer.terms(plain);
  const { ignored, synonyms, others: synonymsBy, pins } = vocabulary ?? NOTHING_ASKED;
  const { links, isCommon } = analyzer;
  const shareOf = (term: string): number => analyzer.shareInQuestion(term);
  const others = analyzer.others?.(plain);
  const othersOf = (term: string): readonly string[] => {
    const [inLanguages, more] = [others?.get(term) ?? NO_OTHERS, synonymsBy.get(term)];
    return more === undefined ? inLanguages : [...inLanguages, ...more];
  };
  const spellings = otherSpellings(plain, analyzer);
  const reading = { othersOf, typedAs: typedWords(plain, analyzer), shareOf, isCommon, links, spellings, synonyms };
  let known: { readonly index: LexicalIndex; readonly changes: number; readonly weighted: WeightedQuery } | undefined;
  return {
    equal: new EqualToQuestion(text),
    terms,
    ignored,
    pins,
    identifiers: askedIdentifiers(plain, analyzer, { spellings, synonyms }),
    languageBy: (languages) => languages.languageOf(plain),
    weigh: function* (index) {
      if (known?.index === index && known.changes === index.changes) return known.weighted;
      const { changes } = index;
      const weighted = yield* index.weighInSlices(terms, reading);
      if (index.changes === changes) known = { index, changes, weighted };
      return weighted;
    },
  };
}

/** Weighs a question by the current index, and finds the passages that hold its identifiers. */
export function* weighQuery(analyzed: AnalyzedQuery, index: SearchedTexts, dense?: DenseQuery): Sliced<ParsedQuery> {
  const lexical = yield* analyzed.weigh(index.lexical);
  const parsed = { ...analyzed, lexical, termWeights: lexical.byTerm };
  if (dense === undefined) return parsed;
  const own = yield* identified(analyzed.identifiers, lexical, index);
  return { ...parsed, dense: { ...dense, identified: own } };
}

const LAST_CHARACTER_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/**
 * Returns a function from a term of a text to the word that was typed for it, in each language's way of writing it.
 * It returns no word for a term that is not a whole word. The text is read on the first call only, since it may have hundreds of terms.
 */
function typedWords(text: string, analyzer: Analyzer): (term: string) => readonly TypedWord[] {
  let known: ReadonlyMap<string, readonly TypedWord[]> | undefined;
  return (term) => {
    known ??= wordsByTerm(text, analyzer);
    return known.get(term) ?? [];
  };
}

/** Words by term. If several words have the same term, the last one counts. */
function wordsByTerm(text: string, analyzer: Analyzer): ReadonlyMap<string, readonly TypedWord[]> {
  const typed = analyzer.compared(text);
  const byTerm = new Map<string, readonly TypedWord[]>();
  for (const [at, forms] of typed.entries()) {
    const isUnfinished = at === typed.length - 1 && LAST_CHARACTER_IN_WORD.test(text);
    const ofWord = new Map<string, TypedWord[]>();
    for (const { term, word, someWordOf } of forms) {
      ofWord.set(term, [...(ofWord.get(term) ?? []), { word, isUnfinished, someWordOf }]);
    }
    for (const [term, words] of ofWord) byTerm.set(term, words);
  }
  return byTerm;
}
