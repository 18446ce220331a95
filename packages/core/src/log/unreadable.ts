import { LoredexError, reasonOf } from "../model/errors.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/**
 * Runs what turns stored bytes into state. Their checksums are right by then, so that anything but one of our own errors
 * means that a bug wrote them, or someone on purpose: the store is refused like any other damaged one.
 */
export function understanding<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw refusal(what, cause, COPY_AND_RESTORE);
  }
}

/** The same for what is read in steps. */
export function* understandingInSlices<Result>(
  what: string,
  read: Sliced<Result>,
  advice = COPY_AND_RESTORE,
): Sliced<Result> {
  try {
    return yield* read;
  } catch (cause) {
    throw refusal(what, cause, advice);
  }
}

function refusal(what: string, cause: unknown, advice: string): LoredexError {
  if (cause instanceof LoredexError) return cause;
  const reason = reasonOf(cause);
  const message = `${what} has a right checksum and cannot be understood: ${reason}. ${advice}`;
  return new LoredexError("CORRUPT", message, { cause });
}

const COPY_AND_RESTORE = "Keep a copy of its directory, then restore it from a backup.";
