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
