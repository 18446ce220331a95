import type { LexicalIndex } from "../lexical/lexical-index.ts";
import type { WeightedQuery } from "../lexical/weighted-query.ts";
import { normalFormHash, queryForms } from "../markdown/normal-form.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { DenseQuery } from "./fusion.ts";
import { typedWords } from "./typed-word.ts";

/** A question as its text alone tells it, whatever the index holds. */
export interface AnalyzedQuery {
  /** A text whose normal form is one of these is a perfect match. */
  readonly forms: readonly { readonly text: string; readonly hash: number }[];
  /** Its terms in order, repeated as they stand there; none for a question without a single word. */
  readonly terms: readonly string[];
  /** Weighs its terms by what the index holds now. The last answer is remembered until the index changes. */
  readonly weigh: (index: LexicalIndex) => WeightedQuery;
}

/** A question, ready for every leg of the retrieval. */
export interface ParsedQuery extends AnalyzedQuery {
  readonly lexical: WeightedQuery;
  /** What each distinct term is worth; terms that no passage holds are missing. */
  readonly termWeights: ReadonlyMap<string, number>;
  /** Undefined where it is found by its words alone. */
  readonly dense?: DenseQuery;
}

export function analyzeQuery(text: string, analyzer: Analyzer): AnalyzedQuery {
  const plain = plainText(text, "question");
  const terms = analyzer.terms(plain);
  const typedAs = typedWords(plain, analyzer);
  const shareOf = (term: string): number => analyzer.shareInQuestion(term);
  let known: { readonly index: LexicalIndex; readonly changes: number; readonly weighted: WeightedQuery } | undefined;
  return {
    forms: queryForms(text).map((form) => ({ text: form, hash: normalFormHash(form) })),
    terms,
    weigh: (index) => {
      if (known?.index !== index || known.changes !== index.changes) {
        known = { index, changes: index.changes, weighted: index.weigh(terms, typedAs, shareOf) };
      }
      return known.weighted;
    },
  };
}

/** Weighs a question by what the index holds now. */
export function weighQuery(analyzed: AnalyzedQuery, lexicalIndex: LexicalIndex, dense?: DenseQuery): ParsedQuery {
  const lexical = analyzed.weigh(lexicalIndex);
  return { ...analyzed, lexical, termWeights: lexical.byTerm, ...(dense === undefined ? {} : { dense }) };
}

/** Whether a text is a perfect match. The hash of its normal form is compared first: the form is made only if that is equal. */
export function equalsQuery(query: ParsedQuery, hash: number | undefined, normalForm: () => string): boolean {
  const form = query.forms.find((known) => known.hash === hash);
  return form !== undefined && normalForm() === form.text;
}
