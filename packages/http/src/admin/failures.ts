import { LoredexError, ValidationError } from "@loredex/core";
import { type Failure, failureOf, HttpError } from "../errors.ts";

/** The function of the engine whose name begins the message of an argument. Callers of the API do not know it. */
const CALLED = /^[A-Z]\w+\.\w+: /;

/** The answer to an error of an operation of the admin API. */
export function adminFailureOf(error: unknown): Failure {
  // A bot that was removed a moment ago. Elsewhere its keys are invalid then, and the answer is a 401.
  if (error instanceof LoredexError && error.code === "BOT_NOT_FOUND") {
    return failureOf(new HttpError("ADMIN_BOT_NOT_FOUND"));
  }
  if (!(error instanceof ValidationError)) return failureOf(error);
  const violations = error.violations.map((each) => ({ ...each, message: each.message.replace(CALLED, "") }));
  return failureOf(new ValidationError(violations, error.count));
}

/** The same error, with a field's name as the body of the request has it. Anything but a ValidationError stays as it is. */
export function withField(error: unknown, known: string, sent: string): unknown {
  if (!(error instanceof ValidationError)) return error;
  const name = new RegExp(`(?<![\\w.])${known}(?=[. ]|$)`, "g");
  const violations = error.violations.map(({ field, type, message }) => ({
    ...{ field: field.replace(name, sent), type, message: message.replace(name, sent) },
  }));
  return new ValidationError(violations, error.count);
}
