/**
 * The candidates of a walk through a graph: the nearest points found so far, at most a given number, nearest first. Equally near
 * points keep the order in which they were offered.
 */
export class NearPoints {
  cosines = new Float64Array(256);
  /** Numbers of points. A taken point stands as the complement (`~`) of its number. */
  #points = new Int32Array(256);
  #count = 0;
  #most = 0;
  /** All points before this index have been taken. */
  #next = 0;

  get count(): number {
    return this.#count;
  }

  /** Empties the list; it keeps at most `most` points from now on. */
  begin(most: number): void {
    this.#count = 0;
    this.goOn(most);
  }

  /** Keeps the nearest `most` points of the list, marks all as not taken, and keeps at most `most` from now on. */
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

  /** The number of the point at index `i`, whether taken or not. */
  point(i: number): number {
    const point = this.#points[i] as number;
    return point < 0 ? ~point : point;
  }

  /** Offers a point; each point at most once. */
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

  /** The index of the first point before `end` that is farther; `end` if there is none. Binary search. */
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

  /** Takes the nearest point that has not been taken yet; -1 if there is none. */
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
 * A new point moves up by at most this number of places one by one. After that its place is found by binary search, and all points between
 * move at once. One by one alone, a walk for thousands of points would take quadratic time.
 */
const STEPS_MAX = 64;

/** The points that a walk has visited. One instance serves all graphs, as nothing interrupts a walk. */
export class SeenPoints {
  marks = new Uint8Array(0);
  mark = 0;

  /** Marks all points below `end` as not visited. A point is visited if its entry in `marks` equals `mark`. */
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

/** Largest mark. Marks are bytes, so that random reads stay in the processor's cache. */
const MARK_MAX = 255;
