/** What passages belong to: only the best one of each counts. */
export interface Groups {
  /** The number of a passage's group. */
  readonly of: (ordinal: number) => number;
  /** Whether a group may be among the best; undefined if all may. Asked at most once for each. */
  readonly mayBe?: ((group: number) => boolean) | undefined;
}

/** The best passages of different groups among those offered, a few of them: what the last of them has is what others need. */
export class BestGroups {
  readonly #count: number;
  readonly #groups: Groups;
  readonly #known = new Map<number, boolean>();
  readonly #ofPlace: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #scores: number[] = [];
  #least = 0;
  #leastAt = 0;

  constructor(count: number, groups: Groups) {
    this.#count = count;
    this.#groups = groups;
  }

  /** Whether as many as wanted are there. */
  get isFull(): boolean {
    return this.#scores.length === this.#count;
  }

  /** The least of their scores; 0 while there are fewer than wanted. */
  get threshold(): number {
    return this.#least;
  }

  /** The passages, in no order. */
  get ordinals(): readonly number[] {
    return this.#ordinals;
  }

  /** Those that are known have these scores by now, which have only grown: most others are passed over from the beginning then. */
  renew(scores: Float64Array): void {
    for (let i = 0; i < this.#ordinals.length; i++) this.#scores[i] = scores[this.#ordinals[i] ?? 0] ?? 0;
    this.#findLeast();
  }

  /** Passages with their scores, by ordinal: those of `[from, to)`. Most are passed over here, without a call. */
  offerAll(ordinals: Uint32Array, from: number, to: number, scores: Float64Array): void {
    let least = this.#least;
    for (let i = from; i < to; i++) {
      const ordinal = ordinals[i] as number;
      const score = scores[ordinal] as number;
      if (score <= least) continue;
      this.offer(ordinal, score);
      least = this.#least;
    }
  }

  /** A passage with its score, above 0. */
  offer(ordinal: number, score: number): void {
    if (score <= this.#least) return;
    const group = this.#groups.of(ordinal);
    const at = this.#ofPlace.indexOf(group);
    if (at >= 0) {
      if (score > (this.#scores[at] ?? 0)) this.#put(at, group, ordinal, score);
      return;
    }
    if (!this.#mayBe(group)) return;
    this.#put(this.isFull ? this.#leastAt : this.#scores.length, group, ordinal, score);
  }

  #mayBe(group: number): boolean {
    const { mayBe } = this.#groups;
    if (mayBe === undefined) return true;
    let known = this.#known.get(group);
    if (known === undefined) {
      known = mayBe(group);
      this.#known.set(group, known);
    }
    return known;
  }

  #put(at: number, group: number, ordinal: number, score: number): void {
    this.#ofPlace[at] = group;
    this.#ordinals[at] = ordinal;
    this.#scores[at] = score;
    this.#findLeast();
  }

  #findLeast(): void {
    if (!this.isFull) return;
    let leastAt = 0;
    for (let i = 1; i < this.#scores.length; i++) {
      if ((this.#scores[i] ?? 0) < (this.#scores[leastAt] ?? 0)) leastAt = i;
    }
    this.#leastAt = leastAt;
    this.#least = this.#scores[leastAt] ?? 0;
  }
}
