/** Rows of int8 codes that can be summed. All implementations give the same sums to the last bit. */
export interface SummedRows {
  /** The weighted sum of the rows `numbers`, one number a component. Valid until the next {@link SummedRows.sumOf}. */
  sumOf(numbers: Uint32Array, factorOf: (row: number) => number): Float64Array;
}

/** Rows that are summed by plain loops, for machines without WebAssembly SIMD. */
export class PlainRows implements SummedRows {
  readonly #rows: Int8Array;
  readonly #sum: Float64Array;

  constructor(rows: Int8Array, width: number) {
    this.#rows = rows;
    this.#sum = new Float64Array(width);
  }

  sumOf(numbers: Uint32Array, factorOf: (row: number) => number): Float64Array {
    this.#sum.fill(0);
    const inFours = numbers.length - (numbers.length % 4);
    for (let at = 0; at < inFours; at += 4) this.#addFour(numbers, at, factorOf);
    for (let at = inFours; at < numbers.length; at++) {
      const row = numbers[at] as number;
      this.#add(row, factorOf(row));
    }
    return this.#sum;
  }

  /** Adds four rows. That takes half as long as one after the other, as each component of the sum is read and written only once. */
  #addFour(numbers: Uint32Array, from: number, factorOf: (row: number) => number): void {
    const sum = this.#sum;
    const rows = this.#rows;
    const width = sum.length;
    const first = numbers[from] as number;
    const second = numbers[from + 1] as number;
    const third = numbers[from + 2] as number;
    const fourth = numbers[from + 3] as number;
    const factor1 = factorOf(first);
    const factor2 = factorOf(second);
    const factor3 = factorOf(third);
    const factor4 = factorOf(fourth);
    let at1 = first * width;
    let at2 = second * width;
    let at3 = third * width;
    let at4 = fourth * width;
    for (let at = 0; at < width; at++) {
      const two = factor1 * (rows[at1++] as number) + factor2 * (rows[at2++] as number);
      const others = factor3 * (rows[at3++] as number) + factor4 * (rows[at4++] as number);
      sum[at] = (sum[at] as number) + (two + others);
    }
  }

  #add(row: number, factor: number): void {
    const sum = this.#sum;
    const start = row * sum.length;
    for (let at = 0; at < sum.length; at++) {
      sum[at] = (sum[at] as number) + factor * (this.#rows[start + at] as number);
    }
  }
}
