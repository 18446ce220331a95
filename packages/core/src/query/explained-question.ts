import type { ExplainedQuestion, ExplainedTerm } from "../explanation.ts";
import type { LexicalIndex } from "../lexical/lexical-index.ts";
import { DENSE_FLOOR, LEXICAL_FLOOR } from "./fusion.ts";
import type { ParsedQuery } from "./parsed-query.ts";

/** What a question's terms and its meaning count in this index. `embedder` is the id of the one that read it. */
export function explainQuestion(query: ParsedQuery, index: LexicalIndex, embedder = ""): ExplainedQuestion {
  const { dense } = query;
  return {
    terms: explainTerms(query, index),
    upperBound: query.lexical.upperBound,
    lexicalFloor: LEXICAL_FLOOR,
    ...(dense === undefined ? {} : { dense: { embedder, weight: dense.weight, floor: DENSE_FLOOR } }),
  };
}

function explainTerms({ terms, lexical }: ParsedQuery, index: LexicalIndex): ExplainedTerm[] {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  // What the search has weighed and the question does not say, the search has added.
  for (const term of lexical.byTerm.keys()) if (!counts.has(term)) counts.set(term, 0);
  return [...counts].map(([term, count]) => {
    const { frequency: passages, idf, weight: missing } = index.figuresOf(term, count);
    const weight = lexical.byTerm.get(term) ?? missing;
    return { term, count, passages, idf, weight, share: weight / lexical.upperBound };
  });
}
