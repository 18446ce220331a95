import { existsSync, readFileSync } from "node:fs";

/**
 * The sums of what tests counted into a file, a line of JSON each, as a table for people; empty if nothing was counted.
 * @param {string} file
 */
export function countsTold(file) {
  if (!existsSync(file)) return "";
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    for (const [what, more] of Object.entries(JSON.parse(line))) sums.set(what, (sums.get(what) ?? 0) + more);
  }
  const rows = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  const numbers = rows.map(([, sum]) => sum.toLocaleString("en-US"));
  const width = Math.max(0, ...numbers.map((number) => number.length));
  return rows.map(([what], i) => `${(numbers[i] ?? "").padStart(width)} ${what}\n`).join("");
}
