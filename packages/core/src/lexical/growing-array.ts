/** Numbers in a typed array that grows by half when it is full. */
export class GrowingUint32 {
  #values: Uint32Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#values = new Uint32Array(capacity);
  }

  static from(values: Uint32Array): GrowingUint32 {
    const growing = new GrowingUint32(Math.max(values.length, 16));
    growing.#values.set(values);
    growing.#length = values.length;
    return growing;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  /** The value at `at`; 0 beyond the end. */
  get(at: number): number {
    return this.#values[at] ?? 0;
  }

  set(at: number, value: number): void {
    this.#values[at] = value;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(Math.ceil(this.#values.length * 1.5) + 1);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** A view of the values in use; valid until the next push. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
