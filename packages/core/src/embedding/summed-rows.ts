/** Rows of int8 codes, and the sum of some of them. */
export interface SummedRows {
  /** One number a component. Valid until the next {@link SummedRows.sumOf}. */
  sumOf(numbers: Int32Array, factorOf: (row: number) => number): Float64Array;
}
