import type { Clock } from "../../platform/clock.ts";
import { backgroundLane } from "../../scheduling/lanes.ts";
import type { OperationMeter, Sliced } from "../../scheduling/time-slices.ts";
import { BackgroundSimilarity } from "./background-similarity.ts";
import { CoveringGraph } from "./covering-graph.ts";
import { ExactScan } from "./exact-scan.ts";
import { type QueryVector, VectorRows } from "./rows.ts";
import { StagedVectors } from "./staged-vectors.ts";
import type { Graphs } from "./vector-graph.ts";
import type { AllowedKeys, Neighbour, VectorIndex } from "./vector-index.ts";

export interface PassageVectorsOptions {
  /** Without it every search scans. */
  readonly graphs?: Graphs;
  /** Vectors from which on a graph is built; default {@link GRAPH_VECTORS_MIN}. */
  readonly graphVectorsMin?: number;
}

/** From here on a scan takes half a millisecond and more, some three times as long as the graph, measured at 256 dimensions: see docs/decisions. */
export const GRAPH_VECTORS_MIN = 25_000;

/**
 * The vectors of a bot's passages. All of them are in rows that a search can scan; when there are many, a graph is built beside
 * them by {@link work}, and serves whatever it is faster at. Cosines are exact at any time; only which passages are found may
 * differ a little when the graph finds them.
 */
export class PassageVectors implements VectorIndex {
  readonly #rows: VectorRows;
  readonly #exact: ExactScan;
  readonly #graphs: Graphs | undefined;
  readonly #graphVectorsMin: number;
  /** The graph that serves. */
  #graph: CoveringGraph | undefined;
  /** The graph that will serve instead, without what is gone, when it is complete. */
  #successor: CoveringGraph | undefined;
  #saving: Promise<Uint8Array> | undefined;
  /** From {@link keepBackground} on, or from the first time that somebody asks for it. */
  #unrelated: BackgroundSimilarity | undefined;
  /** Raised when vectors get other keys. */
  #numbering = 0;
  /** Vectors that have been taken out, and that graphs still find. */
  #unforgotten = 0;
  /** The graph that serves still knows vectors that nothing of may be written any more. */
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
  /** Rises whenever a vector comes, goes or gets another key. */
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
   * `none`: there are too few vectors, or no library, or it failed. `building`: there is to be one, or another, or it lacks vectors;
   * searches already use what is built. `ready`: the graph has every vector.
   */
  get graph(): "none" | "building" | "ready" {
    const graph = this.#graph;
    if (graph === undefined) return this.#isWanted ? "building" : "none";
    return this.#isReplaced(graph) || graph.missing > 0 ? "building" : "ready";
  }

  /** Whether {@link work} has something to do: also where a graph that has every vector is to be tidied. */
  get hasWork(): boolean {
    const graph = this.#graph;
    if (graph === undefined) return this.#isWanted;
    return this.#isReplaced(graph) || graph.hasWork;
  }

