import type { EmbedShort } from "../model/embed-short.ts";
import { LruMap } from "../platform/lru-map.ts";
import { type IndexedDocument, plainFragment } from "./indexed-document.ts";
import { encodeVector, inverseNormOf, type QueryVector } from "./vectors/codes.ts";

/** The most bytes that are kept for a bot: some 30,000 vectors of 384 dimensions, in runs of three. */
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

interface RunsOfDocument {
  /** By the first fragment of each run. */
  readonly runs: Map<number, Run>;
  bytes: number;
}

/**
 * The vectors of fragments that share an embedding window, by the static embedder: an LRU cache by document. A run of fragments is embedded when a
 * question first compares it. It is kept as int8 codes: to read and embed one fragment takes a hundred times as long as to compare its codes.
 */
export class FragmentVectors {
  readonly #documents: LruMap<IndexedDocument, RunsOfDocument>;
  /** The function that made all vectors that are kept. */
  #embed: EmbedShort | undefined;

  constructor(bytesMax = FRAGMENT_VECTORS_BYTES_MAX) {
    this.#documents = new LruMap(bytesMax);
  }

  /** Memory of all vectors that are kept. */
  get bytes(): number {
    return this.#documents.size;
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
    this.#documents.delete(document);
  }

  /** Forgets all vectors. */
  clear(): void {
    this.#documents.clear();
  }

  #run(embed: EmbedShort, document: IndexedDocument, first: number, count: number): Run {
    if (embed !== this.#embed) this.clear();
    this.#embed = embed;
    const known = this.#documents.get(document)?.runs.get(first);
    // A run ends where the cosines of windows differ, so its length depends on the question.
    if (known?.count === count) return known;
    const made = embedded(embed, document, first, count);
    // An embedder that failed may not fail the next time.
    if (!made.inverseNorms.some(Number.isNaN)) this.#keep(document, first, made);
    return made;
  }

  #keep(document: IndexedDocument, first: number, run: Run): void {
    const own = this.#documents.get(document) ?? { runs: new Map<number, Run>(), bytes: DOCUMENT_BYTES };
    own.bytes += bytesOf(run) - bytesOf(own.runs.get(first));
    // A document that alone takes more than all may begins again.
    if (own.bytes > this.#documents.sizeMax) {
      own.runs.clear();
      own.bytes = DOCUMENT_BYTES + bytesOf(run);
    }
    own.runs.set(first, run);
    this.#documents.set(document, own, own.bytes);
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
