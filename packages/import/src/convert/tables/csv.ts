import { basename, extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { decodeText } from "../../files/decoded-text.ts";
import { type Conversion, ConversionError, type RawFile } from "../conversion.ts";
import { guessedNote, readableText } from "../readable-text.ts";
import { cleaned } from "./cleaned.ts";
import { CSV_OPTIONS, delimiterOf } from "./delimiter.ts";
import { type FoundRow, gridOf } from "./grid.ts";
import { ROW_MARKS_MAX, type RowMark, RowMarks } from "./row-marks.ts";
import { convertSheet } from "./sheet.ts";

/** The maximum of spreadsheet programs. */
const COLUMNS_MAX = 16_384;

/** Converts values separated by commas, tabs, semicolons or bars to a markdown table, or to questions with answers if it has columns for them. */
export async function convertCsv(file: RawFile): Promise<Conversion> {
  const decoded = readableText(() =>
    decodeText(file.bytes, file.charset === undefined ? {} : { declared: file.charset }),
  );
  const { text, delimiter, linesBefore } = withDelimiter(decoded.text, file.kind);
  const { records, notes } = recordsOf(text, delimiter);
  const rows = records.map((cells, i): FoundRow => ({ number: i + 1, cells: cells.map(cleaned) }));
  if (rows.some(({ cells }) => [...cells].length > COLUMNS_MAX)) {
    throw new ConversionError(`a row has more than ${COLUMNS_MAX} columns; divide the table`);
  }
  const grid = gridOf(rows);
  if (grid.length === 0) throw new ConversionError("the file has no text");
  const sheet = convertSheet(grid, { level: 1 });
  const { md, title = basename(file.name, extname(file.name)), notes: told } = sheet;
  const lines = firstLines(records, linesBefore + 1);
  const metaData = { title, ...sourceLinesOf(sheet.rows, lines) };
  const faqs = sheet.faqs.map(({ row, linesAbove, ...faq }) => {
    return { ...faq, metaData: { sourceLine: (lines[row - 1] ?? row) + linesAbove } };
  });
  const page = md === "" ? {} : { page: { type: "TABLE" as const, metaData, content: [{ md }] } };
  return { ...page, faqs, notes: [...guessedNote(decoded), ...notes, ...told] };
}

/** Returns the file's line in which each record begins: cells may hold line breaks. */
function firstLines(records: readonly (readonly string[])[], first: number): number[] {
  let line = first;
  return records.map((cells) => {
    const own = line;
    line += 1;
    for (const cell of cells) if (/[\r\n]/.test(cell)) line += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
    return own;
  });
}

/** Maps lines of the markdown to lines of the file, as marks from which both increase together. */
function sourceLinesOf(rows: readonly RowMark[], lines: readonly number[]): { sourceLines?: number[][] } {
  const marks = new RowMarks();
  for (const [at, [line, row]] of rows.entries()) {
    const end = rows[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    for (let next = 0; line + next < end && row - 1 + next < lines.length; next += 1) {
      marks.note(line + next, lines[row - 1 + next] ?? 0);
    }
  }
  const all = marks.all();
  return all.length > ROW_MARKS_MAX ? {} : { sourceLines: all.map((mark) => [...mark]) };
}

/** The line with which spreadsheet programs name the separator. */
const SAID = /^sep=(.)\r?\n/;

function withDelimiter(
  text: string,
  kind: RawFile["kind"],
): { readonly text: string; readonly delimiter: string; readonly linesBefore: number } {
  const [line = "", said] = SAID.exec(text) ?? [];
  if (said !== undefined) return { text: text.slice(line.length), delimiter: said, linesBefore: 1 };
  const delimiter = kind === "tsv" && text.includes("\t") ? "\t" : delimiterOf(text);
  return { text, delimiter, linesBefore: 0 };
}

interface Records {
  readonly records: readonly string[][];
  readonly notes: readonly string[];
}

/** An unclosed quote would take the rest of the file into one cell. In such a file quotes are ordinary characters. */
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
