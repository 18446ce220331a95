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

/** A question as its text alone tells it, whatever the index holds. */
export interface AnalyzedQuery {
  /** Which texts are a perfect match. */
  readonly equal: EqualToQuestion;
  /** Its terms in order, repeated as they stand there; none for a question without a single word. */
  readonly terms: readonly string[];
  readonly identifiers: AskedIdentifiers;
  /** The language that it tells by itself. */
  readonly languageBy: (languages: DocumentLanguages) => string;
  /** Weighs its terms by what the index holds now. The last answer is remembered until the index changes. */
  readonly weigh: (index: LexicalIndex) => Sliced<WeightedQuery>;
}

/** A question, ready for every leg of the retrieval. */
export interface ParsedQuery extends AnalyzedQuery {
  readonly lexical: WeightedQuery;
  /** What each distinct term is worth; terms that no passage holds are missing. */
  readonly termWeights: ReadonlyMap<string, number>;
  /** Undefined where it is found by its words alone. */
  readonly dense?: DenseQuery;
}

const NO_OTHERS: readonly string[] = [];

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

/** Weighs a question by what the index holds now. */
export function* weighQuery(analyzed: AnalyzedQuery, index: SearchedTexts, dense?: DenseQuery): Sliced<ParsedQuery> {
  const lexical = yield* analyzed.weigh(index.lexical);
  const parsed = { ...analyzed, lexical, termWeights: lexical.byTerm };
  if (dense === undefined) return parsed;
  const own = yield* identified(analyzed.identifiers, lexical, index);
  return { ...parsed, dense: { ...dense, identified: own } };
}
