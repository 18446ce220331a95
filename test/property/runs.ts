/** How often the laws are tried: a few times in the quick suite, many in the slow one, some in its short form. */

const SHORT = process.env.LOREDEX_SHORT === "1";

export function slowRuns(full: number): number {
  const wanted = process.env.LOREDEX_RUNS;
  if (wanted !== undefined) return Number(wanted);
  return SHORT ? Math.ceil(full / 20) : full;
}
