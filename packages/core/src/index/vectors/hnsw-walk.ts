import type { QueryVector } from "./codes.ts";
import type { GraphLinks } from "./hnsw-links.ts";
import { type GraphPoints, NO_KEY } from "./hnsw-nodes.ts";
import { NearPoints, SeenPoints } from "./near-points.ts";
import type { VectorRows } from "./rows.ts";

/**
 * A walk carries one point for this number of candidates from each upper layer to the next, and at least {@link CARRIED_MIN}. The single nearest
 * point would lead into a wrong neighbourhood where many points are about equally far. New points would be linked there, until half of a layer
 * is unreachable. Measured: see docs/decisions.
 */
const CANDIDATES_A_CARRIED = 9;
const CARRIED_MIN = 8;
/** Most points that are compared in one call. */
const MET_MAX = 1_024;

/**
 * Walks through a graph towards a query or a row, as in HNSW (beam search): all links of the nearest open candidate are compared in one call, then
 * those of the next. One instance serves all graphs, as nothing interrupts a walk.
 */
class GraphWalk {
  /** The points that the last walk has found. */
  readonly near = new NearPoints();
  readonly #seen = new SeenPoints();
  /** Points to be compared, and the keys of their rows. */
  readonly #met = new Uint32Array(MET_MAX);
  readonly #keys = new Uint32Array(MET_MAX);
  /** The target of the walk: a query; or, where it is undefined, the row of `#key`. */
  #query: QueryVector | undefined;
  #key = 0;
  #norm = 0;

  /** Sets a query as the target of the next walks. */
  askFor(query: QueryVector): void {
    this.#query = query;
    this.#norm = query.inverseNorm;
  }

  /** Sets a row as the target of the next walks; `norm` is its inverse norm. */
  askForRow(key: number, norm: number): void {
    this.#query = undefined;
    this.#key = key;
    this.#norm = norm;
  }

  /** Finds at most `most` points of a layer in {@link near}, by way of the layers above. The walk begins at `entry`. */
  go(graph: Walkable, entry: number, layer: number, most: number): void {
    const { near } = this;
    near.begin(1);
    near.offer(entry, this.#cosineOf(graph, entry));
    const carried = Math.max(CARRIED_MIN, Math.ceil(most / CANDIDATES_A_CARRIED));
    for (let above = graph.links.levelOf(entry); above > layer; above--) this.#layer(graph, above, carried);
    this.#layer(graph, layer, most);
  }

  /** Walks through one layer, beginning at all points found in the layer above. */
  #layer(graph: Walkable, layer: number, most: number): void {
    const { near } = this;
    near.goOn(most);
    this.#seen.begin(graph.points.end);
    for (let i = 0; i < near.count; i++) this.#seen.marks[near.point(i)] = this.#seen.mark;
    const { norms } = graph.points;
    const met = this.#met;
    for (let point = near.take(); point >= 0; point = near.take()) {
      const count = this.#meet(graph, point, layer);
      if (count === 0) continue;
      const products = this.#products(graph.rows, count);
      const norm = this.#norm;
      for (let i = 0; i < count; i++) {
        const other = met[i] as number;
        near.offer(other, (products[i] as number) * norm * (norms[other] as number));
      }
    }
  }

  /** Collects the links of a point that the walk has not visited yet; returns their number. */
  #meet({ points, links }: Walkable, point: number, layer: number): number {
    const { keys } = points;
    const { marks, mark } = this.#seen;
    const [met, metKeys] = [this.#met, this.#keys];
    const piece = links.piece(point, layer);
    const at = links.at(point, layer);
    const end = at + (piece[at] as number);
    let count = 0;
    for (let i = at + 1; i <= end; i++) {
      const other = piece[i] as number;
      if (marks[other] === mark) continue;
      marks[other] = mark;
      const key = keys[other] as number;
      if (key === NO_KEY) {
        // The buffer must keep space for the rest of this list.
        count = this.#passThrough(points, links, other, layer, count, MET_MAX - (end - i));
        continue;
      }
      met[count] = other;
      metKeys[count++] = key;
    }
    return count;
  }

  /** Collects the living links of a point that is gone, after the first `before` points, up to `most`; returns the number of all. */
  #passThrough(
    { keys }: GraphPoints,
    links: GraphLinks,
    gone: number,
    layer: number,
    before: number,
    most: number,
  ): number {
    const { marks, mark } = this.#seen;
    const piece = links.piece(gone, layer);
    const at = links.at(gone, layer);
    const end = at + (piece[at] as number);
    let count = before;
    for (let i = at + 1; i <= end && count < most; i++) {
      const other = piece[i] as number;
      if (marks[other] === mark || keys[other] === NO_KEY) continue;
      marks[other] = mark;
      this.#met[count] = other;
      this.#keys[count++] = keys[other] as number;
    }
    return count;
  }

  #cosineOf({ rows, points }: Walkable, point: number): number {
    this.#keys[0] = points.keys[point] as number;
    return (this.#products(rows, 1)[0] as number) * this.#norm * (points.norms[point] as number);
  }

  /** The inner products of the target with the rows of the first `count` keys. */
  #products(rows: VectorRows, count: number): Int32Array {
    return this.#query === undefined
      ? rows.productsOfRow(this.#key, this.#keys, count)
      : rows.productsOf(this.#query, this.#keys, count);
  }
}

/** The data of a graph that a walk reads. */
export interface Walkable {
  readonly rows: VectorRows;
  readonly points: GraphPoints;
  readonly links: GraphLinks;
}

/** The one walk that all graphs share. */
export const WALK = new GraphWalk();
