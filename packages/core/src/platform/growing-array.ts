/** A typed array of numbers that grows by half when it is full, a large one by a quarter. */
export class GrowingUint32 {
  #values: Uint32Array;
  #length: number;

  /** Takes over these values, none by default; the array is its own from now on. */
  constructor(values: Uint32Array = new Uint32Array(0)) {
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
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length++] = value;
  }

  /** Ensures that the next {@link push} asks for no memory. */
  reserve(): void {
    if (this.#length === this.#values.length) this.#grow();
  }

  #grow(): void {
    const factor = this.#length < MANY ? 1.5 : 1.25;
    const grown = new Uint32Array(Math.max(CAPACITY_MIN, Math.ceil(this.#length * factor)));
    grown.set(this.#values);
    this.#values = grown;
  }

  /** Drops the values from `length` on. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** A view of the values so far. Later pushes do not show in it; later sets may. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

const CAPACITY_MIN = 32;
const MANY = 2 ** 16;
