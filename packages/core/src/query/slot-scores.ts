/** The best score of each document, by slot, in memory that the next query uses again. */
export class SlotScores {
  #scores = new Float64Array(64);
  #slots = new Uint32Array(64);
  #count = 0;

  /** Forgets everything and makes room for slots below `size`. */
  reset(size: number): void {
    for (let i = 0; i < this.#count; i++) this.#scores[this.#slots[i] ?? 0] = 0;
    this.#count = 0;
    if (size <= this.#scores.length) return;
    this.#scores = new Float64Array(Math.ceil(size * 1.5));
    this.#slots = new Uint32Array(this.#scores.length);
  }

  /** Keeps the higher of this score (above 0) and the one known. */
  raise(slot: number, score: number): void {
    const before = this.#scores[slot] ?? 0;
    if (score <= before) return;
    if (before === 0) this.#slots[this.#count++] = slot;
    this.#scores[slot] = score;
  }

  forEach(visit: (slot: number, score: number) => void): void {
    for (let i = 0; i < this.#count; i++) {
      const slot = this.#slots[i] ?? 0;
      visit(slot, this.#scores[slot] ?? 0);
    }
  }
}
