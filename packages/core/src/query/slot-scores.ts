/** The best score of each document, by slot, and the passage that has it, in memory that the next query uses again. */
export class SlotScores {
  #scores = new Float64Array(64);
  #slots = new Uint32Array(64);
  #ordinals = new Int32Array(64);
  #count = 0;

  /** Documents with a score. */
  get count(): number {
    return this.#count;
  }

  /** Forgets everything and makes room for slots below `size`. */
  reset(size: number): void {
    for (let i = 0; i < this.#count; i++) this.#scores[this.#slots[i] ?? 0] = 0;
    this.#count = 0;
    if (size <= this.#scores.length) return;
    this.#scores = new Float64Array(Math.ceil(size * 1.5));
    this.#slots = new Uint32Array(this.#scores.length);
    this.#ordinals = new Int32Array(this.#scores.length);
  }

  /** Keeps the higher of this score (above 0) and the one known, and of equal ones that of the first passage. */
  raise(slot: number, score: number, ordinal: number): void {
    const before = this.#scores[slot] ?? 0;
    if (score <= before) {
      if (score === before && ordinal < (this.#ordinals[slot] ?? 0)) this.#ordinals[slot] = ordinal;
      return;
    }
    if (before === 0) this.#slots[this.#count++] = slot;
    this.#scores[slot] = score;
    this.#ordinals[slot] = ordinal;
  }

  /** The `i`-th slot with a score. */
  slotAt(i: number): number {
    return this.#slots[i] ?? 0;
  }
  scoreOf(slot: number): number {
    return this.#scores[slot] ?? 0;
  }
  /** The passage that has the score. */
  ordinalOf(slot: number): number {
    return this.#ordinals[slot] ?? 0;
  }
}
