import type { LexicalIndex, WeightedQuery } from "../lexical/lexical-index.ts";
import { normalForm, normalFormHash } from "../markdown/normal-form.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { Analyzer } from "../text/analyzer.ts";

/** A question, ready for every leg of the retrieval. */
export interface ParsedQuery {
  /** What a text must equal to be a perfect match. */
  readonly normalForm: string;
  readonly normalFormHash: number;
  /** Its terms in order, repeated as they stand there. */
  readonly terms: readonly string[];
  readonly lexical: WeightedQuery;
  /** What each distinct term is worth; terms that no passage holds are missing. */
  readonly termWeights: ReadonlyMap<string, number>;
}

/** Undefined for a query without a single word. */
export function parseQuery(text: string, analyzer: Analyzer, lexicalIndex: LexicalIndex): ParsedQuery | undefined {
  const terms = analyzer.terms(plainText(text));
  if (terms.length === 0) return undefined;
  const form = normalForm(text);
  const lexical = lexicalIndex.weigh(terms);
  return { normalForm: form, normalFormHash: normalFormHash(form), terms, lexical, termWeights: lexical.byTerm };
}
