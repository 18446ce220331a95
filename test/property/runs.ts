/** How often the laws are tried: a few times in the quick suite, many in the slow one, some in its short form. */

const SHORT = process.env.TESTS_SHORT === "1";

export function slowRuns(full: number): number {
  const wanted = process.env.TESTS_RUNS;
  if (wanted !== undefined) return Number(wanted);
  return SHORT ? Math.ceil(full / 20) : full;
}
