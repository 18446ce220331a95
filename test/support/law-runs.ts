/** How often the laws are tried that both suites hold: a few times in the quick one, and in full in the slow one, its short form included. */

/** The quick suite tries one in so many, */
const SHARE = 8;
/** but no fewer than these. */
const RUNS_MIN = 10;

/**
 * How often a law is tried here. A test file that asks is run by the slow suite as well, whatever its name: see `law-files.ts`.
 * @param full as often as the slow suite tries it. `TESTS_RUNS` asks for another number.
 */
export function lawRuns(full: number, environment: NodeJS.ProcessEnv = process.env): number {
  const wanted = environment.TESTS_RUNS;
  if (wanted !== undefined) return Number(wanted);
  if (environment.TESTS_LAWS === "full") return full;
  return Math.max(Math.ceil(full / SHARE), Math.min(full, RUNS_MIN));
}
