import { must } from "../model/must.ts";
/**
 * The best score of each document, by slot, with the passage that has it. The next question uses the same memory again. A slot that the last
 * {@link reset} made no place for throws.
 */
export class SlotScores {
  #scores = new Float64Array(64);
  #slots = new Uint32Array(64);
  #ordinals = new Int32Array(64);
  #count = 0;

  /** Number of documents with a score. */
  get count(): number {
    return this.#count;
  }

  /** Clears all scores, and grows the arrays for slots below `size`. O(documents with a score), unless the arrays grow. */
  reset(size: number): void {
    for (let i = 0; i < this.#count; i++) this.#scores[this.#slots[i] as number] = 0;
    this.#count = 0;
    if (size <= this.#scores.length) return;
    const length = Math.ceil(size * 1.5);
    const [scores, slots, ordinals] = [new Float64Array(length), new Uint32Array(length), new Int32Array(length)];
    [this.#scores, this.#slots, this.#ordinals] = [scores, slots, ordinals];
  }

  /** Raises a document's score, if this one (above 0) is higher. Of equal scores the lowest ordinal is kept. */
  raise(slot: number, score: number, ordinal: number): void {
    const before = this.scoreOf(slot);
    if (score <= before) {
      if (score === before && ordinal < this.ordinalOf(slot)) this.#ordinals[slot] = ordinal;
      return;
    }
    if (before === 0) this.#slots[this.#count++] = slot;
    this.#scores[slot] = score;
    this.#ordinals[slot] = ordinal;
  }

  /** The `i`-th slot with a score; `i` is below {@link count}. */
  slotAt(i: number): number {
    return this.#slots[i] as number;
  }
  scoreOf(slot: number): number {
    return must(this.#scores[slot], "the score of a slot");
  }
  /** The ordinal of the passage with that score. */
  ordinalOf(slot: number): number {
    return must(this.#ordinals[slot], "the best passage of a slot");
  }
}
