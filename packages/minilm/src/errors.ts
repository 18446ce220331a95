/** What can go wrong here. Codes are stable: callers may switch on them. */
export type EmbedderErrorCode =
  /** The runtime or the model cannot be loaded on this machine. Whoever asked goes on without vectors. */
  | "EMBEDDER_UNAVAILABLE"
  /** Too many questions are waiting. The next one may be admitted. */
  | "EMBEDDER_BUSY"
  /** This text could not be encoded; others can. */
  | "EMBEDDER_FAILED"
  | "CLOSED";

/** Every error that this package throws on purpose. Its message is one line that can be shown to an operator. */
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
