import type { EMBEDDER_FAILED } from "./embedder.ts";

/** The codes of {@link EmbedderError}. Codes are stable: callers may switch on them. */
export type EmbedderErrorCode =
  /**
   * The embedder cannot be used: its runtime or model cannot be loaded on this machine, or its server is away or refuses the caller. The next
   * call may succeed, or the operator must change something. The caller continues without vectors.
   */
  | "EMBEDDER_UNAVAILABLE"
  /** Too many questions are waiting. The next question may be admitted. */
  | "EMBEDDER_BUSY"
  /** The given texts could not be embedded; other texts can. */
  | typeof EMBEDDER_FAILED
  | "CLOSED";

/** The error that the embedders of this project throw on purpose. Its message is one line for the operator, and never contains a key. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
  /** The remedy, in one line that follows "To mend it:". Undefined if none is known. */
  readonly mend: string | undefined;
  /** True if the same call will fail again, so that only another setting or embedder helps. Calls that wait for vectors then stop waiting. */
  readonly lasts: boolean;
  constructor(
    readonly code: EmbedderErrorCode,
    message: string,
    { mend, lasts = false, ...options }: { cause?: unknown; mend?: string | undefined; lasts?: boolean } = {},
  ) {
    super(message, options);
    this.mend = mend;
    this.lasts = lasts;
  }
}

/** The error of every call of a closed embedder. */
export function closedError(): EmbedderError {
  return new EmbedderError("CLOSED", "The embedder has been closed.");
}
