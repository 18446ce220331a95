import { ValidationError } from "./errors.ts";
import { type OptionNames, optionProblems } from "./known-options.ts";
import { VIOLATIONS_MAX } from "./limits.ts";

/**
 * Refuses unknown options. In JavaScript no types catch a mistyped one, and an option that is ignored may lose data.
 * @param prefix what stands before the names of options inside of others, with its dot
 * @throws ValidationError naming every unknown one, and the option that was likely meant
 */
export function requireKnownOptions<Options>(given: Options, names: OptionNames<Options>, prefix = ""): void {
  const problems = optionProblems(given, names, prefix);
  if (problems.length > 0) throw new ValidationError(problems.slice(0, VIOLATIONS_MAX), problems.length);
}
