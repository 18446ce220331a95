import type { EMBEDDER_FAILED } from "./embedder.ts";

/** What can go wrong with an embedder. Codes are stable: callers may switch on them. */
export type EmbedderErrorCode =
  /**
   * It cannot be had: its runtime or model cannot be loaded on this machine, its server is away or refuses whoever asks. The next
   * call may succeed, or somebody must change something; whoever asked goes on without vectors.
   */
  | "EMBEDDER_UNAVAILABLE"
  /** Too many questions are waiting. The next one may be admitted. */
  | "EMBEDDER_BUSY"
  /** These texts could not be embedded; others can. */
  | typeof EMBEDDER_FAILED
  | "CLOSED";

/** The errors that the embedders of this project throw on purpose. The message is one line that can be shown to an operator; it never holds a key. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
  /** What somebody can do about it, in one line that follows "To mend it:". Undefined where nobody knows. */
  readonly mend: string | undefined;
  /** True if only another setting or another embedder helps: the same call fails again. Calls that wait for vectors then stop waiting. */
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

/** The error of everything that is asked of a closed embedder. */
export function closedError(): EmbedderError {
  return new EmbedderError("CLOSED", "The embedder has been closed.");
}
