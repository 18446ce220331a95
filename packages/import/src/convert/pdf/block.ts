import type { Line } from "./lines.ts";
import type { Outline } from "./outline.ts";
import type { TableRows } from "./table.ts";

/** A block of a column; blocks are in reading order. */
export type Block =
  | { readonly kind: "heading"; readonly lines: readonly Line[] }
  | { readonly kind: "paragraph"; readonly lines: readonly Line[] }
  | { readonly kind: "item"; readonly marker: string; readonly depth: number; readonly lines: readonly Line[] }
  | { readonly kind: "code"; readonly lines: readonly Line[] }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | ({ readonly kind: "table" } & TableRows);

/** Typography of the whole document, for dividing a page into blocks. */
export interface Typography {
  /** Size of most letters. */
  readonly bodySize: number;
  /** The document's bookmarks. */
  readonly outline: Outline;
  /** True if most of the document is bold, so that bold letters tell nothing. */
  readonly isBodyBold: boolean;
  /** True if most of it is monospaced, so that this tells nothing about code. */
  readonly isBodyMono: boolean;
}
