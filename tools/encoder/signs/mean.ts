/** The mean of rows, taken one text after the other. */
export class RowMean {
  readonly #sums: Float64Array;
  #rows = 0;

  constructor(hidden: number) {
    this.#sums = new Float64Array(hidden);
  }

  /** Adds the rows from one up to another. */
  add(rows: Float32Array, from: number, to: number): void {
    const hidden = this.#sums.length;
    for (let row = from; row < to; row++) {
      for (let at = 0; at < hidden; at++) this.#sums[at] = (this.#sums[at] ?? 0) + (rows[row * hidden + at] ?? 0);
    }
    this.#rows += to - from;
  }

  /** How many rows it has. */
  get rows(): number {
    return this.#rows;
  }

  /** As the package ships it: float32, little-endian. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#sums.length * 4);
    const view = new DataView(bytes.buffer);
    for (const [at, sum] of this.#sums.entries()) view.setFloat32(at * 4, sum / this.#rows, true);
    return bytes;
  }
}
