import { ValidationError } from "./errors.ts";
import { argumentProblems, type ParameterKinds } from "./known-options.ts";
import { VIOLATIONS_MAX } from "./limits.ts";

/**
 * Refuses arguments of a wrong kind, and options that are unknown or of a wrong kind. JavaScript has no types that catch them: an ignored option may lose
 * data, and the string "false" counts as true.
 * @param call the function's name, which begins each message: `Bot.search`
 * @param given the arguments of the call, by the names of its parameters
 * @throws ValidationError naming every wrong one, with the given value and the expected kind
 */
export function requireArguments<Given extends object>(
  call: string,
  given: Given,
  kinds: ParameterKinds<NoInfer<Given>>,
): void {
  const problems = argumentProblems(given, kinds);
  if (problems.length === 0) return;
  const told = problems.slice(0, VIOLATIONS_MAX).map((each) => ({ ...each, message: `${call}: ${each.message}` }));
  throw new ValidationError(told, problems.length);
}
