import { LoredexError, reasonOf } from "../model/errors.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/**
 * Runs code that turns stored bytes into state, and makes unexpected errors `CORRUPT`. A LoredexError passes through.
 * The checksums are right by then, so such bytes come from a bug or were forged. The store is refused like any other damaged one.
 * @throws LoredexError `CORRUPT`
 */
export function understanding<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw refusal(what, cause, COPY_AND_RESTORE);
  }
}

/** As {@link understanding}, for bytes that are read in time slices. */
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
