import type { QueryVector } from "./codes.ts";
import type { AllowedKeys } from "./exact-scan.ts";
import { KeySet } from "./key-set.ts";
import { NearestKeys, type Neighbour } from "./nearest-keys.ts";
import type { VectorRows } from "./rows.ts";
import type { Graphs, VectorGraph } from "./vector-graph.ts";

/**
 * A graph that is being built, with the set of keys that it still lacks. Searches also compare the missing keys one by one.
 * So every search is as good as with a complete graph.
 */
export class CoveringGraph {
  readonly index: VectorGraph;
  readonly #rows: VectorRows;
  readonly #missing = new KeySet();
  /** The next missing key to insert is the lowest from here on, or else the lowest of all. */
  #next = 0;

  constructor(index: VectorGraph, rows: VectorRows) {
    this.index = index;
    this.#rows = rows;
    for (let key = 0; key < rows.end; key++) if (rows.has(key) && !index.has(key)) this.#missing.add(key);
  }

  static empty(graphs: Graphs<VectorRows>, rows: VectorRows): CoveringGraph {
    return new CoveringGraph(graphs.empty(rows, Math.ceil(rows.count * 1.1)), rows);
  }

  /** Number of vectors that the graph lacks. */
  get missing(): number {
    return this.#missing.size;
  }
  /** Whether {@link step} has something to do. */
  get hasWork(): boolean {
    return this.#missing.size > 0 || this.index.isUntidy;
  }

  /** To be called after the row of a key was set. */
  onSet(key: number): void {
    this.index.forget(key);
    this.#missing.add(key);
  }

  /** To be called after the row of a key was deleted. */
  onDelete(key: number): void {
    this.index.forget(key);
    this.#missing.delete(key);
  }

  /** Tidies the graph a little if it is untidy, or else inserts one missing vector. */
  step(): void {
    if (this.index.isUntidy) {
      this.index.tidy();
      return;
    }
    let key = this.#missing.next(this.#next);
    if (key < 0) key = this.#missing.next(0);
    if (key < 0) return;
    this.#next = key + 1;
    // The row may be hidden already, before onDelete was called.
    if (this.#rows.has(key)) this.index.insert(key);
    this.#missing.delete(key);
  }

  /**
   * The `k` nearest allowed keys. The graph is asked for `asked` neighbours, as some of them may have no row any more, or may not be allowed.
   * O(missing keys) besides the walk.
   */
  nearest(query: QueryVector, k: number, asked: number, allowed?: AllowedKeys): Neighbour[] {
    const nearest = new NearestKeys(k);
    this.index.search(query, asked, (key, cosine) => {
      if (allowed === undefined || allowed.hasKey(key)) nearest.offer(key, cosine);
    });
    let count = 0;
    for (let key = this.#missing.next(0); key >= 0; key = this.#missing.next(key + 1)) {
      if (allowed !== undefined && !allowed.hasKey(key)) continue;
      MISSING[count++] = key;
      if (count < MISSING.length) continue;
      this.#offer(query, count, nearest);
      count = 0;
    }
    this.#offer(query, count, nearest);
    return nearest.neighbours();
  }

  /** Compares the first `count` keys of `MISSING`, and offers them. */
  #offer(query: QueryVector, count: number, nearest: NearestKeys): void {
    const cosines = this.#rows.cosinesOf(query, MISSING, count);
    let { worst } = nearest;
    for (let i = 0; i < count; i++) {
      const cosine = cosines[i] as number;
      // False for NaN, where there is no vector. Equal cosines are offered: the graph may have offered a higher key before.
      if (!(cosine >= worst)) continue;
      nearest.offer(MISSING[i] as number, cosine);
      ({ worst } = nearest);
    }
  }

  /** To be called after the row of a key was moved to another key. */
  onMove(from: number, to: number): void {
    this.onDelete(to);
    if (this.#missing.delete(from)) this.#missing.add(to);
    else this.index.move(from, to);
  }

  close(): void {
    closeGraph(this.index);
    this.#missing.clear();
  }
}

/** Frees a graph. A backend of others that fails to must not keep the bot from closing. */
export function closeGraph(graph: VectorGraph): void {
  try {
    graph.close();
  } catch {
    // Nothing is left to be done with it.
  }
}

/** Buffer for missing keys that are compared in one call. */
const MISSING = new Uint32Array(1_024);
