import { parse } from "csv-parse/sync";

/** In order of preference: commas occur in numbers too, the others seldom within values. */
const DELIMITERS = ["\t", ";", "|", ","] as const;

/** Length of the checked beginning of a file, in UTF-16 units. */
const SAMPLE_UNITS = 65_536;
const SAMPLE_RECORDS = 200;

/** Finds the delimiter that gives most rows of a text the same number of columns. Comma if none does. */
export function delimiterOf(text: string): string {
  const sample = wholeLines(text);
  let best = { delimiter: ",", score: 0.3 };
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

/** Returns the share of rows that have the most common number of columns above one. */
function scoreOf(sample: string, delimiter: string): number {
  if (!sample.includes(delimiter)) return 0;
  const counts = new Map<number, number>();
  let rows = 0;
  for (const row of recordsOf(sample, delimiter)) {
    if (row.length <= 1 && (row[0] ?? "") === "") continue;
    rows += 1;
    counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  }
  counts.delete(1);
  return rows === 0 ? 0 : Math.max(0, ...counts.values()) / rows;
}

function recordsOf(sample: string, delimiter: string): readonly string[][] {
  const options = { ...CSV_OPTIONS, delimiter, to: SAMPLE_RECORDS };
  try {
    return parse(sample, options);
  } catch {
    return parse(sample, { ...options, quote: null });
  }
}

/** Options for every csv: rows may have different numbers of columns, and quotes may stand anywhere. */
export const CSV_OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: false,
  record_delimiter: ["\r\n", "\n", "\r"],
};
