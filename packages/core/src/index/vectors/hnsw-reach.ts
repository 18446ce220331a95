import { NO_KEY } from "./hnsw-nodes.ts";
import { WALK, type Walkable } from "./hnsw-walk.ts";

/**
 * Looks, in steps, whether walks can come to every point of a graph, and links those that they can't come to: in each layer, from the
 * points of the layers above it along the links of that layer. What lies apart is not found, and neither is what comes to lie near it.
 * True of all points that live at its end, if none came or went meanwhile.
 */
export class GraphReach {
  readonly #graph: Walkable;
  readonly #entry: () => number;
  readonly #candidates: (layer: number) => number;
  /** By point: whether walks come to it in this layer. Who is there in one layer is there in those below. */
  readonly #isReached: Uint8Array;
  /** Points whose links are still to be followed. */
  #open: number[] = [];
  #layer: number;
  /** All points before this are reached in this layer, or are not in it. */
  #next = 0;

  /** `entry` is where walks begin, which is in the highest layer; `candidates` are looked at to link a point. */
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

  /** Looks at some hundred points. False when there is nothing left to do. */
  step(): boolean {
    for (let looked = 0; looked < SLICE_LISTS && this.#layer >= 0; looked++) {
      const point = this.#open.pop();
      if (point !== undefined) this.#follow(point);
      else if (this.#next < this.#isReached.length) looked += this.#linkNext(SLICE_LISTS - looked);
      else this.#descend();
    }
    return this.#layer >= 0;
  }

  /** The links of the next layer are followed from all points that are in this one. */
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

  /** As walks do, through what is gone to what it linked to. */
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

  /** Those that were not reached before. */
  #eachLink(point: number, visit: (other: number) => void): void {
    const { links } = this.#graph;
    const [piece, at] = [links.piece(point, this.#layer), links.at(point, this.#layer)];
    const end = at + (piece[at] as number);
    for (let i = at + 1; i <= end; i++) if (this.#isReached[piece[i] as number] === 0) visit(piece[i] as number);
  }

  /** Links the next point that is not reached, if there is one among the next `most`; how many of them it looked at. */
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
      // A walk takes as long as many looks.
      return most;
    }
    return this.#next - first;
  }
}

/** Lists of links that are looked at in a step. */
const SLICE_LISTS = 512;
