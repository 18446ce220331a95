import { ValidationError } from "./errors.ts";
import { type OptionNames, optionProblems } from "./known-options.ts";
import { VIOLATIONS_MAX } from "./limits.ts";

/**
 * Refuses options that there are none of: a program in JavaScript may mistype what the types would have refused, and an option that is passed over may
 * lose its data.
 * @param prefix what stands before the names of options inside of others, with its dot
 * @throws ValidationError naming every unknown one, and the option that was likely meant
 */
export function requireKnownOptions<Options>(given: Options, names: OptionNames<Options>, prefix = ""): void {
  const problems = optionProblems(given, names, prefix);
  if (problems.length > 0) throw new ValidationError(problems.slice(0, VIOLATIONS_MAX), problems.length);
}
