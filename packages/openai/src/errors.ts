import type { EMBEDDER_FAILED } from "@loredex/core";

/** What can go wrong here. Codes are stable: callers may switch on them. */
export type EmbedderErrorCode =
  /** The server is away, or refuses whoever asks: the next call may succeed, or somebody must change a setting. */
  | "EMBEDDER_UNAVAILABLE"
  /** Too many questions are waiting. The next one may be admitted. */
  | "EMBEDDER_BUSY"
  /** These texts could not be embedded; others can. */
  | typeof EMBEDDER_FAILED
  | "CLOSED";

/** Every error that this package throws on purpose. Its message is one line that can be shown to an operator; it never holds the key. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
  constructor(
    readonly code: EmbedderErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The error of everything that is asked of a closed embedder. */
export function closedError(): EmbedderError {
  return new EmbedderError("CLOSED", "The embedder has been closed.");
}
