import { ValidationError } from "./errors.ts";
import { argumentProblems, type ParameterKinds } from "./known-options.ts";
import { VIOLATIONS_MAX } from "./limits.ts";

/**
 * Refuses arguments of a wrong kind, and options that are unknown or of a wrong kind. In JavaScript no types catch them: an option that is ignored may lose
 * data, and the string "false" counts as true.
 * @param call the function, as it stands before each message: `Bot.search`
 * @param given what it was called with, by the names of its parameters
 * @throws ValidationError naming every one that is wrong, what was given and what is expected
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
