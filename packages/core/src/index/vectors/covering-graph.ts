import type { QueryVector } from "./codes.ts";
import { KeySet } from "./key-set.ts";
import { NearestKeys } from "./nearest-keys.ts";
import type { VectorRows } from "./rows.ts";
import type { Graphs, VectorGraph } from "./vector-graph.ts";
import type { Neighbour } from "./vector-index.ts";

/**
 * A graph that is on its way to cover all rows. What it lacks yet is known, and looked at one by one, so that every search
 * is as good as if it were complete.
 */
export class CoveringGraph {
  readonly index: VectorGraph;
  readonly #rows: VectorRows;
  readonly #missing = new KeySet();
  /** The missing keys are taken in rising order, from here on, and then from the lowest one again. */
  #next = 0;

  constructor(index: VectorGraph, rows: VectorRows) {
    this.index = index;
    this.#rows = rows;
    for (let key = 0; key < rows.end; key++) if (rows.has(key) && !index.has(key)) this.#missing.add(key);
  }

  static empty(graphs: Graphs, rows: VectorRows): CoveringGraph {
    return new CoveringGraph(graphs.empty(rows, Math.ceil(rows.count * 1.1)), rows);
  }

  /** Vectors that the graph does not have yet. */
  get missing(): number {
    return this.#missing.size;
  }
  /** Whether {@link step} has something to do. */
  get hasWork(): boolean {
    return this.#missing.size > 0 || this.index.isUntidy;
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

  /** Takes one missing vector into the graph, or does a piece of what those that are gone have left. */
  step(): void {
    if (this.index.isUntidy) {
      this.index.tidy();
      return;
    }
    let key = this.#missing.next(this.#next);
    if (key < 0) key = this.#missing.next(0);
    if (key < 0) return;
    this.#next = key + 1;
    // It may be gone already, and nobody has come to say so.
    if (this.#rows.has(key)) this.index.insert(key);
    this.#missing.delete(key);
  }

  /** The `k` nearest; the graph is asked for `asked`, some of which may have no row any more. */
  nearest(query: QueryVector, k: number, asked: number): Neighbour[] {
    const nearest = new NearestKeys(k);
    this.index.search(query, asked, nearest);
    let count = 0;
    for (let key = this.#missing.next(0); key >= 0; key = this.#missing.next(key + 1)) {
      MISSING[count++] = key;
      if (count < MISSING.length) continue;
      this.#offer(query, count, nearest);
      count = 0;
    }
    this.#offer(query, count, nearest);
    return nearest.neighbours();
  }

  /** Offers the first so many of the missing keys that were noted. */
  #offer(query: QueryVector, count: number, nearest: NearestKeys): void {
    const cosines = this.#rows.cosinesOf(query, MISSING, count);
    let { worst } = nearest;
    for (let i = 0; i < count; i++) {
      const cosine = cosines[i] as number;
      // False for NaN, where there is no vector. Of equally near ones the graph may have offered a higher key before.
      if (!(cosine >= worst)) continue;
      nearest.offer(MISSING[i] as number, cosine);
      ({ worst } = nearest);
    }
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

/** Keys that are compared at once. */
const MISSING = new Uint32Array(1_024);
