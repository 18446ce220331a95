import { NO_KEY } from "./hnsw-nodes.ts";
import { WALK, type Walkable } from "./hnsw-walk.ts";

/**
 * Finds points of a graph that walks can't reach, and links them to reachable ones, in time slices. Without it, walks would never find
 * such points, and new points near them would be lost as well.
 * Each layer is traversed from the points of the layers above, along the links of that layer. O(points + links).
 * Postcondition, if no point came or went meanwhile: walks can reach all living points.
 */
export class GraphReach {
  readonly #graph: Walkable;
  readonly #entry: () => number;
  readonly #candidates: (layer: number) => number;
  /** By point: 1 if walks reach it in this layer. A point that is reached in a layer is also reached in the layers below. */
  readonly #isReached: Uint8Array;
  /** Reached points whose links are still to be followed. */
  #open: number[] = [];
  #layer: number;
  /** All points before this one are reached in this layer, or are not in it. */
  #next = 0;

  /** `entry` returns the entry point of walks, in the highest layer. `candidates` returns the number of candidates for linking a point in a layer. */
  constructor(graph: Walkable, entry: () => number, candidates: (layer: number) => number) {
    this.#graph = graph;
    this.#entry = entry;
    this.#candidates = candidates;
    this.#isReached = new Uint8Array(graph.points.end);
    const first = entry();
    this.#layer = first < 0 ? -1 : graph.links.levelOf(first);
    if (first >= 0) this.#reach(first);
  }

  get bytes(): number {
    return this.#isReached.byteLength + this.#open.length * 8;
  }

  /** Reads at most about {@link SLICE_LISTS} lists. False when nothing is left to do. */
  step(): boolean {
    for (let looked = 0; looked < SLICE_LISTS && this.#layer >= 0; looked++) {
      const point = this.#open.pop();
      if (point !== undefined) this.#follow(point);
      else if (this.#next < this.#isReached.length) looked += this.#linkNext(SLICE_LISTS - looked);
      else this.#descend();
    }
    return this.#layer >= 0;
  }

  /** Goes down a layer, whose links are followed from all points reached so far. */
  #descend(): void {
    this.#layer--;
    this.#next = 0;
    if (this.#layer < 0) return;
    for (let point = 0; point < this.#isReached.length; point++) {
      if (this.#isReached[point] === 1 && this.#graph.points.keys[point] !== NO_KEY) this.#open.push(point);
    }
  }

  #reach(point: number): void {
    this.#isReached[point] = 1;
    this.#open.push(point);
  }

  /** Reaches all points that a point links to. As in walks, the way leads through points that are gone to their links. */
  #follow(point: number): void {
    const { keys } = this.#graph.points;
    this.#eachLink(point, (other) => {
      if (keys[other] !== NO_KEY) this.#reach(other);
      else
        this.#eachLink(other, (beyond) => {
          if (keys[beyond] !== NO_KEY) this.#reach(beyond);
        });
    });
  }

  /** Visits the links of a point that were not reached before. */
  #eachLink(point: number, visit: (other: number) => void): void {
    const { links } = this.#graph;
    const [piece, at] = [links.piece(point, this.#layer), links.at(point, this.#layer)];
    const end = at + (piece[at] as number);
    for (let i = at + 1; i <= end; i++) if (this.#isReached[piece[i] as number] === 0) visit(piece[i] as number);
  }

  /** Links the next unreached point, if there is one among the next `most` points. Returns the number of points checked, or `most` after a walk. */
  #linkNext(most: number): number {
    const { links, points } = this.#graph;
    const first = this.#next;
    const end = Math.min(this.#isReached.length, first + most);
    for (; this.#next < end; this.#next++) {
      const point = this.#next;
      if (this.#isReached[point] === 1 || points.keys[point] === NO_KEY) continue;
      if (this.#layer > 0 && (!links.isInUpper(point) || links.levelOf(point) < this.#layer)) continue;
      WALK.askForRow(points.keys[point] as number, points.norms[point] as number);
      WALK.go(this.#graph, this.#entry(), this.#layer, this.#candidates(this.#layer));
      links.lead(point, this.#layer, WALK.near);
      this.#reach(point);
      // A walk takes as long as checking many points.
      return most;
    }
    return this.#next - first;
  }
}

/** Number of lists that a call of {@link GraphReach.step} reads. */
const SLICE_LISTS = 512;
