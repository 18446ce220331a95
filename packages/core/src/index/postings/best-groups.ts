/** Groups of passages. Only the best passage of each group counts. */
export interface Groups {
  /** The number of a passage's group. */
  readonly of: (ordinal: number) => number;
  /** Whether a group may be among the best; undefined if all may. Asked for each passage that is good enough: O(1), as a set of slots is. */
  readonly mayBe?: ((group: number) => boolean) | undefined;
}

/** More groups than this are not compared: nearly all may be among the best then. Answers have far fewer. */
export const GROUPS_COMPARED_MAX = 256;

/**
 * Collects the best passages of different groups. The lowest of their scores is the threshold for all other passages. In bounds: the three lists are
 * as long as each other, and scores are by ordinal.
 */
export class BestGroups {
  readonly #count: number;
  readonly #groups: Groups;
  readonly #ofPlace: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #scores: number[] = [];
  #least = 0;
  #leastAt = 0;

  constructor(count: number, groups: Groups) {
    this.#count = count > GROUPS_COMPARED_MAX ? 0 : count;
    this.#groups = groups;
  }

  /** Whether it holds as many passages as wanted. */
  get isFull(): boolean {
    return this.#count > 0 && this.#scores.length === this.#count;
  }

  /** The lowest of their scores; 0 while there are fewer than wanted, and where more than {@link GROUPS_COMPARED_MAX} are. */
  get threshold(): number {
    return this.#least;
  }

  /** The passages, in no particular order. */
  get ordinals(): readonly number[] {
    return this.#ordinals;
  }

  /** Updates the scores of the passages that it holds, which have only grown. Most other passages then fail the threshold at once. */
  renew(scores: Float64Array): void {
    for (let i = 0; i < this.#ordinals.length; i++) this.#scores[i] = scores[this.#ordinals[i] as number] as number;
    this.#findLeast();
  }

  /** Offers the passages of `[from, to)` in `ordinals`. `scores` is by ordinal. Most of them are refused here, without a call. */
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

  /** Offers a passage with its score. One of 0 or below is not kept. */
  offer(ordinal: number, score: number): void {
    if (score <= this.#least || this.#count === 0) return;
    const group = this.#groups.of(ordinal);
    // Asked first: where few groups may be among the best, most passages end here.
    if (this.#groups.mayBe?.(group) === false) return;
    const at = this.#ofPlace.indexOf(group);
    if (at >= 0) {
      if (score > (this.#scores[at] as number)) this.#put(at, group, ordinal, score);
      return;
    }
    this.#put(this.isFull ? this.#leastAt : this.#scores.length, group, ordinal, score);
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
      if ((this.#scores[i] as number) < (this.#scores[leastAt] as number)) leastAt = i;
    }
    this.#leastAt = leastAt;
    this.#least = this.#scores[leastAt] as number;
  }
}
