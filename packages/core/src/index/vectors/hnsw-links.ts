import { type GraphPoints, NO_KEY } from "./hnsw-nodes.ts";
import type { LinkParameters } from "./hnsw-parameters.ts";
import { LinkLists } from "./link-lists.ts";
import { type NearPoints, SeenPoints } from "./near-points.ts";
import { Choice, NumberRoom } from "./number-room.ts";
import type { VectorRows } from "./rows.ts";

/** A full list of the lowest layer keeps at most this share of its links when it is pruned. So a list rarely has to be pruned. */
const KEPT_SHARE = 0.6;
const LEVEL_MAX = 15;

/**
 * The links of a graph's points, layer by layer, and the heuristic that selects them. A point links to near points, but not to a point that
 * is nearer to one of its other links (Malkov, Yashunin 2016; with a factor as in Subramanya et al. 2019, "DiskANN").
 *
 * Lowest layer: lists of at most 2m links. Upper layers: lists of at most m links. Invariant: a link of a layer leads to a point that is in this layer.
 */
export class GraphLinks {
  readonly #rows: VectorRows;
  #points: GraphPoints;
  readonly #parameters: LinkParameters;
  /** The lists of the lowest layer, by point. */
  readonly #lowest: LinkLists;
  /** The lists of the upper layers. Those of a point are consecutive, from layer 1 up. */
  readonly #upper: LinkLists;
  /** By point: the first of its upper lists + 1; 0 where it has none. */
  #firstUpper = new Uint32Array(0);

  constructor(rows: VectorRows, points: GraphPoints, parameters: LinkParameters) {
    this.#rows = rows;
    this.#points = points;
    this.#parameters = parameters;
    this.#lowest = new LinkLists(parameters.m * 2);
    this.#upper = new LinkLists(parameters.m);
  }

  get bytes(): number {
    return this.#lowest.bytes + this.#upper.bytes + this.#firstUpper.byteLength;
  }

