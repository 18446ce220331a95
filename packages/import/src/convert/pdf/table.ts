/** The horizontal extent of a column. */
export interface Span {
  x0: number;
  x1: number;
}

/** A table as text. */
export interface TableRows {
  readonly rows: readonly (readonly string[])[];
  /** The first row names the columns. */
  readonly hasHeader: boolean;
  /** Columns of its rows. */
  readonly spans: readonly Span[];
}
