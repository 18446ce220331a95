import { PieceList } from "./piece-list.ts";

/** A table of int8 rows, each with a float32 that it is multiplied by. */
export class RowTable {
  readonly #rows: Int8Array;
  readonly #scales: Float32Array;
  readonly #sum: Float64Array;
  /** How often each row is met in the text at hand; all zero between calls. */
  readonly #counts: Int32Array;
  readonly #met = new PieceList();

  constructor(rows: Int8Array, scales: Float32Array) {
    this.#rows = rows;
    this.#scales = scales;
    this.#sum = new Float64Array(rows.length / scales.length);
    this.#counts = new Int32Array(scales.length);
  }

  /** The direction of the sum of rows, as a vector of length one. A row that is named twice counts twice. */
  direction(numbers: Int32Array): Float32Array {
    this.#count(numbers);
    const met = this.#met.ids;
    this.#sum.fill(0);
    const inFours = met.length - (met.length % 4);
    for (let at = 0; at < inFours; at += 4) {
      this.#addFour(met[at] as number, met[at + 1] as number, met[at + 2] as number, met[at + 3] as number);
    }
    for (let at = inFours; at < met.length; at++) this.#add(met[at] as number);
    for (const row of met) this.#counts[row] = 0;
    return unit(this.#sum);
  }

  /** A third of the pieces of a passage are repetitions: counting them is much cheaper than adding them. */
  #count(numbers: Int32Array): void {
    this.#met.clear();
    for (const row of numbers) {
      const before = this.#counts[row] as number;
      if (before === 0) this.#met.push(row);
      this.#counts[row] = before + 1;
    }
  }

  #factor(row: number): number {
    return (this.#scales[row] as number) * (this.#counts[row] as number);
  }

  /** Four at once take half as long as one after the other: the sum is read and written once for all. */
  #addFour(first: number, second: number, third: number, fourth: number): void {
    const sum = this.#sum;
    const rows = this.#rows;
    const width = sum.length;
    const factor1 = this.#factor(first);
    const factor2 = this.#factor(second);
    const factor3 = this.#factor(third);
    const factor4 = this.#factor(fourth);
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

  #add(row: number): void {
    const sum = this.#sum;
    const factor = this.#factor(row);
    const start = row * sum.length;
    for (let at = 0; at < sum.length; at++) {
      sum[at] = (sum[at] as number) + factor * (this.#rows[start + at] as number);
    }
  }
}

function unit(sum: Float64Array): Float32Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const vector = new Float32Array(sum.length);
  // Rows that cancel out exactly point nowhere: any fixed direction is as good, and length one is promised.
  if (squares === 0) return vector.fill(1, 0, 1);
  const factor = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) vector[at] = (sum[at] as number) * factor;
  return vector;
}
