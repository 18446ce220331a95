import { LoredexError, reasonOf } from "../domain/errors.ts";

/**
 * Runs what turns stored bytes into state. Their checksums are right by then, so that anything but one of our own errors
 * means that a bug wrote them, or someone on purpose: the store is refused like any other damaged one.
 */
export function understanding<Result>(what: string, read: () => Result, advice = COPY_AND_RESTORE): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof LoredexError) throw cause;
    const reason = reasonOf(cause);
    throw new LoredexError("CORRUPT", `${what} has a right checksum and cannot be understood: ${reason}. ${advice}`, {
      cause,
    });
  }
}

const COPY_AND_RESTORE = "Keep a copy of its directory, then restore it from a backup.";
