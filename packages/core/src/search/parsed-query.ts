import type { Analyzer, DocumentLanguages } from "../analysis/analyzer.ts";
import type { LexicalIndex } from "../index/postings/lexical-index.ts";
import type { WeightedQuery } from "../index/postings/weighted-query.ts";
import { searchedText } from "../markdown/searched-text.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

import { EqualToQuestion } from "./equal-texts.ts";
import type { DenseQuery } from "./fusion.ts";
import { type AskedIdentifiers, askedIdentifiers, identified, type SearchedTexts } from "./identified-passages.ts";
import { otherSpellings } from "./other-spellings.ts";
import { typedWords } from "./typed-word.ts";

/** A question as its text alone tells it, independent of the index. */
export interface AnalyzedQuery {
  /** Tells which texts equal the question: a perfect match. */
  readonly equal: EqualToQuestion;
  /** Its terms in order, repeated ones included. Empty for a question without a word. */
  readonly terms: readonly string[];
  readonly identifiers: AskedIdentifiers;
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

/** Analyzes a question: its terms, identifiers, spellings and forms. Reads no index until `weigh` is called. */
export function analyzeQuery(text: string, analyzer: Analyzer): AnalyzedQuery {
  const plain = searchedText(text, "question");
  const terms = analyzer.terms(plain);
  const { links } = analyzer;
  const shareOf = (term: string): number => analyzer.shareInQuestion(term);
  const others = analyzer.others?.(plain);
  const othersOf = (term: string): readonly string[] => others?.get(term) ?? NO_OTHERS;
  const spellings = otherSpellings(plain, analyzer);
  const reading = { othersOf, typedAs: typedWords(plain, analyzer), shareOf, links, spellings };
  let known: { readonly index: LexicalIndex; readonly changes: number; readonly weighted: WeightedQuery } | undefined;
  return {
    equal: new EqualToQuestion(text),
    terms,
    identifiers: askedIdentifiers(plain, analyzer, spellings),
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
