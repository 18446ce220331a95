import { BackgroundSimilarity } from "./background-similarity.ts";
import type { VectorRows } from "./rows.ts";

/** Vectors of keys that follow each other, which are written one by one and found from one moment on: no search sees some of them. */
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
  /** After the last key that has been given. */
  get end(): number {
    return this.first + this.#count;
  }

  isIn(rows: VectorRows): boolean {
    return rows === this.#rows;
  }

  /** Gives the next key its vector. */
  add(codes: Int8Array): void {
    this.#inverseNorms[this.#count] = this.#rows.stage(this.end, codes);
    this.#unrelated.add(codes);
    this.#count++;
  }

  /** They are there from now on. The level of all is told of them, if it is known. */
  enter(level: BackgroundSimilarity | undefined): void {
    this.#rows.enter(this.first, this.#inverseNorms.subarray(0, this.#count));
    level?.addAll(this.#unrelated);
  }
}