  /** The highest layer of a point, from a hash of its number. About one of `m` points of a layer is also in the next. */
  levelOf(point: number): number {
    const share = (mixed(point) + 1) / 2 ** 32;
    return Math.min(LEVEL_MAX, Math.floor(-Math.log(share) / Math.log(this.#parameters.m)));
  }

  /** Replaces the points object: the points are the same, with other keys. */
  follow(points: GraphPoints): void {
    this.#points = points;
  }

  /** Makes empty lists for the points below `end`. Invariant: a point has all of its lists, or none if memory ran out. */
  makeRoom(end: number): void {
    if (end > this.#firstUpper.length) {
      const grown = new Uint32Array(Math.max(256, Math.ceil(end * 1.25)));
      grown.set(this.#firstUpper);
      this.#firstUpper = grown;
    }
    for (let point = this.#lowest.count; point < end; point++) {
      const level = this.levelOf(point);
      this.#lowest.reserve(1);
      if (level > 0) this.#firstUpper[point] = this.#upper.add(level) + 1;
      this.#lowest.add(1);
    }
  }

  /** The array with the links of a point in a layer. Their number stands at index {@link at}, the links right behind. */
  piece(point: number, layer: number): Uint32Array {
    return layer === 0 ? this.#lowest.piece(point) : this.#upper.piece(this.#upperList(point, layer));
  }
  at(point: number, layer: number): number {
    return layer === 0 ? this.#lowest.at(point) : this.#upper.at(this.#upperList(point, layer));
  }

  #upperList(point: number, layer: number): number {
    return (this.#firstUpper[point] as number) + layer - 2;
  }

  /** Most links of a point in a layer. */
  #widthOf(layer: number): number {
    return layer === 0 ? this.#lowest.width : this.#upper.width;
  }

  /** Whether a point is in any layer above the lowest. */
  isInUpper(point: number): boolean {
    return (this.#firstUpper[point] as number) > 0;
  }

  /** Links a new point and the best of the `near` points, in both directions. */
  connect(point: number, layer: number, near: NearPoints): void {
    const chosen = this.#chooseOf(near, point);
    const [piece, at] = [this.piece(point, layer), this.at(point, layer)];
    piece[at] = chosen;
    for (let i = 0; i < chosen; i++) piece[at + 1 + i] = CHOICE.chosen[i] as number;
    for (let i = 1; i <= chosen; i++) this.#link(piece[at + i] as number, layer, point);
  }

  /**
   * Connects an unreachable point with the best of the reachable points `near` it, in both directions. Postcondition: at least one of them
   * links to it, and every point that was reachable before still is.
   */
  lead(point: number, layer: number, near: NearPoints): void {
    const chosen = this.#chooseOf(near, point);
    const most = this.#widthOf(layer);
    let isLinked = false;
    for (let i = 0; i < chosen; i++) {
      const other = CHOICE.chosen[i] as number;
      if (this.#linkIfThereIsRoom(other, layer, point, most)) isLinked = true;
      this.#linkIfThereIsRoom(point, layer, other, most);
    }
    if (!isLinked && chosen > 0) this.#linkBetween(CHOICE.chosen[0] as number, layer, point);
  }

  /** Puts `point` between a full list and its last link: the list links to `point`, and `point` links to the former last link. */
  #linkBetween(from: number, layer: number, point: number): void {
    const [piece, at] = [this.piece(from, layer), this.at(from, layer)];
    const last = at + (piece[at] as number);
    const next = piece[last] as number;
    piece[last] = point;
    const most = this.#widthOf(layer);
    if (this.#linkIfThereIsRoom(point, layer, next, most)) return;
    this.piece(point, layer)[this.at(point, layer) + most] = next;
  }

  /** Chooses links of a point among the points near it; returns their number. */
  #chooseOf(near: NearPoints, point: number): number {
    const { candidates, cosines } = CHOICE.begin(near.count);
    let count = 0;
    for (let i = 0; i < near.count; i++) {
      const other = near.point(i);
      if (other === point) continue;
      candidates[count] = other;
      cosines[count++] = near.cosines[i] as number;
    }
    return this.#choose(count, this.#parameters.m);
  }

  /** Removes links to points that are gone from a list, and replaces them by the best links of these points. */
  mend(point: number, layer: number): void {
    const { keys } = this.#points;
    const [piece, at] = [this.piece(point, layer), this.at(point, layer)];
    const length = piece[at] as number;
    let lost = 0;
    for (let i = at + 1; i <= at + length; i++) if (keys[piece[i] as number] === NO_KEY) lost++;
    if (lost === 0) return;
    // Memory is allocated before the list changes: links that were removed could not be found again.
    const { candidates, cosines } = CHOICE.begin(lost * this.#widthOf(layer));
    SEEN.begin(this.#points.end);
    const { marks, mark } = SEEN;
    marks[point] = mark;
    const gone: number[] = [];
    let left = 0;
    for (let i = at + 1; i <= at + length; i++) {
      const other = piece[i] as number;
      if (keys[other] === NO_KEY) {
        gone.push(other);
        continue;
      }
      marks[other] = mark;
      piece[at + 1 + left++] = other;
    }
    piece[at] = left;
    let count = 0;
    for (const dead of gone) {
      const [links, from] = [this.piece(dead, layer), this.at(dead, layer)];
      for (let i = from + 1; i <= from + (links[from] as number); i++) {
        const other = links[i] as number;
        if (marks[other] === mark || keys[other] === NO_KEY) continue;
        marks[other] = mark;
        candidates[count++] = other;
      }
    }
    this.#compare(point, candidates, 0, count, cosines);
    sortByCosine(candidates, cosines, count);
    this.#replace(point, layer, gone.length, Math.min(count, gone.length * TRIES));
  }

  /** Empties the lists of a point. Precondition: no link leads to it. */
  clear(point: number): void {
    for (let layer = this.levelOf(point); layer >= 0; layer--) this.piece(point, layer)[this.at(point, layer)] = 0;
  }

  /** Adds at most `lost` links to the first `count` candidates, which are sorted nearest first. Covered candidates are passed over. */
  #replace(point: number, layer: number, lost: number, count: number): void {
    const { candidates, cosines } = CHOICE;
    const [piece, at] = [this.piece(point, layer), this.at(point, layer)];
    const most = this.#widthOf(layer);
    const full = Math.min(most, (piece[at] as number) + lost);
    for (let i = 0; i < count && (piece[at] as number) < full; i++) {
      const length = piece[at] as number;
      const other = candidates[i] as number;
      const similar = SIMILAR.of(length);
      this.#compare(other, piece, at + 1, length, similar);
      const limit = this.#coveredFrom(cosines[i] as number);
      let isCovered = false;
      for (let j = 0; j < length && !isCovered; j++) isCovered = (similar[j] as number) >= limit;
      if (isCovered) continue;
      piece[at + 1 + length] = other;
      piece[at] = length + 1;
      this.#linkIfThereIsRoom(other, layer, point, most);
    }
  }

  /** Adds a link unless the list is full; returns whether `from` links to `to` afterwards. */
  #linkIfThereIsRoom(from: number, layer: number, to: number, most: number): boolean {
    const [piece, at] = [this.piece(from, layer), this.at(from, layer)];
    const length = piece[at] as number;
    for (let i = at + 1; i <= at + length; i++) if (piece[i] === to) return true;
    if (length === most) return false;
    piece[at + 1 + length] = to;
    piece[at] = length + 1;
    return true;
  }

  /** Adds a link. A full list is pruned: its links are chosen again, with the new one among the candidates. */
  #link(from: number, layer: number, to: number): void {
    const [piece, at] = [this.piece(from, layer), this.at(from, layer)];
    const most = this.#widthOf(layer);
    const length = piece[at] as number;
    if (length < most) {
      piece[at + 1 + length] = to;
      piece[at] = length + 1;
      return;
    }
    const { keys } = this.#points;
    const { candidates, cosines } = CHOICE.begin(length + 1);
    let count = 0;
    for (let i = at + 1; i <= at + length; i++) {
      const other = piece[i] as number;
      if (keys[other] !== NO_KEY) candidates[count++] = other;
    }
    candidates[count++] = to;
    this.#compare(from, candidates, 0, count, cosines);
    sortByCosine(candidates, cosines, count);
    const chosen = this.#choose(count, layer === 0 ? Math.ceil(most * KEPT_SHARE) : most);
    for (let i = 0; i < chosen; i++) piece[at + 1 + i] = CHOICE.chosen[i] as number;
    piece[at] = chosen;
  }

  /** Chooses at most `most` of the first `count` candidates, which are sorted nearest first: each that no chosen one covers. Returns their number. */
  #choose(count: number, most: number): number {
    const { candidates, cosines, chosen } = CHOICE;
    let [done, left] = [0, count];
    while (done < most && left > 0) {
      const nearest = candidates[0] as number;
      chosen[done++] = nearest;
      left--;
      if (done === most || left === 0) break;
      const similar = SIMILAR.of(left);
      this.#compare(nearest, candidates, 1, left, similar);
      let kept = 0;
      for (let i = 0; i < left; i++) {
        const cosine = cosines[i + 1] as number;
        if ((similar[i] as number) >= this.#coveredFrom(cosine)) continue;
        candidates[kept] = candidates[i + 1] as number;
        cosines[kept++] = cosine;
      }
      left = kept;
    }
    return done;
  }

  /** A candidate at `cosine` from the point is covered by a chosen one if their cosine is at least this. Equal vectors cover each other. */
  #coveredFrom(cosine: number): number {
    return 1 - (1 - cosine) / this.#parameters.detour;
  }

  /** Writes the cosines of a point and `count` others, from index `first` on, to `cosines`. */
  #compare(point: number, others: Uint32Array, first: number, count: number, cosines: Float64Array): void {
    const { keys, norms } = this.#points;
    const asked = KEYS.of(count);
    for (let i = 0; i < count; i++) asked[i] = keys[others[first + i] as number] as number;
    const products = this.#rows.productsOfRow(keys[point] as number, asked, count);
    const norm = norms[point] as number;
    for (let i = 0; i < count; i++) {
      cosines[i] = (products[i] as number) * norm * (norms[others[first + i] as number] as number);
    }
  }

  /** The bytes of all lists as they lie in memory, the lowest layer first. */
  *pieces(): Generator<Uint8Array, void> {
    yield* this.#lowest.pieces();
    yield* this.#upper.pieces();
  }

  get savedBytes(): number {
    return this.#lowest.savedBytes + this.#upper.savedBytes;
  }

  /** Whether the lists of the points `[from, end)` are valid: none is too long, and each link leads to a point that is in its layer. */
  areSound(from: number, end: number): boolean {
    const points = this.#points.end;
    for (let point = from; point < end; point++) {
      if (!this.#lowest.areSound(point, point + 1, (_, link) => link < points)) return false;
      for (let layer = this.levelOf(point); layer > 0; layer--) {
        const list = this.#upperList(point, layer);
        if (!this.#upper.areSound(list, list + 1, (_, link) => link < points && this.levelOf(link) >= layer))
          return false;
      }
    }
    return true;
  }
}

/** Number of candidates that are compared for each link to be replaced. */
const TRIES = 4;

const KEYS = new NumberRoom((length) => new Uint32Array(length));
const SIMILAR = new NumberRoom((length) => new Float64Array(length));
const SEEN = new SeenPoints();

const CHOICE = new Choice();

/** Sorts points nearest first. Insertion sort, as there are few. */
function sortByCosine(points: Uint32Array, cosines: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const [point, cosine] = [points[i] as number, cosines[i] as number];
    let at = i;
    for (; at > 0 && (cosines[at - 1] as number) < cosine; at--) {
      points[at] = points[at - 1] as number;
      cosines[at] = cosines[at - 1] as number;
    }
    points[at] = point;
    cosines[at] = cosine;
  }
}

/** Mixes the bits of a point's number: every input bit affects all 32 output bits. */
function mixed(point: number): number {
  let bits = Math.imul(point + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
