/** The maximum number of documents that are kept. Answers have far fewer. */
const KEPT_MAX = 256;

/**
 * Tracks the best `count` documents while their scores only rise, and so the least score that another document needs to join them.
 * With a `count` above {@link KEPT_MAX} nothing is tracked, and that least score is 0. An offer takes O(`count`). In bounds: both lists are as long.
 */
export class BestScores {
  readonly #count: number;
  readonly #isAllowed: (slot: number) => boolean;
  /** Slots of the best documents, worst first. */
  readonly #slots: number[] = [];
  readonly #scores: number[] = [];

  constructor(count: number, isAllowed: (slot: number) => boolean) {
    this.#count = count > KEPT_MAX ? 0 : count;
    this.#isAllowed = isAllowed;
  }

  /** The least score that another document needs; 0 until `count` documents are known. */
  get needed(): number {
    return this.#count > 0 && this.#slots.length === this.#count ? (this.#scores[0] as number) : 0;
  }

  /** Offers the score of one passage of a document. */
  offer(slot: number, score: number): void {
    const slots = this.#slots;
    const scores = this.#scores;
    if (this.#count === 0 || score <= 0) return;
    const isFull = slots.length === this.#count;
    if (isFull && score <= (scores[0] as number)) return;
    let at = slots.indexOf(slot);
    if (at < 0) {
      if (!this.#isAllowed(slot)) return;
      if (isFull) at = 0;
      else {
        slots.unshift(slot);
        scores.unshift(score);
        at = 0;
      }
    } else if (score <= (scores[at] as number)) return;
    for (; at + 1 < slots.length && (scores[at + 1] as number) < score; at++) {
      slots[at] = slots[at + 1] as number;
      scores[at] = scores[at + 1] as number;
    }
    slots[at] = slot;
    scores[at] = score;
  }
}
