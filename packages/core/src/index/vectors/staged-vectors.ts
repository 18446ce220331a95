import { BackgroundSimilarity } from "./background-similarity.ts";
import type { VectorRows } from "./rows.ts";

/** Vectors of consecutive keys that are written one by one and become visible together. No search sees only some of them. */
export class StagedVectors {
  readonly first: number;
  readonly #rows: VectorRows;
  readonly #inverseNorms: Float64Array;
  readonly #unrelated: BackgroundSimilarity;
  #count = 0;

  constructor(rows: VectorRows, first: number, countMax: number) {
    this.first = first;
    this.#rows = rows;
    this.#inverseNorms = new Float64Array(countMax);
    this.#unrelated = new BackgroundSimilarity(rows.dimensions);
  }

  get count(): number {
    return this.#count;
  }
  /** The last key that has a vector + 1. */
  get end(): number {
    return this.first + this.#count;
  }

  isIn(rows: VectorRows): boolean {
    return rows === this.#rows;
  }

  /** Writes the vector of the next key. */
  add(codes: Int8Array): void {
    this.#inverseNorms[this.#count] = this.#rows.stage(this.end, codes);
    this.#unrelated.add(codes);
    this.#count++;
  }

  /** Makes the vectors visible, and adds them to `level`, the background similarity of all vectors, if that is kept. */
  enter(level: BackgroundSimilarity | undefined): void {
    this.#rows.enter(this.first, this.#inverseNorms.subarray(0, this.#count));
    level?.addAll(this.#unrelated);
  }
}
