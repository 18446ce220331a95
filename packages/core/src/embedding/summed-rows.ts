/** Rows of int8 codes that can be summed. All implementations give the same sums to the last bit. */
export interface SummedRows {
  /** The weighted sum of the rows `numbers`, one number a component. Valid until the next {@link SummedRows.sumOf}. */
  sumOf(numbers: Int32Array, factorOf: (row: number) => number): Float64Array;
}
