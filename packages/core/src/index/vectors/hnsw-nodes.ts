import { must } from "../../model/must.ts";
/** Stands in the place of a key: the point is gone or free. */
export const NO_KEY = 0xffff_ffff;

/**
 * The points of a graph, and the keys of the rows that each point stands for. A point keeps its number when its row gets another key.
 * Equal vectors share one point: points of many copies of a text would link only to each other.
 *
 * Invariants: a key has at most one point. A point without a key is gone or free: see {@link HnswGraph} for the states.
 */
export class GraphPoints {
  /** By point: the key of its row, or the first key of several equal rows; {@link NO_KEY} where it has none. */
  keys = new Uint32Array(0);
  /** By point: 1 / (the length of its codes). */
  norms = new Float32Array(0);
  /** By key: its point + 1; 0 for none. */
  #pointOfKey = new Uint32Array(0);
  /** By point: the further keys of equal rows, where there are any. */
  readonly #others = new Map<number, FurtherKeys>();
  /** Free points: no link leads to them. */
  #free: number[] = [];
  /** Points that are gone: their vector is deleted, and links may still lead to them. */
  #gone: number[] = [];
  #end = 0;
  #count = 0;
  #living = 0;

  /** The highest point + 1. */
  get end(): number {
    return this.#end;
  }
  /** Number of keys that have a point. */
  get count(): number {
    return this.#count;
  }
  /** Number of points that have a key. */
  get living(): number {
    return this.#living;
  }
  get freeCount(): number {
    return this.#free.length;
  }
  get goneCount(): number {
    return this.#gone.length;
  }
  get bytes(): number {
    const numbers = this.keys.byteLength + this.norms.byteLength + this.#pointOfKey.byteLength;
    return numbers + (this.#count - this.living) * BYTES_A_FURTHER_KEY + (this.#free.length + this.#gone.length) * 8;
  }

  /** The point of a key; -1 for none. */
  pointOf(key: number): number {
    return (this.#pointOfKey[key] ?? 0) - 1;
  }

  /** The keys of a point besides its first; undefined if there are none. */
  othersOf(point: number): ReadonlySet<number> | undefined {
    return this.#others.get(point)?.keys;
  }

  /** Reserves memory for one more point, that of a key, so that {@link add} allocates none. Returns the value of {@link end} after `add`. */
  reserve(key: number): number {
    const end = this.#free.length > 0 ? this.#end : this.#end + 1;
    this.#makeRoom(end);
    this.#makeRoomFor(key);
    return end;
  }

  /** Makes a point for the row of a key. It uses a free point if there is one. */
  add(key: number, norm: number): number {
    this.reserve(key);
    const point = this.#free.pop() ?? this.#end;
    if (point === this.#end) this.#end++;
    this.norms[point] = norm;
    this.share(point, key);
    return point;
  }

  /** Gives a point another key, whose row is equal to the point's; or its first key, if the point has none. */
  share(point: number, key: number): void {
    this.#assign(key, point);
    if (this.keys[point] === NO_KEY) {
      this.keys[point] = key;
      this.#living++;
      return;
    }
    const others = this.#others.get(point);
    if (others === undefined) this.#others.set(point, new FurtherKeys(key));
    else others.keys.add(key);
  }

  /** Takes a key from its point. True if it was the point's last key: the point is gone then. */
  remove(key: number): boolean {
    const point = this.pointOf(key);
    if (point < 0) return false;
    this.#pointOfKey[key] = 0;
    this.#count--;
    const others = this.#others.get(point);
    if (others === undefined) {
      this.keys[point] = NO_KEY;
      this.#living--;
      this.#gone.push(point);
      return true;
    }
    if (this.keys[point] === key) this.keys[point] = others.takeFirst();
    else others.keys.delete(key);
    if (others.keys.size === 0) this.#others.delete(point);
    return false;
  }

  /** Replaces key `from` of a point by key `to`, which has no point. */
  move(from: number, to: number): void {
    const point = this.pointOf(from);
    if (point < 0) return;
    this.#pointOfKey[from] = 0;
    this.#count--;
    this.#assign(to, point);
    if (this.keys[point] === from) {
      this.keys[point] = to;
      return;
    }
    const others = this.#others.get(point);
    others?.keys.delete(from);
    others?.keys.add(to);
  }

  /** Takes the list of all points that are gone by now, and begins a new list. The taken points are not used again before {@link release}. */
  takeGone(): readonly number[] {
    const gone = this.#gone;
    this.#gone = [];
    return gone;
  }

  /** Makes points free. Precondition: no link leads to them. */
  release(points: readonly number[]): void {
    for (const point of points) this.#free.push(point);
  }

  /** Makes `count` points without keys, for a graph that is being loaded. */
  static allGone(count: number): GraphPoints {
    const points = new GraphPoints();
    points.#makeRoom(count);
    points.#end = count;
    points.keys.fill(NO_KEY);
    return points;
  }

  /** Lists all points without a key as gone. Called after the points of a loaded graph have got their keys. */
  noteGone(): void {
    this.#gone = [];
    for (let point = 0; point < this.#end; point++) if (this.keys[point] === NO_KEY) this.#gone.push(point);
  }

  #assign(key: number, point: number): void {
    this.#makeRoomFor(key);
    this.#pointOfKey[key] = point + 1;
    this.#count++;
  }

  #makeRoomFor(key: number): void {
    if (key < this.#pointOfKey.length) return;
    const grown = new Uint32Array(Math.max(SMALLEST, Math.ceil((key + 1) * GROWTH)));
    grown.set(this.#pointOfKey);
    this.#pointOfKey = grown;
  }

  #makeRoom(end: number): void {
    if (end <= this.keys.length) return;
    const length = Math.max(SMALLEST, Math.ceil(end * GROWTH));
    const [keys, norms] = [new Uint32Array(length).fill(NO_KEY), new Float32Array(length)];
    keys.set(this.keys);
    norms.set(this.norms);
    [this.keys, this.norms] = [keys, norms];
  }
}

/** The further keys of a point, at least one, in the order in which they were added. */
class FurtherKeys {
  readonly keys: Set<number>;
  /** One iterator for all calls of {@link takeFirst}: a new one would pass over the places of all keys taken before, which is quadratic. */
  #order: Iterator<number, undefined>;

  constructor(key: number) {
    this.keys = new Set([key]);
    this.#order = this.keys.values();
  }

  /** Removes and returns the key that was added first. */
  takeFirst(): number {
    let first = this.#order.next();
    if (first.done === true) {
      this.#order = this.keys.values();
      first = this.#order.next();
    }
    const key = must(first.value, "the first of the further keys of a point");
    this.keys.delete(key);
    return key;
  }
}

const SMALLEST = 256;
/** Growing copies eight bytes a point: well below a millisecond for 100,000 points. */
const GROWTH = 1.25;
/** Bytes of a number in a set, with its share of the set; measured. */
const BYTES_A_FURTHER_KEY = 40;
