import { type RecordOf, sameSpace, type VectorSpace } from "../model/records.ts";

/** The vectors that one version of a document has so far, from one encoder. */
export interface StoredVectors {
  readonly version: number;
  readonly space: VectorSpace;
  /** Version of the rules that cut the document into embedded texts; see `EMBEDDED_TEXTS_VERSION`. */
  readonly texts: number;
  /** Quantized vectors of the document's first texts, in order: `space.dimensions` bytes each. */
  readonly codes: Int8Array;
}

/** The stored vectors of documents by id, with running counts. */
export class VectorTable extends Map<string, StoredVectors> {
  /** Number of vectors by the version of the rules that cut their texts. */
  readonly #counts = new Map<number, number>();

  /** Number of vectors of texts that were cut by these rules, in any vector space. O(1). */
  countOf(texts: number): number {
    return this.#counts.get(texts) ?? 0;
  }

  /** Whether all vectors of this record are stored. */
  includes({ id, version, space, texts, first, count }: RecordOf<"vectors">): boolean {
    const known = this.get(id);
    if (known === undefined || known.version !== version || known.texts !== texts) return false;
    return sameSpace(known.space, space) && known.codes.length >= (first + count) * space.dimensions;
  }

  override set(id: string, vectors: StoredVectors): this {
    this.#count(this.get(id), -1);
    this.#count(vectors, 1);
    return super.set(id, vectors);
  }

  override delete(id: string): boolean {
    this.#count(this.get(id), -1);
    return super.delete(id);
  }

  override clear(): void {
    this.#counts.clear();
    super.clear();
  }

  #count(vectors: StoredVectors | undefined, sign: 1 | -1): void {
    if (vectors === undefined) return;
    const { texts, codes, space } = vectors;
    this.#counts.set(texts, this.countOf(texts) + (sign * codes.length) / space.dimensions);
  }
}
