/**
 * The points nearest to something, at most so many, nearest first: what a walk through a graph has found so far. Of equally near ones
 * those that came first stay first.
 */
export class NearPoints {
  cosines = new Float64Array(256);
  /** The complement of its number for a point that has been taken. */
  #points = new Int32Array(256);
  #count = 0;
  #most = 0;
  /** None before this is still to be taken. */
  #next = 0;

  get count(): number {
    return this.#count;
  }

  /** Empty, with room for so many. */
  begin(most: number): void {
    this.#count = 0;
    this.goOn(most);
  }

  /** With the nearest that are here, none of which counts as taken, and room for so many. */
  goOn(most: number): void {
    this.#count = Math.min(this.#count, most);
    this.#next = 0;
    this.#most = most;
    for (let i = 0; i < this.#count; i++) this.#points[i] = this.point(i);
    if (this.cosines.length >= most) return;
    const [cosines, points] = [new Float64Array(most * 2), new Int32Array(most * 2)];
    cosines.set(this.cosines);
    points.set(this.#points);
    [this.cosines, this.#points] = [cosines, points];
  }

  point(i: number): number {
    const point = this.#points[i] as number;
    return point < 0 ? ~point : point;
  }

  /** Shows a point; each at most once. */
  offer(point: number, cosine: number): void {
    const { cosines } = this;
    const points = this.#points;
    if (this.#count < this.#most) this.#count++;
    else if (!(cosine > (cosines[this.#count - 1] as number))) return;
    let at = this.#count - 1;
    const slicesEnd = Math.max(0, at - STEPS_MAX);
    while (at > slicesEnd && (cosines[at - 1] as number) < cosine) {
      cosines[at] = cosines[at - 1] as number;
      points[at] = points[at - 1] as number;
      at--;
    }
    if (at > 0 && at === slicesEnd && (cosines[at - 1] as number) < cosine) {
      const end = at;
      at = this.#placeOf(cosine, end);
      cosines.copyWithin(at + 1, at, end);
      points.copyWithin(at + 1, at, end);
    }
    cosines[at] = cosine;
    points[at] = point;
    if (at < this.#next) this.#next = at;
  }

  /** Before the first point ahead of `end` that is farther. */
  #placeOf(cosine: number, end: number): number {
    const { cosines } = this;
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cosines[middle] as number) < cosine) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The nearest point that has not been taken yet; -1 if all have. */
  take(): number {
    const points = this.#points;
    for (; this.#next < this.#count; this.#next++) {
      const point = points[this.#next] as number;
      if (point < 0) continue;
      points[this.#next] = ~point;
      return point;
    }
    return -1;
  }
}

/**
 * A point is moved up by so many places one by one; then its place is sought, and all between are moved at once. Step by step alone, a walk for thousands takes a
 * time that grows with the square of their number.
 */
const STEPS_MAX = 64;

/** Which points a walk has come by. One is enough for all graphs: nothing interrupts a walk. */
export class SeenPoints {
  marks = new Uint8Array(0);
  mark = 0;

  /** None has been seen; of points below `end` it can be noted. */
  begin(end: number): void {
    if (this.marks.length < end) {
      this.marks = new Uint8Array(Math.ceil(end * 1.5));
      this.mark = 0;
    }
    this.mark++;
    if (this.mark <= MARK_MAX) return;
    this.marks.fill(0);
    this.mark = 1;
  }
}

/** A byte each: they are read at random places, and stay in the processor's cache. */
const MARK_MAX = 255;
