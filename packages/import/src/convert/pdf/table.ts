/** A table as text. */
export interface TableRows {
  readonly rows: readonly (readonly string[])[];
  /** The first row names the columns. */
  readonly hasHeader: boolean;
}
