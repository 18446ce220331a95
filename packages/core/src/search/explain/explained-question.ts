import type { WeightedQuery } from "../../index/postings/weighted-query.ts";
import type { ExplainedQuestion, ExplainedTerm } from "../../model/explanation.ts";
import { DENSE_FLOOR, type DenseQuery, LEXICAL_FLOOR } from "../fusion.ts";
import type { ParsedQuery } from "../parsed-query.ts";

/** Explains the weights of a question's terms and of its vector in this index. `embedder` is the id of the embedder that read it. */
export function explainQuestion(query: ParsedQuery, embedder = ""): ExplainedQuestion {
  const { dense } = query;
  return {
    terms: explainTerms(query.lexical),
    upperBound: query.lexical.upperBound,
    lexicalFloor: LEXICAL_FLOOR,
    ...(dense === undefined ? {} : { dense: explainMeaning(query, dense, embedder) }),
  };
}

function explainMeaning(
  { identifiers }: ParsedQuery,
  { weight, identified }: DenseQuery,
  embedder: string,
): NonNullable<ExplainedQuestion["dense"]> {
  const known = { embedder, weight, floor: DENSE_FLOOR };
  return identified === undefined ? known : { ...known, identifiers: identifiers.terms };
}

function explainTerms({ asked, upperBound }: WeightedQuery): ExplainedTerm[] {
  return asked.map(({ text, count, frequency, idf, weight, meant }) => {
    const known = { term: text, count, passages: frequency, idf, weight, share: weight / upperBound };
    return meant.length === 0 ? known : { ...known, meant };
  });
}
