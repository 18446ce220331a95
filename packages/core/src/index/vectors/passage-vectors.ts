import { GRAPH_BYTES_MAX } from "../../model/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { scheduler } from "../../scheduling/scheduler.ts";
import type { OperationMeter, Sliced } from "../../scheduling/time-slices.ts";
import { BackgroundSimilarity } from "./background-similarity.ts";
import type { QueryVector } from "./codes.ts";
import { CoveringGraph, closeGraph } from "./covering-graph.ts";
import { type AllowedKeys, ExactScan, rowsOfScan } from "./exact-scan.ts";
import type { Neighbour } from "./nearest-keys.ts";
import { VectorRows } from "./rows.ts";
import { StagedVectors } from "./staged-vectors.ts";
import type { Graphs, VectorGraph } from "./vector-graph.ts";
import { wantedNeighbours } from "./wanted-neighbours.ts";

export interface PassageVectorsOptions {
  /** The graph backend. Without it every search scans. */
  readonly graphs?: Graphs<VectorRows>;
  /** Number of vectors from which on a graph is built; default {@link GRAPH_VECTORS_MIN}. */
  readonly graphVectorsMin?: number;
}

/** Least vectors for a graph. A scan takes half a millisecond or more there, about three graph searches, at 256 dimensions: see docs/decisions. */
export const GRAPH_VECTORS_MIN = 25_000;

/**
 * The vectors of a bot's embedding windows, searched by exact scan or by graph. All vectors are in rows that a search can scan. For many vectors,
 * {@link work} builds a graph beside the rows, which serves the searches for which it is faster. Invariant: cosines are always exact. Only the set of
 * found keys may differ a little when the graph finds them.
 */
export class PassageVectors {
  readonly #rows: VectorRows;
  readonly #exact: ExactScan;
  readonly #graphs: Graphs<VectorRows> | undefined;
  readonly #graphVectorsMin: number;
  /** The graph that serves searches. */
  #graph: CoveringGraph | undefined;
  /** A new graph without deleted vectors. It replaces the serving graph when it is complete. */
  #successor: CoveringGraph | undefined;
  #saving: Promise<Uint8Array> | undefined;
  /** Set by {@link keepBackground}, or by the first read of {@link backgroundSimilarity}. */
  #unrelated: BackgroundSimilarity | undefined;
  /** Rises when vectors get other keys. */
  #numbering = 0;
  /** Number of vectors that {@link take} removed and that graphs still find. */
  #unforgotten = 0;
  /** The serving graph still knows deleted vectors that must not be saved: see {@link forgetGone}. */
  #isStale = false;
  #isClosed = false;

  constructor(dimensions: number, options: PassageVectorsOptions = {}) {
    this.#rows = new VectorRows(dimensions);
    this.#exact = new ExactScan(this.#rows);
    this.#graphs = options.graphs;
    this.#graphVectorsMin = options.graphVectorsMin ?? GRAPH_VECTORS_MIN;
  }

