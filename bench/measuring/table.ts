/** Prints rows as an aligned table; numbers with as many digits as they deserve. */
export function printTable(rows: readonly object[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return columns.map((column) => format(values.get(column)));
  });
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  console.log(line(columns));
  console.log(widths.map((width) => "-".repeat(width)).join("  "));
  for (const row of cells) console.log(line(row));
}

function format(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "number" || Number.isInteger(value)) return String(value);
  if (Math.abs(value) < 10) return value.toFixed(3);
  return value.toFixed(Math.abs(value) < 100 ? 1 : 0);
}
