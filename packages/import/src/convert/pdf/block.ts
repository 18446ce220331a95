import type { Line } from "./lines.ts";
import type { Outline } from "./outline.ts";
import type { TableRows } from "./table.ts";

/** What a column is made of, in the order in which it is read. */
export type Block =
  | { readonly kind: "heading"; readonly lines: readonly Line[] }
  | { readonly kind: "paragraph"; readonly lines: readonly Line[] }
  | { readonly kind: "item"; readonly marker: string; readonly depth: number; readonly lines: readonly Line[] }
  | { readonly kind: "code"; readonly lines: readonly Line[] }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | ({ readonly kind: "table" } & TableRows);

/** What is known of the whole document when a page is divided into blocks. */
export interface Typography {
  /** Size of most letters. */
  readonly bodySize: number;
  /** Its bookmarks. */
  readonly outline: Outline;
  /** Most of the document is bold, so that bold letters tell nothing. */
  readonly isBodyBold: boolean;
  /** Most of it is in letters of equal width, so that they tell nothing of code. */
  readonly isBodyMono: boolean;
}
