/** The kinds of blocks. A table's header row is a `row`, too. */
export type BlockKind = "paragraph" | "heading" | "row" | "code" | "html";

/** A leaf block of the document, such as a paragraph or a table row. No two blocks share a line. */
export interface Block {
  readonly kind: BlockKind;
  /** Lines are 1-based and inclusive. Neither the first nor the last one is blank. */
  readonly startLine: number;
  readonly stopLine: number;
  /** 1 to 6 for a heading, else 0. */
  readonly headingLevel: number;
  /** For a table row below the header: the line of the header row. Else 0. */
  readonly headerLine: number;
}
