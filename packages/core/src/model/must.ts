import { LoredexError } from "./errors.ts";

/**
 * Returns a value that the caller's own invariants promise. Use it in place of a default that would hide a broken invariant; an optional value,
 * or one from outside, has a default or an error of its own.
 *
 * `what` is the value as a noun for the reader of the report, such as "the document of a slot". It holds no text of a user. It should be a
 * constant, so that a call that succeeds makes no string.
 * @throws LoredexError `INTERNAL` if the value is undefined or null
 */
export function must<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw impossible(what);
  return value;
}

/** Apart from {@link must}, so that `must` stays small enough to be inlined. */
function impossible(what: string): LoredexError {
  return new LoredexError("INTERNAL", `A defect of Loredex: ${what} is missing, which cannot be. Report this message.`);
}
