/** A growing array of word piece numbers, used again for the next text. */
export class PieceList {
  #ids = new Int32Array(1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A view of the numbers, valid until the list changes. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Keeps only the first `length` numbers. */
  shorten(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  push(id: number): void {
    if (this.#length === this.#ids.length) {
      const longer = new Int32Array(this.#ids.length * 2);
      longer.set(this.#ids);
      this.#ids = longer;
    }
    this.#ids[this.#length++] = id;
  }
}
