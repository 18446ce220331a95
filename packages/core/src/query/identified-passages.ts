import type { LexicalIndex } from "../lexical/lexical-index.ts";
import type { WeightedQuery } from "../lexical/weighted-query.ts";
import type { Steps } from "../runtime/steps.ts";
import type { Analyzer } from "../text/analyzer.ts";
import { identifiersIn } from "../text/identifiers.ts";

/** The terms of the identifiers in a question, each once: a passage holds them exactly or not at all. */
export function identifierTerms(question: string, analyzer: Analyzer): readonly string[] {
  return [...new Set(identifiersIn(question).flatMap((identifier) => analyzer.terms(identifier)))];
}

/**
 * What the meaning of a passage counts that lacks an identifier where another passage holds them all. Encoders take identifiers for nearly the same ("2015-07-09" and
 * "2015-09-09"), so the words decide. Chosen on strings that no reported figures use (`bench -- exact --use tune`).
 */
const MEANING_WITHOUT = 0.2;

/** Strings that more passages hold are names of what much is written about: other passages on it need not repeat them. */
const PASSAGES_FEW = 32;

/** A question with more terms of identifiers asks for none of them above all. */
const TERMS_MAX = 64;

/** Tells the passages that hold a question's identifiers from those that lack one. */
export interface Identified {
  /** Whether a passage lacks one of the identifiers. Another passage holds them all. */
  readonly lacks: (ordinal: number) => boolean;
  /** What the meaning of such a passage counts, 0 to 1, against that of one that lacks none. */
  readonly meaning: number;
}

/** Where the identifiers have this share of the weight of the question's words, or more, it asks for them above all. */
const SHARE_DECIDING = 0.2;

/** Undefined where the question has no identifiers, or more than {@link TERMS_MAX} terms of such, or no passage holds them all, or many do: then nothing tells passages apart that way. */
export function* identified(
  terms: readonly string[],
  { asked, upperBound }: WeightedQuery,
  index: LexicalIndex,
): Steps<Identified | undefined> {
  if (terms.length === 0 || terms.length > TERMS_MAX) return undefined;
  const holding = yield* index.passagesWithAll(terms, PASSAGES_FEW);
  if (holding.size === 0) return undefined;
  const deciding = new Set(terms);
  let weight = 0;
  for (const each of asked) if (deciding.has(each.text)) weight += each.weight;
  const decided = Math.min(1, weight / upperBound / SHARE_DECIDING);
  return { lacks: (ordinal) => !holding.has(ordinal), meaning: 1 - decided * (1 - MEANING_WITHOUT) };
}
