import { must } from "../../model/must.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import type { QueryVector } from "./codes.ts";
import { readLinks, writeLinks } from "./hnsw-file.ts";
import { GraphLinks } from "./hnsw-links.ts";
import { GraphPoints, NO_KEY } from "./hnsw-nodes.ts";
import { HNSW_PARAMETERS, type HnswParameters } from "./hnsw-parameters.ts";
import { GraphReach } from "./hnsw-reach.ts";
import { WALK, type Walkable } from "./hnsw-walk.ts";
import { NumberRoom } from "./number-room.ts";
import type { VectorRows } from "./rows.ts";
import type { GraphBackend, Graphs, VectorGraph } from "./vector-graph.ts";

/** The built-in graph backend: HNSW over quantized vectors. It needs no native code. */
export function hnswGraphs(areKept: boolean, parameters = HNSW_PARAMETERS): Graphs<VectorRows> {
  return {
    areKept,
    effort: (k) => candidatesFor(k, parameters) / parameters.efSearch,
    empty: (rows) => new HnswGraph(rows, parameters),
    load: (rows, bytes) => HnswGraph.load(rows, bytes, parameters),
  };
}

/** {@link hnswGraphs} as a backend. */
export const BUILT_IN_GRAPHS: GraphBackend<VectorRows> = {
  open: async ({ temporaryDirectory }) => hnswGraphs(temporaryDirectory !== undefined),
};

/** Number of candidates of a search for the `k` nearest. A graph misses the farthest candidates most, so there must be more than `k`. */
function candidatesFor(k: number, { efSearch }: HnswParameters): number {
  return Math.max(efSearch, k * 2);
}

/**
 * The HNSW graph (hierarchical navigable small world: Malkov, Yashunin 2016) over quantized vectors. It holds links only: walks compare points
 * by the codes of their rows, all links of a point in one call.
 *
 * A point is in one of these states:
 *
 * | state | key | links lead to it | leaves the state by |
 * |---|---|---|---|
 * | living | yes | yes | {@link forget} of its last key |
 * | gone | no | yes: walks pass through to its own links | {@link tidy} replaces links to it |
 * | free | no | no | {@link insert} of another vector |
 *
 * After mending, {@link GraphReach} links points that walks can't reach any more.
 */
export class HnswGraph implements VectorGraph {
  readonly #rows: VectorRows;
  readonly #parameters: HnswParameters;
  #points: GraphPoints;
  #links: GraphLinks;
  #walkable: Walkable;
  /** The entry point of walks, in the highest layer that has points; -1 while there are no points. */
  #entry = -1;
  /** The mending in progress: the points that are gone, and the next point whose lists are to be mended. */
  #tidying: { readonly gone: readonly number[]; next: number } | undefined;
  /** The search for unreachable points in progress. */
  #reach: GraphReach | undefined;
  /** Whether points may be unreachable: links were mended or loaded, or an insertion ended the search for unreachable points. */
  #isReachInDoubt = false;
  /** Number of points placed since the last search for unreachable points. */
  #placed = 0;
  /** The point of all vectors of zeros, -1 while there is none. No walk tells that they are equal, as their cosines are 0. */
  #zero = -1;
  /** By point: content hashes of a loaded graph that was not matched yet. */
  #hashes: Float64Array | undefined;
  #isSaving = false;
  #isClosed = false;

  constructor(rows: VectorRows, parameters = HNSW_PARAMETERS) {
    this.#rows = rows;
    this.#parameters = parameters;
    this.#points = new GraphPoints();
    this.#links = new GraphLinks(rows, this.#points, parameters);
    this.#walkable = { rows, points: this.#points, links: this.#links };
  }

