import { sortedInSlices } from "../scheduling/sorted.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { KnowledgeView } from "./knowledge-view.ts";

/** Vectors of questions, each of length one or less, and how near two of them are that mean about the same. */
export interface QuestionVectors {
  readonly vectors: readonly Float32Array[];
  /** The least cosine of a question and a group that it belongs to. */
  readonly nearFrom: number;
}

/** By the static embedder. Half of the paraphrases of short questions have a cosine of .6 or more; of 1,000 pairs of other questions one has .4. */
const NEAR_BY_MEANING = 0.48;
/** By terms alone, which seldom tell paraphrases from other questions: more than a third of the weight of their terms is common. */
const NEAR_BY_TERMS = 0.38;
/** Terms that questions are compared by: the most frequent ones. */
const TERMS_MAX = 1_024;
/** Terms between two yields. */
const SLICE_TERMS = 4_096;

/** The vectors of questions by the static embedder of the bot; without one, by their terms. Yields after each question. */
export function* questionVectors(questions: readonly string[], view: KnowledgeView): Sliced<QuestionVectors> {
  const { encode } = view;
  if (encode !== undefined) {
    const byMeaning = yield* encoded(questions, encode);
    if (byMeaning !== undefined) return { vectors: byMeaning, nearFrom: NEAR_BY_MEANING };
  }
  return { vectors: yield* byTerms(questions, view), nearFrom: NEAR_BY_TERMS };
}

/** Undefined if the embedder gives no vector for one of them: vectors of two spaces cannot be compared. */
function* encoded(
  questions: readonly string[],
  encode: NonNullable<KnowledgeView["encode"]>,
): Sliced<Float32Array[] | undefined> {
  const vectors: Float32Array[] = [];
  for (const question of questions) {
    const codes = encode(question);
    if (codes === undefined) return undefined;
    const vector = Float32Array.from(codes);
    vectors.push(scaled(vector, Math.sqrt(dot(vector, vector))));
    yield;
  }
  return vectors;
}

/**
 * idf of terms among the questions themselves: words that most of them have, as "how do I", weigh little. Terms that only one question has make its vector
 * shorter than one: no dimension is needed to know that nothing else has them.
 */
function* byTerms(questions: readonly string[], view: KnowledgeView): Sliced<Float32Array[]> {
  const termsOf: ReadonlySet<string>[] = [];
  const frequency = new Map<string, number>();
  for (const question of questions) {
    const terms = new Set(view.terms(question));
    termsOf.push(terms);
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    yield;
  }
  const common: (readonly [term: string, count: number])[] = [];
  let counted = 0;
  for (const of of frequency) {
    counted += 1;
    if (counted % SLICE_TERMS === 0) yield;
    if (of[1] > 1) common.push(of);
  }
  const sorted = yield* sortedInSlices(common, ([a, of], [b, by]) => by - of || (a < b ? -1 : 1));
  const dimensions = new Map(sorted.slice(0, TERMS_MAX).map(([term], at) => [term, at]));
  const vectors: Float32Array[] = [];
  for (const terms of termsOf) {
    const vector = new Float32Array(dimensions.size);
    let squares = 0;
    for (const term of terms) {
      const weight = view.shareOf(term) * Math.log(1 + questions.length / (frequency.get(term) ?? 1));
      squares += weight * weight;
      const at = dimensions.get(term);
      if (at !== undefined) vector[at] = weight;
    }
    vectors.push(scaled(vector, Math.sqrt(squares)));
    yield;
  }
  return vectors;
}

/** Divides a vector by a length, in place. A vector of length 0 stays. */
function scaled(vector: Float32Array, length: number): Float32Array {
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

/** The sum of products of two vectors of the same length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
