/** A part that an installation may lack: tests that need it are skipped there, by a name that says why. */
export interface OptionalPart {
  readonly isMissing: boolean;
  /** The name of what needs the part; where that is missing, with the reason. */
  named(name: string): string;
}

/**
 * @param part in words, as "the graph library"
 * @param missing why the part cannot be used here; undefined where it can
 * @param environment with `TESTS_EXPECT_ALL=1`, as in the run of CI, nothing may be missing: then this throws, and so fails every test file that asks
 */
export function optionalPart(
  part: string,
  missing: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OptionalPart {
  if (missing === undefined) return { isMissing: false, named: (name) => name };
  const [why] = missing.trim().split("\n");
  if (environment.TESTS_EXPECT_ALL === "1") throw new Error(`This run expects ${part}. ${why}`);
  console.warn(`Skipped: all tests that need ${part}. ${why}`);
  return { isMissing: true, named: (name) => `${name} (skipped: ${why})` };
}
