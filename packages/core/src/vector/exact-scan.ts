import type { QueryVector } from "./codes.ts";
import { NearestKeys } from "./nearest-keys.ts";
import type { Neighbour, VectorIndex } from "./vector-index.ts";
import type { VectorRows } from "./vector-rows.ts";

/** Compares the query with every vector: misses nothing, and is the fastest way while there are few. */
export class ExactScan implements VectorIndex {
  readonly #rows: VectorRows;

  /** An index over these rows, also over what others write there. */
  constructor(rows: VectorRows) {
    this.#rows = rows;
  }

  get dimensions(): number {
    return this.#rows.dimensions;
  }
  get count(): number {
    return this.#rows.count;
  }
  get bytes(): number {
    return this.#rows.bytes;
  }
  set(key: number, codes: Int8Array): void {
    this.#rows.set(key, codes);
  }
  delete(key: number): boolean {
    return this.#rows.delete(key);
  }
  has(key: number): boolean {
    return this.#rows.has(key);
  }

  nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[] {
    const nearest = new NearestKeys(k);
    let { worst } = nearest;
    const cosines = this.#rows.scan(query);
    for (let key = 0; key < cosines.length; key++) {
      const cosine = cosines[key] ?? Number.NaN;
      // False for NaN, where there is no vector. Keys rise, so an equal cosine can't displace an earlier one.
      if (!(cosine > worst) || allowed?.(key) === false) continue;
      nearest.offer(key, cosine);
      ({ worst } = nearest);
    }
    return nearest.neighbours();
  }
}
