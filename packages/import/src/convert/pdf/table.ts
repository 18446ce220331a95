/** Where a column is. */
export interface Span {
  x0: number;
  x1: number;
}

/** A table as text. */
export interface TableRows {
  readonly rows: readonly (readonly string[])[];
  /** The first row names the columns. */
  readonly hasHeader: boolean;
  /** Where the columns of its rows are. */
  readonly spans: readonly Span[];
}
