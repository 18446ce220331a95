import type { PinnedAnswer, Vocabulary } from "@loredex/core";
import { CsvError, parse } from "csv-parse/sync";
import { type RawVocabulary, UnreadableVocabulary } from "./raw-vocabulary.ts";

const COLUMNS = ["kind", "text", "to"] as const;
/** Some programs put every cell in quotes, or add empty columns. */
const HEADER = /^"?kind"?([,;\t])"?text"?\1"?to[\s",;]*$/i;
const EXPECTED = `the first line must be ${COLUMNS.join(",")}`;

/** A row of a vocabulary. The list of its kind, and how a row says an entry. */
const KINDS: Readonly<
  Record<string, { readonly list: keyof Vocabulary; readonly entryOf: (text: string, to: string) => unknown }>
> = {
  synonyms: { list: "synonyms", entryOf: (text, to) => (to === "" ? text : `${text} => ${to}`) },
  pin: { list: "pins", entryOf: (question, document): PinnedAnswer => ({ question, document }) },
  ignored: { list: "ignored", entryOf: (text) => text },
};

/**
 * Reads a vocabulary in CSV, with the columns kind, text and to.
 *
 *     synonyms,"holiday, annual leave",         both ways
 *     synonyms,PTO,annual leave                 one way
 *     pin,how do I return *,returns-policy      a question and a document
 *     ignored,please,
 *
 * @throws UnreadableVocabulary
 */
export function readCsvVocabulary(text: string): RawVocabulary {
  const [head = ""] = text.split("\n", 1);
  const delimiter = HEADER.exec(head)?.[1];
  if (delimiter === undefined) throw new UnreadableVocabulary([{ line: 1, message: EXPECTED }]);
  const value: Record<keyof Vocabulary, unknown[]> = { synonyms: [], pins: [], ignored: [] };
  const lines: Record<keyof Vocabulary, number[]> = { synonyms: [], pins: [], ignored: [] };
  const problems: { line: number; message: string }[] = [];
  let line = 1;
  for (const { record, lineAfter } of rowsOf(text, delimiter)) {
    const begins = line;
    line = lineAfter;
    const [cell = "", given = "", to = "", ...others] = record;
    const name = cell.trim().toLowerCase();
    if (begins === 1 || record.every((cell) => cell.trim() === "")) continue;
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    const message =
      kind === undefined
        ? `the kind must be one of ${Object.keys(KINDS).join(", ")}, not "${cell}"`
        : others.some((other) => other.trim() !== "")
          ? "the row has more than three cells; put a text with a comma in quotes"
          : kind.list === "ignored" && to.trim() !== ""
            ? "a word to ignore has nothing in the column to"
            : undefined;
    if (kind === undefined || message !== undefined) problems.push({ line: begins, message: message ?? "" });
    else {
      value[kind.list].push(kind.entryOf(given, to));
      lines[kind.list].push(begins);
    }
  }
  if (problems.length > 0) throw new UnreadableVocabulary(problems);
  return {
    value,
    lineOf: ([list = "", index = ""]) => Object.entries(lines).find(([name]) => name === list)?.[1][Number(index)] ?? 1,
  };
}

/** Writes a vocabulary in CSV. */
export function writeCsvVocabulary({ synonyms, pins, ignored }: Vocabulary): string {
  const rows = [
    COLUMNS,
    ...synonyms.map((line) => ["synonyms", line, ""]),
    ...pins.map(({ question, document }) => ["pin", question, document]),
    ...ignored.map((text) => ["ignored", text, ""]),
  ];
  return rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

interface Row {
  readonly record: readonly string[];
  /** The line after its last one: cells may hold line breaks. */
  readonly lineAfter: number;
}

function rowsOf(text: string, delimiter: string): Row[] {
  try {
    // Boundary: with `info`, each record comes with the number of lines read so far.
    const read = parse(text, { delimiter, info: true, relax_column_count: true }) as unknown as {
      readonly record: string[];
      readonly info: { readonly lines: number };
    }[];
    return read.map(({ record, info }) => ({ record, lineAfter: info.lines + 1 }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? error.lines : 1;
    throw new UnreadableVocabulary([{ line, message: `no valid CSV: ${error.message}` }]);
  }
}

function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
