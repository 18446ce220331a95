/** What a block is. A table's header row is a `row` as well. */
export type BlockKind = "paragraph" | "heading" | "row" | "code" | "html";

/** A leaf of the document's structure: what a person would quote. No two blocks share a line. */
export interface Block {
  readonly kind: BlockKind;
  /** 1-based, inclusive. Neither the first nor the last line is blank. */
  readonly startLine: number;
  readonly stopLine: number;
  /** 1 to 6 for a heading, else 0. */
  readonly headingLevel: number;
  /** For a row of a table below its header: the line of the header row; else 0. */
  readonly headerLine: number;
}
