/** Terms of one field of a passage, and how much one occurrence counts against one in the text (1). */
export interface Field {
  /** By name, or by the number that `LexicalIndex.numberOf` gives. */
  readonly terms: readonly string[] | readonly number[];
  /** Where each piece that can be quoted begins among the terms; none for a field that is never quoted. */
  readonly fragmentStarts?: readonly number[];
  /** A multiple of 1 / `FREQUENCY_UNITS`. */
  readonly weight: number;
}
