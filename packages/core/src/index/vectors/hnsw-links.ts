import { Choice } from "./choice.ts";
import { type GraphPoints, NO_KEY } from "./hnsw-nodes.ts";
import type { LinkParameters } from "./hnsw-parameters.ts";
import { LinkLists } from "./link-lists.ts";
import { type NearPoints, SeenPoints } from "./near-points.ts";
import { NumberRoom } from "./number-room.ts";
import type { VectorRows } from "./rows.ts";

/** A point of a full list keeps so many of the links that it has in the lowest layer: most lists are full rarely. */
const KEPT_SHARE = 0.6;
const LEVEL_MAX = 15;

/**
 * The links of a graph's points, layer by layer: where they lead is chosen so that walks get along. A point links to near points, but not
 * to those that are nearer to one of the others (Malkov, Yashunin 2016; with a factor as in Subramanya et al. 2019, "DiskANN").
 */
export class GraphLinks {
  readonly #rows: VectorRows;
  #points: GraphPoints;
  readonly #parameters: LinkParameters;
  /** By point. */
  readonly #lowest: LinkLists;
  /** Those of a point's upper layers follow each other. */
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

  /** The highest layer of a point: always the same of the same point, one of `m` is in the next layer. */
  levelOf(point: number): number {
    const share = (mixed(point) + 1) / 2 ** 32;
    return Math.min(LEVEL_MAX, Math.floor(-Math.log(share) / Math.log(this.#parameters.m)));
  }

  /** The same points, which have other keys now. */
  follow(points: GraphPoints): void {
    this.#points = points;
  }

  /** Makes empty lists for the points below `end`. A point has all of its lists or, where there is no memory for them, none. */
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

  /** The piece of memory with the links of a point in a layer that it is in, and where in it their number stands. */
  piece(point: number, layer: number): Uint32Array {
    return layer === 0 ? this.#lowest.piece(point) : this.#upper.piece(this.#upperList(point, layer));
  }
  at(point: number, layer: number): number {
    return layer === 0 ? this.#lowest.at(point) : this.#upper.at(this.#upperList(point, layer));
  }

  #upperList(point: number, layer: number): number {
    return (this.#firstUpper[point] as number) + layer - 2;
  }

  /** Most links of a point. */
  #widthOf(layer: number): number {
    return layer === 0 ? this.#lowest.width : this.#upper.width;
  }

  isInUpper(point: number): boolean {
    return (this.#firstUpper[point] ?? 0) > 0;
  }

  /** Links a new point and the best of those that are near, in both directions. */
  connect(point: number, layer: number, near: NearPoints): void {
    const chosen = this.#chooseOf(near, point);
    const [piece, at] = [this.piece(point, layer), this.at(point, layer)];
    piece[at] = chosen;
    for (let i = 0; i < chosen; i++) piece[at + 1 + i] = CHOICE.chosen[i] as number;
    for (let i = 1; i <= chosen; i++) this.#link(piece[at + i] as number, layer, point);
  }

  /**
   * Links a point that walks did not come to, and the best of those near it that they came to, in both directions: at least one of these
   * links to it then, and walks come to all that they came to before.
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

  /** A full list links to a point instead of its last one, to which that point links now. */
  #linkBetween(from: number, layer: number, point: number): void {
    const [piece, at] = [this.piece(from, layer), this.at(from, layer)];
    const last = at + (piece[at] as number);
    const next = piece[last] as number;
    piece[last] = point;
    const most = this.#widthOf(layer);
    if (this.#linkIfThereIsRoom(point, layer, next, most)) return;
    this.piece(point, layer)[this.at(point, layer) + most] = next;
  }

  /** Chooses links of a point among those near it: how many. */
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

  /** Takes the links to points that are gone out of a list; what these linked to takes their place. */
  mend(point: number, layer: number): void {
    const { keys } = this.#points;
    const [piece, at] = [this.piece(point, layer), this.at(point, layer)];
    const length = piece[at] as number;
    let lost = 0;
    for (let i = at + 1; i <= at + length; i++) if (keys[piece[i] as number] === NO_KEY) lost++;
    if (lost === 0) return;
    // Before the list is changed: what has been taken out of it is not looked for again.
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

  /** Nothing links to the point any more, and it links to nothing. */
  clear(point: number): void {
    for (let layer = this.levelOf(point); layer >= 0; layer--) this.piece(point, layer)[this.at(point, layer)] = 0;
  }

  /** Adds at most `lost` links to the first `count` candidates, which are sorted. */
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

  /** Whether it is linked now. */
  #linkIfThereIsRoom(from: number, layer: number, to: number, most: number): boolean {
    const [piece, at] = [this.piece(from, layer), this.at(from, layer)];
    const length = piece[at] as number;
    for (let i = at + 1; i <= at + length; i++) if (piece[i] === to) return true;
    if (length === most) return false;
    piece[at + 1 + length] = to;
    piece[at] = length + 1;
    return true;
  }

  /** Adds a link; a list that is full is chosen anew. */
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

  /** Chooses at most `most` of the first `count` candidates, which are sorted: those that none of the chosen before covers. */
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

  /** What is so similar to a chosen one is covered by it, where `cosine` is its own. Also where both distances are nothing. */
  #coveredFrom(cosine: number): number {
    return 1 - (1 - cosine) / this.#parameters.detour;
  }

  /** The cosines of a point and `count` others, from `first` on. */
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

  /** All lists as they lie in memory, those of the lowest layer first. */
  *pieces(): Generator<Uint8Array, void> {
    yield* this.#lowest.pieces();
    yield* this.#upper.pieces();
  }

  get savedBytes(): number {
    return this.#lowest.savedBytes + this.#upper.savedBytes;
  }

  /** Whether every list is one that this could have made: no link leads to where there is nothing. */
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

/** So many are compared for each link that is to be replaced. */
const TRIES = 4;

const KEYS = new NumberRoom((length) => new Uint32Array(length));
const SIMILAR = new NumberRoom((length) => new Float64Array(length));
const SEEN = new SeenPoints();

const CHOICE = new Choice();

/** Nearest first, by insertion: they are few. */
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

/** Spreads every bit over all 32. */
function mixed(point: number): number {
  let bits = Math.imul(point + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
