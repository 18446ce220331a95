import { appendFileSync } from "node:fs";

/** How much was tried, for whoever wants to know: `npm run test:security` prints the sums. */

const counts = new Map<string, number>();

/** So many more of `what`, in words: "requests sent". */
export function count(what: string, more = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + more);
}

/** Adds what was counted since the last time to the file, as one line of JSON. */
export function writeCounts(file: string): void {
  if (counts.size === 0) return;
  appendFileSync(file, `${JSON.stringify(Object.fromEntries(counts))}\n`);
  counts.clear();
}
