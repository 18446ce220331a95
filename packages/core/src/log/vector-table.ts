import type { VectorSpace } from "../model/records.ts";

/** The vectors that one version of a document has so far. */
export interface StoredVectors {
  readonly version: number;
  readonly space: VectorSpace;
  /** Number of the rules that made the texts. */
  readonly texts: number;
  /** Of the document's first texts: `space.dimensions` bytes each, in order. */
  readonly codes: Int8Array;
}

/** The stored vectors of documents, counted as they come and go. */
export class VectorTable extends Map<string, StoredVectors> {
  /** By the number of the rules that made the texts: how many vectors there are. */
  readonly #counts = new Map<number, number>();

  /** How many vectors there are of texts that these rules made, of whatever space. Nothing is counted for it. */
  countOf(texts: number): number {
    return this.#counts.get(texts) ?? 0;
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