  /** Another graph is on its way, or is to be. */
  #isReplaced(graph: CoveringGraph): boolean {
    return this.#successor !== undefined || this.#needsSuccessor(graph);
  }

  /** The cosine that texts have here which have nothing to do with each other: see {@link BackgroundSimilarity}. */
  get backgroundSimilarity(): number {
    this.keepBackground();
    return this.#unrelated?.level ?? 0;
  }

  /** The level is kept up to date from now on. Best called before there are vectors: it looks at all of them at once. */
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

  /** A place for vectors that are to be found all at once; see {@link StagedVectors}. */
  stage(first: number, count: number): StagedVectors {
    return new StagedVectors(this.#rows, first, count);
  }

  /** Staged vectors are found from now on. False if they were staged for others. */
  enter(staged: StagedVectors): boolean {
    if (!staged.isIn(this.#rows)) return false;
    staged.enter(this.#unrelated);
    for (let key = staged.first; key < staged.end; key++) {
      this.#graph?.onSet(key);
      this.#successor?.onSet(key);
    }
    return true;
  }

  /** Takes the vectors of `[first, end)` out at once. What is left to be done is done in steps: until then the level is what it was. */
  take(first: number, end: number): Sliced<void> {
    const keys = this.#rows.hide(first, end);
    this.#unforgotten += keys.length;
    return this.#forget(keys, this.#unrelated, this.#numbering);
  }

  /** `level` is the one that knows of them: one that has been measured since never did. The keys are of this numbering. */
  *#forget(keys: Uint32Array, level: BackgroundSimilarity | undefined, numbering: number): Sliced<void> {
    for (const key of keys) {
      this.#unforgotten--;
      if (numbering !== this.#numbering) {
        // Another vector may be there by now. What these were is not known any more.
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
  /** The codes themselves, until a vector is set or moved. */
  rowOf(key: number): Int8Array | undefined {
    return this.#rows.has(key) ? this.#rows.rowOf(key) : undefined;
  }
  /** Makes a query's vector ready for the methods below. */
  prepare(vector: Float32Array): QueryVector {
    return this.#rows.prepare(vector);
  }
  /** The cosine of the query and a vector, -1 to 1; undefined if there is none. */
  cosine(query: QueryVector, key: number): number | undefined {
    return this.#rows.cosine(query, key);
  }
  /** The highest of the cosines with the keys in `[first, end)`; undefined if none of them has a vector. */
  highestCosine(query: QueryVector, first: number, end: number): number | undefined {
    return this.#rows.highestCosine(query, first, Math.min(end, this.#rows.end));
  }
  /** The cosines with the first `count` keys, in their order; NaN for one that has no vector. The array is used again by the next call. */
  cosinesOf(query: QueryVector, keys: Uint32Array, count: number): Float32Array {
    return this.#rows.cosinesOf(query, keys, count);
  }
  /** The cosines of the query and all vectors, by key; NaN where there is none. The array is used again by the next scan. */
  scan(query: QueryVector): Float32Array {
    return this.#rows.scan(query);
  }

  nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[] {
    const near = this.#graphFor(k, allowed !== undefined)?.nearest(query, k, this.#askedFor(k));
    // A walk ends at the shores of an island: fewer than there are would be taken for all.
    if (near !== undefined && near.length >= Math.min(k, this.count)) return near;
    return this.#exact.nearest(query, k, allowed);
  }

  /** The same in steps, among these keys: the walk through a graph is one of them. No vector may come, go or move meanwhile. */
  *nearestInSlices(
    query: QueryVector,
    k: number,
    meter: OperationMeter,
    allowed?: AllowedKeys,
  ): Sliced<readonly Neighbour[]> {
    const graph = this.#graphFor(k, allowed !== undefined);
    if (graph !== undefined) {
      const near = graph.nearest(query, k, this.#askedFor(k));
      if (meter.shouldYield(Math.ceil(this.#rowsOfWalk(graph, this.#askedFor(k)) * this.#rows.operationsARow))) yield;
      if (near.length >= Math.min(k, this.count)) return near;
    }
    return yield* this.#exact.nearestInSlices(query, k, meter, allowed);
  }

  /** Whether {@link nearest} may miss some of the `k` nearest: the graph is asked for them. */
  mayMiss(k: number, isFiltered: boolean): boolean {
    return this.#graphFor(k, isFiltered) !== undefined;
  }

  /** What is gone may be nearer than all that is there: the graph is asked for as many more. */
  #askedFor(k: number): number {
    return k + this.#unforgotten;
  }

  /** A graph that is searched for few of its points misses most of them, so what is filtered is scanned. */
  #graphFor(k: number, isFiltered: boolean): CoveringGraph | undefined {
    const graph = isFiltered ? undefined : this.#graph;
    return graph !== undefined && this.#isFaster(graph, this.#askedFor(k)) ? graph : undefined;
  }

  /**
   * Builds the graph, one vector after the other (well below a millisecond each), until the clock's monotonic time reaches
   * `untilMs`; at least one. True if there is more to do. If the library fails, the error is thrown, and searches
   * scan from then on.
   */
  work(untilMs: number, clock: Clock): boolean {
    while (this.hasWork && !this.#isHeldUp) {
      this.#step();
      if (clock.monotonicMs() >= untilMs) break;
    }
    return this.hasWork;
  }

  /** Gives a vector a lower key that none has. */
  move(from: number, to: number): void {
    if (!this.#rows.has(from)) return;
    this.#rows.move(from, to);
    this.#numbering++;
    this.#graph?.onMove(from, to);
    this.#successor?.onMove(from, to);
  }

  /** Gives memory back that is not needed any more. No vector may be staged. */
  trim(): void {
    this.#numbering++;
    this.#rows.trim();
  }

  /**
   * The graph as bytes for {@link loadGraph}; undefined if there is none, or no place to save it at. Building rests meanwhile. Rejects
   * if it is too large, or there is no room for a temporary file.
   */
  async saveGraph(): Promise<Uint8Array | undefined> {
    const isSavable = this.#graphs?.areKept === true && !this.#isStale;
    if (this.#graph === undefined || !isSavable) return undefined;
    this.#saving ??= this.#graph.index.save().finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  /**
   * From now on no graph is saved that knows of a vector that is gone: one that does is built anew by {@link work}, and serves searches until
   * then. Resolves when one that is being saved has been.
   */
  async forgetGone(): Promise<void> {
    if (this.#successor !== undefined && this.#hasGone(this.#successor)) {
      this.#successor.close();
      this.#successor = undefined;
    }
    this.#isStale = this.#graph !== undefined && this.#hasGone(this.#graph);
    await this.#saving?.catch(() => undefined);
  }

  /** Vectors may have been taken out that graphs have not been told of yet. */
  #hasGone({ index }: CoveringGraph): boolean {
    return index.tombstones > 0 || this.#unforgotten > 0;
  }

  /**
   * Takes over a saved graph: what it has need not be built again. `unneeded` if there is no use for it, `unusable` if anything is off (a
   * changed bit, another version, other parameters): nothing has changed then, and {@link work} builds the graph.
   */
  async loadGraph(bytes: Uint8Array): Promise<"loaded" | "unneeded" | "unusable"> {
    if (this.#graphs === undefined || !this.#isWanted) return "unneeded";
    const index = await this.#graphs.load(this.#rows, bytes).catch(() => undefined);
    if (index === undefined) return "unusable";
    let matching = index.match();
    // Nothing may come between its end and what follows.
    for (let begun = 1, isMatched = false; !isMatched; ) {
      const step = matching.next();
      if (step.done !== true) {
        if (begun <= MATCHED_IN_TURNS_MAX) await backgroundLane();
      } else if (step.value) isMatched = true;
      else {
        matching = index.match();
        begun++;
      }
    }
    if (!this.#isWanted || this.#saving !== undefined || index.count < (this.#graph?.index.count ?? 1)) {
      index.close();
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

  /** Whether there are enough vectors for a graph, and a library to build it. */
  get #isWanted(): boolean {
    return this.#graphs !== undefined && !this.#isClosed && this.count >= this.#graphVectorsMin;
  }

  #needsSuccessor(graph: CoveringGraph): boolean {
    return this.#isStale || graph.index.isWorn;
  }

  /** While the serving graph is being written it can't grow, but its successor can. */
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

  /** Compares the work of a search in the graph with that of a scan, both in rows that could be scanned meanwhile. */
  #isFaster(graph: CoveringGraph, k: number): boolean {
    return this.#rowsOfWalk(graph, k) <= this.#rows.end;
  }

  /** Rows that could be scanned in the time of a walk for `k` keys. */
  #rowsOfWalk(graph: CoveringGraph, k: number): number {
    const effort = this.#graphs?.effort(k) ?? 1;
    return this.#graphVectorsMin * BREAK_EVEN_SHARE * effort + graph.missing * ROWS_A_MISSING;
  }
}

/** A loaded graph is matched with the rows so often in turns, which writes between them undo; then at once. */
const MATCHED_IN_TURNS_MAX = 3;

/** A graph that was built stays until there are fewer vectors than this share of those that it took. */
const KEPT_SHARE = 0.5;

/** A search for few is as fast in the graph as in a scan of this share of the vectors from which on a graph is built. */
const BREAK_EVEN_SHARE = 0.5;
/** Rows that are scanned in the time in which one that the graph lacks is compared, measured: 1.5, rounded up. */
const ROWS_A_MISSING = 2;
