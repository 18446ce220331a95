import { parse } from "csv-parse/sync";

/** In order of preference: commas occur in numbers too, the others seldom within values. */
const DELIMITERS = ["\t", ";", "|", ","] as const;

/** Length of the checked beginning of a file, in UTF-16 units. */
const SAMPLE_UNITS = 65_536;
const SAMPLE_RECORDS = 200;

/** Of a file in which fewer rows have the most common number of columns, the delimiter is not known. */
const SHARE_MIN = 0.3;

/** Finds the delimiter that gives most rows of a text the same number of columns. Comma if none does. */
export function delimiterOf(text: string): string {
  const sample = wholeLines(text);
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(sample, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function wholeLines(text: string): string {
  if (text.length <= SAMPLE_UNITS) return text;
  const end = Math.max(text.lastIndexOf("\n", SAMPLE_UNITS), text.lastIndexOf("\r", SAMPLE_UNITS));
  return text.slice(0, end > 0 ? end : SAMPLE_UNITS);
}

/**
 * Returns the share of rows that have the most common number of columns above one. Only half of it where quotes do
 * not begin and end cells: then the delimiter may be a character that stands inside quotes.
 */
function scoreOf(sample: string, delimiter: string): number {
  if (!sample.includes(delimiter)) return 0;
  const { records, strict } = recordsOf(sample, delimiter);
  const counts = new Map<number, number>();
  let rows = 0;
  for (const row of records) {
    if (row.length <= 1 && (row[0] ?? "") === "") continue;
    rows += 1;
    counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  }
  counts.delete(1);
  const share = rows === 0 ? 0 : Math.max(0, ...counts.values()) / rows;
  if (share <= SHARE_MIN) return 0;
  return strict ? share : share / 2;
}

/** The records of a text, by the strictest reading of quotes that it allows: `strict` if they enclose whole cells. */
function recordsOf(sample: string, delimiter: string): { records: readonly string[][]; strict: boolean } {
  const options = { ...CSV_OPTIONS, delimiter, to: SAMPLE_RECORDS };
  try {
    return { records: parse(sample, { ...options, relax_quotes: false }), strict: true };
  } catch {
    try {
      return { records: parse(sample, options), strict: false };
    } catch {
      return { records: parse(sample, { ...options, quote: null }), strict: false };
    }
  }
}

/** Options for every csv: rows may have different numbers of columns, and quotes may stand anywhere. */
export const CSV_OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: false,
  record_delimiter: ["\r\n", "\n", "\r"],
};
