import { DOCUMENT_BYTES_MAX } from "@loredex/core";
import { ConversionError } from "../conversion.ts";
import { faqsOf, type TableFaq } from "./faq-columns.ts";
import type { Grid } from "./grid.ts";
import { lineMarkdown, type TableLine, tableLines } from "./markdown-table.ts";
import { type RowMark, RowMarks } from "./row-marks.ts";
import { itemsOf, type SheetItem } from "./sheet-items.ts";

/** The result of converting a sheet. */
export interface ConvertedSheet {
  /** Empty if the sheet held only questions with answers. */
  readonly md: string;
  /** The sheet's row of each line of `md`. */
  readonly rows: readonly RowMark[];
  /** The text above its first table, if it is short enough for a title. */
  readonly title?: string;
  readonly faqs: readonly TableFaq[];
  readonly notes: readonly string[];
}

/** Maximum length of a table's heading, in UTF-16 units; a sentence is none. */
const TITLE_UNITS_MAX = 120;

/** Maximum cells of one sheet, including the empty ones of its rows. */
const CELLS_MAX = 10_000_000;

/**
 * Converts a sheet. Titles of tables become headings of `level`. `name` is the sheet's name if there are several.
 * @throws ConversionError
 */
export function convertSheet(
  grid: Grid,
  { level, name }: { readonly level: number; readonly name?: string },
): ConvertedSheet {
  if (grid.length * (grid[0]?.cells.length ?? 0) > CELLS_MAX) {
    throw new ConversionError(`a sheet has more than ${CELLS_MAX / 1_000_000} million cells; divide it into several`);
  }
  const markdown = new SheetMarkdown();
  const faqs: TableFaq[] = [];
  const notes: string[] = [];
  let title: string | undefined;
  let hasTable = false;
  const items = itemsOf(grid);
  for (const [i, item] of items.entries()) {
    if (item.kind === "text") {
      const heading = items[i + 1]?.kind === "table" ? titleOf(item) : undefined;
      if (i === 0) title = heading;
      for (const [at, { text, row }] of item.lines.entries()) {
        const marks = at === 0 && heading !== undefined ? `${"#".repeat(level)} ` : "";
        markdown.add([{ text: `${marks}${lineMarkdown(text)}`, row }]);
      }
      continue;
    }
    const found = faqsOf(item, name === undefined ? "" : `${name}: `);
    if (found === undefined) {
      markdown.add(tableLines(item));
      hasTable = true;
    } else notes.push(...found.notes);
    for (const faq of found?.faqs ?? []) faqs.push(faq);
  }
  // The title of a table that became questions is useless alone.
  return {
    md: hasTable || faqs.length === 0 ? markdown.text() : "",
    rows: markdown.rows.all(),
    ...(title === undefined ? {} : { title }),
    faqs,
    notes,
  };
}

function titleOf({ lines }: Extract<SheetItem, { kind: "text" }>): string | undefined {
  const first = lines[0]?.text ?? "";
  const isTitle = first.length <= TITLE_UNITS_MAX && /\p{L}/u.test(first) && !/\n|[.:;,]$/.test(first);
  return isTitle ? first : undefined;
}

/** Joins parts of markdown with an empty line between two. */
class SheetMarkdown {
  readonly rows = new RowMarks();
  readonly #lines: string[] = [];
  /** Number of the next line. */
  #number = 1;
  #units = 0;

  add(lines: Iterable<TableLine>): void {
    if (this.#lines.length > 0) {
      this.#lines.push("");
      this.#number += 1;
    }
    for (const { text, row } of lines) {
      if (row !== undefined) this.rows.note(this.#number, row);
      this.#lines.push(text);
      // A lone cell may have several lines.
      this.#number += text.split("\n").length;
      this.#units += text.length + 1;
      if (this.#units > DOCUMENT_BYTES_MAX) throw tooMuch();
    }
  }

  text(): string {
    return this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
  }
}

export function tooMuch(): ConversionError {
  return new ConversionError(
    `its text has more than ${DOCUMENT_BYTES_MAX / 1_048_576} MiB; divide it into several files`,
  );
}
