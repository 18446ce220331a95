import { basename, extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { decodeText } from "../../files/decoded-text.ts";
import { type Conversion, ConversionError, type RawFile } from "../conversion.ts";
import { guessedNote, readableText } from "../readable-text.ts";
import { cleaned } from "./cleaned.ts";
import { CSV_OPTIONS, delimiterOf } from "./delimiter.ts";
import { type FoundRow, gridOf } from "./grid.ts";
import { convertSheet } from "./sheet.ts";

/** As many as spreadsheet programs know. */
const COLUMNS_MAX = 16_384;

/** Comma-separated values, or those of tabs, semicolons or bars, as a table in markdown; or as questions with answers, if it has columns for them. */
export async function convertCsv(file: RawFile): Promise<Conversion> {
  const decoded = readableText(() =>
    decodeText(file.bytes, file.charset === undefined ? {} : { declared: file.charset }),
  );
  const { text, delimiter } = withDelimiter(decoded.text, file.kind);
  const { records, notes } = recordsOf(text, delimiter);
  const rows = records.map((cells, i): FoundRow => ({ number: i + 1, cells: cells.map(cleaned) }));
  if (rows.some(({ cells }) => [...cells].length > COLUMNS_MAX)) {
    throw new ConversionError(`a row has more than ${COLUMNS_MAX} columns; divide the table`);
  }
  const grid = gridOf(rows);
  if (grid.length === 0) throw new ConversionError("the file has no text");
  const { md, title = basename(file.name, extname(file.name)), faqs, notes: told } = convertSheet(grid, { level: 1 });
  const page = md === "" ? {} : { page: { type: "TABLE" as const, metaData: { title }, content: [{ md }] } };
  return { ...page, faqs, notes: [...guessedNote(decoded), ...notes, ...told] };
}

/** Spreadsheet programs write a line that says it. */
const SAID = /^sep=(.)\r?\n/;

function withDelimiter(text: string, kind: RawFile["kind"]): { readonly text: string; readonly delimiter: string } {
  const [line = "", said] = SAID.exec(text) ?? [];
  if (said !== undefined) return { text: text.slice(line.length), delimiter: said };
  return { text, delimiter: kind === "tsv" && text.includes("\t") ? "\t" : delimiterOf(text) };
}

interface Records {
  readonly records: readonly string[][];
  readonly notes: readonly string[];
}

/** A quote that is never closed would take all that follows into one cell: then quotes are letters like any other. */
function recordsOf(text: string, delimiter: string): Records {
  const options = { ...CSV_OPTIONS, delimiter };
  try {
    return { records: parse(text, options), notes: [] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const note = "a quote is opened in it that is never closed: quotes were read like any other character";
    return { records: parse(text, { ...options, quote: null }), notes: [note] };
  }
}
