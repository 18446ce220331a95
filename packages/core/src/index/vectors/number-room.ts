/** A reusable buffer for numbers that grows on demand. Its contents may be lost when it grows. */
export class NumberRoom<Numbers extends Uint32Array | Float64Array> {
  readonly #make: (length: number) => Numbers;
  #numbers: Numbers;

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
    this.#numbers = make(SMALLEST);
  }

  /** The buffer, with space for at least `count` numbers. */
  of(count: number): Numbers {
    if (this.#numbers.length < count) this.#numbers = this.#make(count * 2);
    return this.#numbers;
  }
}

const SMALLEST = 256;
