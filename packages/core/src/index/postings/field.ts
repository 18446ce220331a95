/** The terms of one field of a passage, and the weight of one occurrence. An occurrence in the text has weight 1. */
export interface Field {
  /** By name, or by the number that `LexicalIndex.numberOf` gives. */
  readonly terms: readonly string[] | readonly number[];
  /** Where each fragment begins among the terms; undefined for a field that is never quoted. */
  readonly fragmentStarts?: readonly number[];
  /** A multiple of 1 / `FREQUENCY_UNITS`. */
  readonly weight: number;
}
