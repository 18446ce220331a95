/** Numbers in a typed array that grows by half when it is full. */
export class GrowingUint32 {
  #values: Uint32Array;
  #length: number;

  /** Takes over these values; the array is its own from now on. */
  constructor(values: Uint32Array) {
    this.#values = values;
    this.#length = values.length;
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
      const grown = new Uint32Array(Math.max(CAPACITY_MIN, Math.ceil(this.#values.length * 1.5)));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** Forgets what is from `length` on. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** A view of the values so far: what is pushed later does not show in it, what is set may. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

const CAPACITY_MIN = 256;