  get dimensions(): number {
    return this.#rows.dimensions;
  }
  /** Rises whenever a vector is set, deleted or moved to another key. */
  get changes(): number {
    return this.#rows.changes;
  }
  get count(): number {
    return this.#rows.count;
  }
  get bytes(): number {
    const graphs = [this.#graph, this.#successor];
    return graphs.reduce((sum, graph) => sum + (graph?.index.graphBytes ?? 0), this.#rows.bytes);
  }

  /**
   * State of the graph. `none`: there are too few vectors, there is no backend, or it failed. `building`: a first graph or a successor is due, or
   * the graph lacks vectors; searches already use the finished share. `ready`: the graph has every vector.
   */
  get graph(): "none" | "building" | "ready" {
    const graph = this.#graph;
    if (graph === undefined) return this.#isWanted ? "building" : "none";
    return this.#isReplaced(graph) || graph.missing > 0 ? "building" : "ready";
  }

  /** Whether {@link work} has something to do. A `ready` graph may still have to be tidied. */
  get hasWork(): boolean {
    const graph = this.#graph;
    if (graph === undefined) return this.#isWanted;
    return this.#isReplaced(graph) || graph.hasWork;
  }

  /** Whether a successor is being built or is due. */
  #isReplaced(graph: CoveringGraph): boolean {
    return this.#successor !== undefined || this.#needsSuccessor(graph);
  }

  /** The cosine of unrelated texts of this bot: see {@link BackgroundSimilarity}. */
  get backgroundSimilarity(): number {
    this.keepBackground();
    return this.#unrelated?.level ?? 0;
  }

  /** Keeps the background similarity up to date from now on. Best called before there are vectors: the first call reads all vectors at once. */
  keepBackground(): void {
    this.#unrelated ??= this.#measureUnrelated();
  }

  #measureUnrelated(): BackgroundSimilarity {
    const level = new BackgroundSimilarity(this.dimensions);
    this.#rows.forEach((_, codes) => {
      level.add(codes);
    });
    return level;
  }

  set(key: number, codes: Int8Array): void {
    const before = this.#unrelated === undefined ? undefined : this.#rows.codesOf(key);
    this.#rows.set(key, codes);
    if (before !== undefined) this.#unrelated?.remove(before);
    this.#unrelated?.add(codes);
    this.#graph?.onSet(key);
    this.#successor?.onSet(key);
  }

  delete(key: number): boolean {
    const before = this.#unrelated === undefined ? undefined : this.#rows.codesOf(key);
    if (!this.#rows.delete(key)) return false;
    if (before !== undefined) this.#unrelated?.remove(before);
    this.#graph?.onDelete(key);
    this.#successor?.onDelete(key);
    if (this.count < this.#graphVectorsMin * KEPT_SHARE) this.#dropGraph();
    return true;
  }

  /** Stages at most `count` vectors from key `first` on, which become visible in one step: see {@link StagedVectors}. */
  stage(first: number, count: number): StagedVectors {
    return new StagedVectors(this.#rows, first, count);
  }

  /** Makes staged vectors visible to searches. False if they were staged for other rows. */
  enter(staged: StagedVectors): boolean {
    if (!staged.isIn(this.#rows)) return false;
    staged.enter(this.#unrelated);
    for (let key = staged.first; key < staged.end; key++) {
      this.#graph?.onSet(key);
      this.#successor?.onSet(key);
    }
    return true;
  }

  /** Hides the vectors of `[first, end)` from searches at once. The returned work deletes them from graphs and from the background similarity. */
  take(first: number, end: number): Sliced<void> {
    const keys = this.#rows.hide(first, end);
    this.#unforgotten += keys.length;
    return this.#forget(keys, this.#unrelated, this.#numbering);
  }

  /** Deletes hidden vectors from graphs, and from `level` unless it was measured again since. `numbering` is the numbering of `keys`. */
  *#forget(keys: Uint32Array, level: BackgroundSimilarity | undefined, numbering: number): Sliced<void> {
    for (const key of keys) {
      this.#unforgotten--;
      if (numbering !== this.#numbering) {
        // Keys have changed: the row may hold another vector by now, and the deleted codes are lost.
        if (level === this.#unrelated) this.#unrelated = undefined;
        if (this.#rows.has(key)) continue;
      } else if (level !== undefined && level === this.#unrelated) level.remove(this.#rows.rowOf(key));
      this.#graph?.onDelete(key);
      this.#successor?.onDelete(key);
      yield;
    }
    if (this.count < this.#graphVectorsMin * KEPT_SHARE) this.#dropGraph();
  }

  has(key: number): boolean {
    return this.#rows.has(key);
  }
  /** A copy of a vector's codes; undefined if there is none. */
  codesOf(key: number): Int8Array | undefined {
    return this.#rows.codesOf(key);
  }
  /** A view of a vector's codes, valid until a vector is set or moved; undefined if there is none. */
  rowOf(key: number): Int8Array | undefined {
    return this.#rows.has(key) ? this.#rows.rowOf(key) : undefined;
  }
  /** Encodes a query's vector for the methods below. */
  prepare(vector: Float32Array): QueryVector {
    return this.#rows.prepare(vector);
  }
  /** The cosine of the query and a vector, -1 to 1; undefined if there is none. */
  cosine(query: QueryVector, key: number): number | undefined {
    return this.#rows.cosine(query, key);
  }
  /** The highest cosine of the query and the keys in `[first, end)`; undefined if none of them has a vector. */
  highestCosine(query: QueryVector, first: number, end: number): number | undefined {
    return this.#rows.highestCosine(query, first, end);
  }
  /** The cosines with the first `count` keys, in their order; NaN for a key without a vector. The next call overwrites the array. */
  cosinesOf(query: QueryVector, keys: Uint32Array, count: number): Float32Array {
    return this.#rows.cosinesOf(query, keys, count);
  }

  /**
   * The `k` nearest vectors, or all if there are fewer; none if `k` is below 1. Nearest first, equal cosines by lower key. With `allowed`, only
   * those keys count. Works in time slices; the walk through a graph is one slice. No vector may change meanwhile.
   */
  *nearestInSlices(
    query: QueryVector,
    k: number,
    meter: OperationMeter,
    allowed?: AllowedKeys,
  ): Sliced<readonly Neighbour[]> {
    const graph = this.#graphFor(k, allowed);
    if (graph !== undefined) {
      // A walk can't leave a disconnected region, and may pass too few allowed keys. If it finds too few, the rows are scanned: the caller would take
      // them for all.
      const asked = this.#askedFor(k, allowed);
      const near = graph.nearest(query, k, asked, allowed);
      if (meter.shouldYield(Math.ceil(this.#rowsOfWalk(graph, asked) * this.#rows.operationsARow))) yield;
      if (near.length >= Math.min(k, allowed?.keyCount ?? this.count)) return near;
    }
    return yield* this.#exact.nearestInSlices(query, k, meter, allowed);
  }

  /** Whether {@link nearestInSlices} may miss some of the `k` nearest because the graph serves the search. */
  mayMiss(k: number, allowed?: AllowedKeys): boolean {
    return this.#graphFor(k, allowed) !== undefined;
  }

  /** The graph if it serves this search: not where few keys are allowed, since it would have to find far more than are wanted. */
  #graphFor(k: number, allowed: AllowedKeys | undefined): CoveringGraph | undefined {
    const graph = this.#graph;
    const rows = graph === undefined ? 0 : this.#rowsOfWalk(graph, this.#askedFor(k, allowed));
    return rows <= rowsOfScan(allowed, this.#rows.end) ? graph : undefined;
  }

  /** Number of neighbours to ask a graph for. Deleted vectors may be nearer than all others, so their number is added. */
  #askedFor(k: number, allowed: AllowedKeys | undefined): number {
    return wantedNeighbours(k, allowed, this.count) + this.#unforgotten;
  }

  /**
   * Builds the graph, one vector after the other (well below a millisecond each), until the clock's monotonic time reaches
   * `untilMs`. At least one vector is added. Returns whether more is to do.
   * @throws Error of the graph backend if it fails; searches scan from then on
   */
  work(untilMs: number, clock: Clock): boolean {
    while (this.hasWork && !this.#isHeldUp) {
      this.#step();
      if (clock.monotonicMs() >= untilMs) break;
    }
    return this.hasWork;
  }

  /** Moves a vector to a lower key that has no vector. */
  move(from: number, to: number): void {
    if (!this.#rows.has(from)) return;
    this.#rows.move(from, to);
    this.#numbering++;
    this.#graph?.onMove(from, to);
    this.#successor?.onMove(from, to);
  }

  /** Frees unused memory. No vector may be staged. */
  trim(): void {
    this.#numbering++;
    this.#rows.trim();
  }

  /**
   * The graph as bytes for {@link loadGraph}; undefined if there is no graph, if graphs are not kept, or if it knows vectors that must not be saved.
   * The serving graph does not grow meanwhile. Rejects if the graph is too large, or if there is no space for a temporary file.
   */
  async saveGraph(): Promise<Uint8Array | undefined> {
    const isSavable = this.#graphs?.areKept === true && !this.#isStale;
    if (this.#graph === undefined || !isSavable) return undefined;
    this.#saving ??= this.#graph.index.save(GRAPH_BYTES_MAX).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  /**
   * Ensures that no graph is saved from now on that knows a deleted vector. {@link work} builds such a graph again; it serves searches until then.
   * Resolves when a save in progress has ended.
   */
  async forgetGone(): Promise<void> {
    if (this.#successor !== undefined && this.#hasGone(this.#successor)) {
      this.#successor.close();
      this.#successor = undefined;
    }
    this.#isStale = this.#graph !== undefined && this.#hasGone(this.#graph);
    await this.#saving?.catch(() => undefined);
  }

  /** Whether a graph knows deleted vectors, including vectors whose deletion it was not told of yet. */
  #hasGone({ index }: CoveringGraph): boolean {
    return index.tombstones > 0 || this.#unforgotten > 0;
  }

  /**
   * Takes over a saved graph, so that its points need not be built again. `unneeded`: there is no use for it. `unusable`: the bytes are damaged,
   * or of another version or other parameters. In both cases nothing has changed, and {@link work} builds the graph if one is wanted.
   */
  async loadGraph(bytes: Uint8Array): Promise<"loaded" | "unneeded" | "unusable"> {
    if (this.#graphs === undefined || !this.#isWanted) return "unneeded";
    let index: VectorGraph | undefined;
    try {
      index = await this.#graphs.load(this.#rows, bytes);
      if (index === undefined) return "unusable";
      let matching = index.match();
      // No time slice of others may come between the end of matching and the code below.
      for (let begun = 1, isMatched = false; !isMatched; ) {
        const step = matching.next();
        if (step.done !== true) {
          if (begun <= MATCHED_IN_TURNS_MAX) await scheduler.background();
        } else if (step.value) isMatched = true;
        else {
          matching = index.match();
          begun++;
        }
      }
    } catch {
      if (index !== undefined) closeGraph(index);
      return "unusable";
    }
    if (!this.#isWanted || this.#saving !== undefined || index.count < (this.#graph?.index.count ?? 1)) {
      closeGraph(index);
      return "unneeded";
    }
    this.#dropGraph();
    this.#graph = new CoveringGraph(index, this.#rows);
    return "loaded";
  }

  /** Frees the graph; searches scan from then on. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#dropGraph();
  }

  /** Whether there are enough vectors for a graph, and a backend to build it. */
  get #isWanted(): boolean {
    return this.#graphs !== undefined && !this.#isClosed && this.count >= this.#graphVectorsMin;
  }

  #needsSuccessor(graph: CoveringGraph): boolean {
    return this.#isStale || graph.index.isWorn;
  }

  /** Whether building must wait: the serving graph can't grow while it is saved. Its successor can. */
  get #isHeldUp(): boolean {
    return this.#saving !== undefined && this.#successor === undefined;
  }

  #step(): void {
    const graphs = this.#graphs;
    if (graphs === undefined) return;
    try {
      this.#graph ??= CoveringGraph.empty(graphs, this.#rows);
      if (this.#needsSuccessor(this.#graph)) this.#successor ??= CoveringGraph.empty(graphs, this.#rows);
      const graph = this.#successor ?? this.#graph;
      graph.step();
      if (graph === this.#successor && graph.missing === 0) this.#succeed(graph);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #succeed(successor: CoveringGraph): void {
    this.#graph?.close();
    this.#graph = successor;
    this.#successor = undefined;
    this.#isStale = false;
  }

  #dropGraph(): void {
    this.#graph?.close();
    this.#successor?.close();
    this.#graph = undefined;
    this.#successor = undefined;
    this.#isStale = false;
  }

  /** Number of rows that a scan reads in the time of a walk for `k` keys. */
  #rowsOfWalk(graph: CoveringGraph, k: number): number {
    const effort = this.#graphs?.effort(k) ?? 1;
    return this.#graphVectorsMin * BREAK_EVEN_SHARE * effort + graph.missing * ROWS_A_MISSING;
  }
}

/** Attempts to match a loaded graph with the rows in time slices. Writes between slices undo an attempt; later attempts run in one go. */
const MATCHED_IN_TURNS_MAX = 3;

/** A graph is dropped when the number of vectors falls below this share of the number from which on one is built. */
const KEPT_SHARE = 0.5;

/** A search for few neighbours takes as long in the graph as a scan of this share of {@link GRAPH_VECTORS_MIN} rows. */
const BREAK_EVEN_SHARE = 0.5;
/** Number of rows that a scan reads in the time of comparing one row that the graph lacks. Measured: 1.5, rounded up. */
const ROWS_A_MISSING = 2;
