import { crc32 } from "node:zlib";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { KnowledgeView } from "./knowledge-view.ts";

/** Vectors of questions, each of length one, and how near two of them are that mean about the same. */
export interface QuestionVectors {
  readonly vectors: readonly Float32Array[];
  /** The least cosine of a question and a group that it belongs to. */
  readonly nearFrom: number;
}

/** By the static embedder. Paraphrases of short questions have cosines from about .6 on, other questions seldom have more than .5. */
const NEAR_BY_MEANING = 0.62;
/** By terms alone: about half of the weight of their terms is common. */
const NEAR_BY_TERMS = 0.5;
/** Dimensions into which terms are hashed. Questions are short, so that few terms share a dimension. */
const TERM_DIMENSIONS = 512;

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
    vectors.push(normalized(Float32Array.from(codes)));
    yield;
  }
  return vectors;
}

/** tf · idf among the questions themselves, hashed: words that most of them have, as "how do I", weigh little. */
function* byTerms(questions: readonly string[], view: KnowledgeView): Sliced<Float32Array[]> {
  const termsOf: ReadonlySet<string>[] = [];
  const frequency = new Map<string, number>();
  for (const question of questions) {
    const terms = new Set(view.terms(question));
    termsOf.push(terms);
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    yield;
  }
  const vectors: Float32Array[] = [];
  for (const terms of termsOf) {
    const vector = new Float32Array(TERM_DIMENSIONS);
    for (const term of terms) {
      const idf = Math.log(1 + questions.length / (frequency.get(term) ?? 1));
      const at = crc32(term) % TERM_DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + view.shareOf(term) * idf;
    }
    vectors.push(normalized(vector));
    yield;
  }
  return vectors;
}

/** Makes a vector length one, in place. A vector of zeros stays. */
function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

/** The sum of products of two vectors of the same length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