  /** Replaces points and links. */
  #take(points: GraphPoints, links: GraphLinks): void {
    links.follow(points);
    this.#points = points;
    this.#links = links;
    this.#walkable = { rows: this.#rows, points, links };
  }

  get count(): number {
    return this.#points.count;
  }
  get tombstones(): number {
    return 0;
  }
  get isWorn(): boolean {
    return this.#points.freeCount > Math.max(GONE_MIN, this.#points.end * FREE_SHARE_MAX);
  }
  get isUntidy(): boolean {
    return this.#tidying !== undefined || this.#hasManyGone || this.#reach !== undefined || this.#hasDoubtfulReach;
  }
  get #hasManyGone(): boolean {
    return this.#points.goneCount >= Math.max(GONE_MIN, this.#points.living * GONE_SHARE_MAX);
  }
  get #hasDoubtfulReach(): boolean {
    return this.#isReachInDoubt || this.#placed >= Math.max(PLACED_MIN, this.#points.living * PLACED_SHARE_MAX);
  }
  get graphBytes(): number {
    return this.#isClosed ? 0 : this.#points.bytes + this.#links.bytes + (this.#reach?.bytes ?? 0);
  }

  has(key: number): boolean {
    return this.#points.pointOf(key) >= 0;
  }

  insert(key: number): void {
    this.#checkChangeable();
    this.forget(key);
    const norm = this.#rows.inverseNorm(key);
    if (norm === undefined) return;
    const points = this.#points;
    if (norm === 0 && this.#zero >= 0) {
      points.share(this.#zero, key);
      return;
    }
    WALK.askForRow(key, norm);
    if (this.#entry >= 0) {
      WALK.go(this.#walkable, this.#entry, 0, this.#candidatesIn(0));
      const equal = this.#equalOf(key);
      if (equal >= 0) {
        points.share(equal, key);
        return;
      }
    }
    // All memory is allocated before the point exists. Invariant: a point has its lists.
    this.#links.makeRoom(points.reserve(key));
    const point = points.add(key, norm);
    this.#placed++;
    if (this.#reach !== undefined) {
      this.#reach = undefined;
      this.#isReachInDoubt = true;
    }
    try {
      this.#connect(point, norm);
    } catch (error) {
      // Out of memory in the midst of linking: the point is gone, as any other point that may be linked to.
      this.forget(key);
      throw error;
    }
  }

  /** Links a new point to the nearest points that walks have found, in every layer that it is in. */
  #connect(point: number, norm: number): void {
    if (norm === 0) this.#zero = point;
    if (this.#entry < 0) {
      this.#entry = point;
      return;
    }
    this.#links.connect(point, 0, WALK.near);
    const [level, top] = [this.#links.levelOf(point), this.#links.levelOf(this.#entry)];
    for (let layer = Math.min(level, top); layer > 0; layer--) {
      WALK.go(this.#walkable, this.#entry, layer, this.#candidatesIn(layer));
      this.#links.connect(point, layer, WALK.near);
    }
    if (level > top) this.#entry = point;
  }

  forget(key: number): boolean {
    const point = this.#points.pointOf(key);
    if (point < 0) return false;
    if (!this.#points.remove(key)) return true;
    if (point === this.#zero) this.#zero = -1;
    if (this.#points.count === 0 && !this.#isSaving) this.#empty();
    else if (point === this.#entry) this.#entry = this.#highest();
    return true;
  }

  move(from: number, to: number): void {
    this.#points.move(from, to);
  }

  tidy(): void {
    this.#checkChangeable();
    if (this.#reach === undefined && (this.#tidying !== undefined || this.#hasManyGone)) this.#mend();
    else if (this.#reach !== undefined || this.#hasDoubtfulReach) this.#lookForUnreached();
  }

  /** Number of candidates that a walk keeps to place a point in a layer. */
  #candidatesIn(layer: number): number {
    const { efConstruction } = this.#parameters;
    return layer === 0 ? efConstruction : Math.min(efConstruction, UPPER_CANDIDATES_MAX);
  }

  #lookForUnreached(): void {
    this.#reach ??= new GraphReach(
      this.#walkable,
      () => this.#entry,
      (layer) => this.#candidatesIn(layer),
    );
    if (this.#reach.step()) return;
    this.#reach = undefined;
    this.#isReachInDoubt = false;
    this.#placed = 0;
  }

  /** Mends the lists of the next {@link TIDIED_POINTS} points. After the last one, the points that are gone become free. */
  #mend(): void {
    this.#tidying ??= { gone: this.#points.takeGone(), next: 0 };
    const tidying = this.#tidying;
    const { keys, end } = this.#points;
    for (const last = Math.min(end, tidying.next + TIDIED_POINTS); tidying.next < last; tidying.next++) {
      const point = tidying.next;
      if (keys[point] === NO_KEY) continue;
      const level = this.#links.isInUpper(point) ? this.#links.levelOf(point) : 0;
      for (let layer = level; layer >= 0; layer--) this.#links.mend(point, layer);
    }
    if (tidying.next < end) return;
    for (const point of tidying.gone) this.#links.clear(point);
    this.#points.release(tidying.gone);
    this.#tidying = undefined;
    this.#isReachInDoubt = true;
  }

  search(query: QueryVector, k: number, offer: (key: number, cosine: number) => void): void {
    const wanted = Math.min(k, this.count);
    if (wanted < 1 || this.#isClosed || this.#entry < 0) return;
    WALK.askFor(query);
    WALK.go(this.#walkable, this.#entry, 0, candidatesFor(wanted, this.#parameters));
    const { near } = WALK;
    const { keys } = this.#points;
    const found = FOUND.of(near.count);
    for (let i = 0; i < near.count; i++) found[i] = keys[near.point(i)] as number;
    const cosines = this.#rows.cosinesOf(query, found, near.count);
    for (let i = 0; i < near.count; i++) {
      const cosine = cosines[i] as number;
      // NaN where the row was deleted before the graph was told.
      if (!Number.isNaN(cosine)) offer(found[i] as number, cosine);
    }
    for (let i = 0; i < near.count; i++) {
      const others = this.#points.othersOf(near.point(i));
      if (others !== undefined) this.#offerOthers(query, others, offer);
    }
  }

  #offerOthers(query: QueryVector, others: ReadonlySet<number>, offer: (key: number, cosine: number) => void): void {
    let equal: number | undefined;
    for (const key of others) {
      if (!this.#rows.has(key)) continue;
      equal ??= this.#rows.cosine(query, key);
      if (equal !== undefined) offer(key, equal);
    }
  }

  /** The point among those that the walk found whose codes equal the row of a key; -1 for none. */
  #equalOf(key: number): number {
    const { near } = WALK;
    for (let i = 0; i < near.count && (near.cosines[i] as number) > EQUAL_FROM; i++) {
      const point = near.point(i);
      if (this.#rows.areEqual(key, this.#points.keys[point] as number)) return point;
    }
    return -1;
  }

  /** A living point in the highest layer that has living points; -1 if there are none. O(points). */
  #highest(): number {
    const { keys, end } = this.#points;
    let [highest, level] = [-1, -1];
    for (let point = 0; point < end; point++) {
      if (keys[point] === NO_KEY || (level >= 0 && !this.#links.isInUpper(point))) continue;
      const own = this.#links.levelOf(point);
      if (own > level) [highest, level] = [point, own];
    }
    return highest;
  }

  #empty(): void {
    const points = new GraphPoints();
    this.#take(points, new GraphLinks(this.#rows, points, this.#parameters));
    this.#entry = -1;
    this.#zero = -1;
    this.#tidying = undefined;
    this.#reach = undefined;
    this.#isReachInDoubt = false;
    this.#placed = 0;
  }

  #checkChangeable(): void {
    if (this.#isClosed || this.#isSaving) throw new Error("A graph that is closed or being saved takes no vectors.");
  }

  async save(bytesMax: number): Promise<Uint8Array> {
    this.#checkChangeable();
    this.#isSaving = true;
    try {
      return await writeLinks(
        {
          dimensions: this.#rows.dimensions,
          parameters: this.#parameters,
          points: this.#points.end,
          entry: this.#entry,
          hashOf: (point) => this.#hashOf(point),
          links: this.#links,
        },
        bytesMax,
      );
    } finally {
      this.#isSaving = false;
    }
  }

  #hashOf(point: number): number {
    const key = this.#points.keys[point] as number;
    return (key === NO_KEY ? undefined : this.#rows.hashOf(key)) ?? -1;
  }

  static async load(rows: VectorRows, bytes: Uint8Array, parameters = HNSW_PARAMETERS): Promise<HnswGraph | undefined> {
    const graph = new HnswGraph(rows, parameters);
    const saved = await readLinks(bytes, rows.dimensions, parameters, (points) => {
      const gone = GraphPoints.allGone(points);
      graph.#take(gone, new GraphLinks(rows, gone, parameters));
      return graph.#links;
    });
    if (saved === undefined) return undefined;
    graph.#hashes = saved.hashes;
    graph.#entry = saved.entry;
    return graph;
  }

  *match(): Sliced<boolean> {
    const hashes = this.#hashes;
    if (hashes === undefined) return true;
    const rows = this.#rows;
    const { changes } = rows;
    const pointOfHash = new Map<number, number>();
    for (const [point, hash] of hashes.entries()) {
      if (point % SLICE_ROWS === 0) yield;
      if (hash >= 0) pointOfHash.set(hash, point);
    }
    const points = GraphPoints.allGone(hashes.length);
    let zero = -1;
    for (let key = 0; key < rows.end; key++) {
      if (key % SLICE_ROWS === 0) yield;
      if (rows.changes !== changes) return false;
      const hash = rows.hashOf(key);
      const point = hash === undefined ? undefined : pointOfHash.get(hash);
      if (point === undefined) continue;
      const first = points.keys[point] as number;
      // Different codes may share a hash: such a row is left to be inserted.
      if (first !== NO_KEY && !rows.areEqual(key, first)) continue;
      points.share(point, key);
      const norm = must(rows.inverseNorm(key), "the norm of a vector that has codes");
      points.norms[point] = norm;
      if (norm === 0) zero = point;
    }
    if (rows.changes !== changes) return false;
    points.noteGone();
    this.#take(points, this.#links);
    this.#hashes = undefined;
    this.#zero = zero;
    this.#isReachInDoubt = true;
    if (points.count === 0) this.#empty();
    else if ((points.keys[this.#entry] ?? NO_KEY) === NO_KEY) this.#entry = this.#highest();
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#empty();
  }
}

/** Fewer points that are gone are not worth reading all links. */
const GONE_MIN = 64;
/** Links are mended when more points than this share of the living are gone. */
const GONE_SHARE_MAX = 0.02;
/** Fewer placed points hardly ever make another point unreachable. */
const PLACED_MIN = 1_000;
/** Unreachable points are searched for when more points than this share of the living were placed. */
const PLACED_SHARE_MAX = 0.25;
/** A graph is built again when more than this share of its points is free: free points take memory. */
const FREE_SHARE_MAX = 0.5;
/** Number of points whose lists are mended in a call of {@link HnswGraph.tidy}. */
const TIDIED_POINTS = 64;
/** Number of points or rows that are matched in a time slice. */
const SLICE_ROWS = 1_024;
/** Most candidates for placing a point in an upper layer. Upper layers only lead walks to the right region. */
const UPPER_CANDIDATES_MAX = 40;
/** Codes may be equal from this cosine on: norms are rounded. */
const EQUAL_FROM = 1 - 1e-6;

/** Buffer for the keys that a search has found. */
const FOUND = new NumberRoom((length) => new Uint32Array(length));
