import type { QueryVector } from "./codes.ts";
import { HNSW_PARAMETERS, HnswIndex, type HnswLibrary } from "./hnsw-index.ts";
import { NearestKeys } from "./nearest-keys.ts";
import type { Neighbour } from "./vector-index.ts";
import type { VectorRows } from "./vector-rows.ts";

/**
 * A graph that is on its way to cover all rows. What it lacks yet is known, and looked at one by one, so that every search
 * is as good as if it were complete.
 */
export class CoveringGraph {
  readonly index: HnswIndex;
  readonly #rows: VectorRows;
  readonly #missing = new Set<number>();
  /**
   * Goes through the missing keys, those that are added on the way too; each is taken out when it has been reached. Starting
   * anew for every step would pass over the places of all that are gone.
   */
  #order = this.#missing.values();

  constructor(index: HnswIndex, rows: VectorRows) {
    this.index = index;
    this.#rows = rows;
    for (let key = 0; key < rows.end; key++) if (rows.has(key) && !index.has(key)) this.#missing.add(key);
  }

  static empty(library: HnswLibrary, rows: VectorRows): CoveringGraph {
    const capacity = Math.ceil(rows.count * 1.1);
    return new CoveringGraph(new HnswIndex(library, rows, HNSW_PARAMETERS, capacity), rows);
  }

  /** Vectors that the graph does not have yet. */
  get missing(): number {
    return this.#missing.size;
  }
  /** Share of the graph's points whose vector is gone. */
  get tombstoneShare(): number {
    const { tombstones, count } = this.index;
    return tombstones === 0 ? 0 : tombstones / (tombstones + count);
  }

  /** The row of a key has been set. */
  onSet(key: number): void {
    this.index.forget(key);
    this.#missing.add(key);
  }

  /** The row of a key is gone. */
  onDelete(key: number): void {
    this.index.forget(key);
    this.#missing.delete(key);
  }

  /** Takes one missing vector into the graph. */
  step(): void {
    const next = this.#order.next();
    if (next.done) {
      // Nothing was missing: it would never see what comes from now on.
      this.#order = this.#missing.values();
      return;
    }
    // It may be gone already, and nobody has come to say so.
    if (this.#rows.has(next.value)) this.index.insert(next.value);
    this.#missing.delete(next.value);
  }

  /** The `k` nearest; the graph is asked for `asked`, some of which may have no row any more. */
  nearest(query: QueryVector, k: number, asked: number): Neighbour[] {
    const nearest = new NearestKeys(k);
    this.index.search(query, asked, nearest);
    for (const key of this.#missing) {
      const cosine = this.#rows.cosine(query, key);
      if (cosine !== undefined) nearest.offer(key, cosine);
    }
    return nearest.neighbours();
  }

  /** The row of a key has been moved to another. */
  onMove(from: number, to: number): void {
    this.onDelete(to);
    if (this.#missing.delete(from)) this.#missing.add(to);
    else this.index.move(from, to);
  }

  close(): void {
    this.index.close();
    this.#missing.clear();
  }
}
