import { ServerProblem } from "./server-problem.ts";

/**
 * Returns the vectors of an answer in the order of the texts, whatever the order of its entries. They are unchanged, and all of one length.
 * @throws ServerProblem `failed` if the answer does not fit the request
 */
export function vectorsOfAnswer(body: string, count: number): Float64Array[] {
  const data = listOf(body);
  if (data.length !== count) throw unusable(`${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float64Array | undefined>(count).fill(undefined);
  for (const [place, entry] of data.entries()) {
    const { index, embedding } = fieldsOf(entry, place);
    if (!(index in vectors)) throw unusable(`a vector for text ${index} of ${count}`);
    if (vectors[index] !== undefined) throw unusable(`two vectors for text ${index}`);
    vectors[index] = numbersOf(embedding);
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  const [first] = whole;
  if (whole.some((vector) => vector.length !== first?.length)) throw unusable("vectors of different lengths");
  return whole;
}

function listOf(body: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw unusable("no JSON", cause);
  }
  const data = typeof parsed === "object" && parsed !== null && "data" in parsed ? parsed.data : undefined;
  if (!Array.isArray(data)) throw unusable("JSON without a list `data`");
  return data;
}

/** Servers that omit `index` keep the order. */
function fieldsOf(entry: unknown, place: number): { readonly index: number; readonly embedding: unknown } {
  if (typeof entry !== "object" || entry === null || !("embedding" in entry))
    throw unusable("an entry without a vector");
  const index = "index" in entry ? entry.index : place;
  if (typeof index !== "number" || !Number.isInteger(index)) throw unusable("an entry whose `index` is no number");
  return { index, embedding: entry.embedding };
}

function numbersOf(embedding: unknown): Float64Array {
  if (!Array.isArray(embedding) || embedding.length === 0) throw unusable("a vector that is no list of numbers");
  const vector = new Float64Array(embedding.length);
  for (const [i, component] of embedding.entries()) {
    if (typeof component !== "number" || !Number.isFinite(component))
      throw unusable("a vector with something in it that is no number");
    vector[i] = component;
  }
  return vector;
}

function unusable(what: string, cause?: unknown): ServerProblem {
  return new ServerProblem("failed", `The model server gave an answer that cannot be used: ${what}.`, undefined, {
    cause,
  });
}
