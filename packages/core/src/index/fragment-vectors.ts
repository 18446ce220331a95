import { LruMap } from "../platform/lru-map.ts";
import { type IndexedDocument, plainFragment } from "./indexed-document.ts";
import { encodeVector, inverseNormOf, type QueryVector } from "./vectors/codes.ts";

/** Makes the vector of a short text, of length one; undefined if it cannot. Each static embedder has one function, which tells it from others. */
export type EmbedShort = (text: string) => Float32Array | undefined;

/** Bytes of all vectors of a bot that are kept: some 40,000 of 384 dimensions. */
const FRAGMENT_VECTORS_BYTES_MAX = 16 * 1_048_576;
/** Bytes of a document's entry, and of one run beside its codes. Measured. */
const DOCUMENT_BYTES = 300;
const RUN_BYTES = 450;

/** The vectors of adjacent fragments. */
interface Run {
  readonly count: number;
  /** The codes of one fragment after the other. */
  readonly codes: Int8Array;
  /** By fragment: 1 / (the length of its codes). NaN: it has no vector. */
  readonly inverseNorms: Float64Array;
}

interface Held {
  readonly runs: Map<number, Run>;
  bytes: number;
}

/**
 * The vectors of fragments that share an embedding window, by the static embedder. A run of fragments is embedded when a question first compares them, and
 * kept as int8 codes until there is no room: to read and embed the text again takes a hundred times as long as to compare codes.
 */
export class FragmentVectors {
  readonly #held: LruMap<IndexedDocument, Held>;
  /** The function that made what is kept. */
  #by: EmbedShort | undefined;

  constructor(bytesMax = FRAGMENT_VECTORS_BYTES_MAX) {
    this.#held = new LruMap(bytesMax);
  }

  /** Memory of all vectors that are kept. */
  get bytes(): number {
    return this.#held.size;
  }

  /** The cosine of the question and each of the fragments `[first, first + count)`; undefined for one that has no vector. */
  cosines(
    query: QueryVector,
    embed: EmbedShort,
    document: IndexedDocument,
    first: number,
    count: number,
  ): (number | undefined)[] {
    const { codes, inverseNorms } = this.#run(embed, document, first, count);
    const dimensions = codes.length / count;
    const cosines = new Array<number | undefined>(count).fill(undefined);
    for (let i = 0; i < count; i++) {
      const inverseNorm = inverseNorms[i] as number;
      if (Number.isNaN(inverseNorm)) continue;
      cosines[i] = productOf(query.codes, codes, i * dimensions, dimensions) * query.inverseNorm * inverseNorm;
    }
    return cosines;
  }

  /** Forgets a document that leaves the index. */
  forget(document: IndexedDocument): void {
    this.#held.delete(document);
  }

  #run(embed: EmbedShort, document: IndexedDocument, first: number, count: number): Run {
    if (embed !== this.#by) this.#held.clear();
    this.#by = embed;
    const held = this.#held.get(document) ?? { runs: new Map<number, Run>(), bytes: DOCUMENT_BYTES };
    const known = held.runs.get(first);
    // Windows that happen to be as near to a question as their neighbours make a longer run.
    if (known?.count === count) return known;
    const made = embedded(embed, document, first, count);
    held.bytes += bytesOf(made) - bytesOf(known);
    held.runs.set(first, made);
    this.#held.set(document, held, held.bytes);
    return made;
  }
}

function bytesOf(run: Run | undefined): number {
  return run === undefined ? 0 : RUN_BYTES + run.codes.byteLength + run.inverseNorms.byteLength;
}

function embedded(embed: EmbedShort, document: IndexedDocument, first: number, count: number): Run {
  const vectors = Array.from({ length: count }, (_, i) => embed(plainFragment(document, first + i)));
  const dimensions = vectors.find((vector) => vector !== undefined)?.length ?? 0;
  const codes = new Int8Array(count * dimensions);
  const inverseNorms = new Float64Array(count).fill(Number.NaN);
  for (const [i, vector] of vectors.entries()) {
    if (vector === undefined) continue;
    const own = encodeVector(vector);
    codes.set(own, i * dimensions);
    inverseNorms[i] = inverseNormOf(own);
  }
  return { count, codes, inverseNorms };
}

/** The sum of the products of a query's codes and those from `at` on. In bounds: both have as many dimensions. */
function productOf(query: Int16Array, codes: Int8Array, at: number, dimensions: number): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += (query[i] as number) * (codes[at + i] as number);
  return sum;
}
