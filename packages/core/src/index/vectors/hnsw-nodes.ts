/** In the place of a key: the vector of the point is gone. */
export const NO_KEY = 0xffff_ffff;

/**
 * The points of a graph, and the keys of the rows that each stands for. A point stays what it is when its row gets another key. Equal
 * vectors share one point: each of many copies of a text would link to nothing but the others.
 */
export class GraphPoints {
  /** By point: the key of its row, or of one of several that are equal; {@link NO_KEY} where the vector is gone. */
  keys = new Uint32Array(0);
  /** By point: 1 / (the length) of its codes. */
  norms = new Float32Array(0);
  /** By key: its point + 1; 0 for none. */
  #pointOfKey = new Uint32Array(0);
  /** By point: the further keys of equal rows. */
  readonly #others = new Map<number, FurtherKeys>();
  /** Points that nothing links to. */
  #free: number[] = [];
  /** Points whose vector is gone, and that others may still link to. */
  #gone: number[] = [];
  #end = 0;
  #count = 0;
  #living = 0;

  /** The highest point + 1. */
  get end(): number {
    return this.#end;
  }
  /** Keys that have a point. */
  get count(): number {
    return this.#count;
  }
  /** Points that have a key. */
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

  /** The keys of a point besides its first. */
  othersOf(point: number): ReadonlySet<number> | undefined {
    return this.#others.get(point)?.keys;
  }

  /** Makes room for one more point, that of a key, so that {@link add} asks for no memory. Returns what {@link end} is going to be. */
  reserve(key: number): number {
    const end = this.#free.length > 0 ? this.#end : this.#end + 1;
    this.#makeRoom(end);
    this.#makeRoomFor(key);
    return end;
  }

  /** A point for the row of a key. */
  add(key: number, norm: number): number {
    this.reserve(key);
    const point = this.#free.pop() ?? this.#end;
    if (point === this.#end) this.#end++;
    this.norms[point] = norm;
    this.share(point, key);
    return point;
  }

  /** The row of a key is equal to that of a point, or is that of a point that has no key. */
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

  /** The key has no point any more. The point is gone if it was its last: true then. */
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

  /** The point of a key is that of another key now, which has none. */
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

  /** Those that are gone by now; the next ones are noted anew. They stay out of use until {@link release}. */
  takeGone(): readonly number[] {
    const gone = this.#gone;
    this.#gone = [];
    return gone;
  }

  /** Nothing links to these any more. */
  release(points: readonly number[]): void {
    for (const point of points) this.#free.push(point);
  }

  /** So many points whose vectors are gone: those of a graph that has been read. */
  static allGone(count: number): GraphPoints {
    const points = new GraphPoints();
    points.#makeRoom(count);
    points.#end = count;
    points.keys.fill(NO_KEY);
    return points;
  }

  /** Those without a key are gone: after a graph that has been read was given its keys. */
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

/** At least one. */
class FurtherKeys {
  readonly keys: Set<number>;
  /** Begun again for each key that is taken, it would pass over the places of all that were taken before. */
  #order: Iterator<number, undefined>;

  constructor(key: number) {
    this.keys = new Set([key]);
    this.#order = this.keys.values();
  }

  /** Takes the key out that has come first. */
  takeFirst(): number {
    let first = this.#order.next();
    if (first.done === true) {
      this.#order = this.keys.values();
      first = this.#order.next();
    }
    const key = first.value ?? NO_KEY;
    this.keys.delete(key);
    return key;
  }
}

const SMALLEST = 256;
/** Eight bytes a point are copied each time: well below a millisecond for 100,000. */
const GROWTH = 1.25;
/** A number in a set, and its share of it; measured. */
const BYTES_A_FURTHER_KEY = 40;
