/** A place for numbers that is used again and again, and grows with what it is asked for. What was there may be gone then. */
export class NumberRoom<Numbers extends Uint32Array | Float64Array> {
  readonly #make: (length: number) => Numbers;
  #numbers: Numbers;

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
    this.#numbers = make(SMALLEST);
  }

  /** For so many, or more. */
  of(count: number): Numbers {
    if (this.#numbers.length < count) this.#numbers = this.#make(count * 2);
    return this.#numbers;
  }
}

const SMALLEST = 256;
