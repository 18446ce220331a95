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

/** Buffers for choosing links: candidates with their cosines, and the chosen points. Used again for each choice. */
export class Choice {
  candidates = new Uint32Array(256);
  cosines = new Float64Array(256);
  readonly chosen = new Uint32Array(256);

  /** Ensures space for `count` candidates. Earlier contents may be lost. */
  begin(count: number): this {
    if (this.candidates.length < count) {
      const [candidates, cosines] = [new Uint32Array(count * 2), new Float64Array(count * 2)];
      [this.candidates, this.cosines] = [candidates, cosines];
    }
    return this;
  }
}
