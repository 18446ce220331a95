/** More are not kept: an answer has far fewer documents. */
const KEPT_MAX = 256;

/**
 * What the best documents so far are worth, while scores only rise: the least that another one needs to be among the best `count`. Where
 * these are very many it is not known, and 0.
 */
export class BestScores {
  readonly #count: number;
  readonly #isAllowed: (slot: number) => boolean;
  /** The worst first. */
  readonly #slots: number[] = [];
  readonly #scores: number[] = [];

  constructor(count: number, isAllowed: (slot: number) => boolean) {
    this.#count = count > KEPT_MAX ? 0 : count;
    this.#isAllowed = isAllowed;
  }

  /** A document needs at least this; 0 as long as anything will do. */
  get needed(): number {
    return this.#count > 0 && this.#slots.length === this.#count ? (this.#scores[0] ?? 0) : 0;
  }

  /** A passage of a document is worth so much. */
  offer(slot: number, score: number): void {
    const slots = this.#slots;
    const scores = this.#scores;
    if (this.#count === 0 || score <= 0) return;
    const isFull = slots.length === this.#count;
    if (isFull && score <= (scores[0] ?? 0)) return;
    let at = slots.indexOf(slot);
    if (at < 0) {
      if (!this.#isAllowed(slot)) return;
      if (isFull) at = 0;
      else {
        slots.unshift(slot);
        scores.unshift(score);
        at = 0;
      }
    } else if (score <= (scores[at] ?? 0)) return;
    for (; at + 1 < slots.length && (scores[at + 1] ?? 0) < score; at++) {
      slots[at] = slots[at + 1] ?? 0;
      scores[at] = scores[at + 1] ?? 0;
    }
    slots[at] = slot;
    scores[at] = score;
  }
}
