/**
 * Why an address brought nothing:
 * - `gone`: the server says that there is no such page
 * - `refused`: the server does not give it to us
 * - `away`: nobody answered, or not wholly; later somebody may
 * - `unwanted`: its owner asks programs to leave it alone
 * - `forbidden`: we do not go there ourselves
 * - `unfit`: it is nothing that can be imported
 */
export type WebErrorKind = "gone" | "refused" | "away" | "unwanted" | "forbidden" | "unfit";

/** An address that brought nothing, in words for the operator. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly kind: WebErrorKind;
  /** How long the server asks to be left alone, if it does. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same may be there a moment later. */
  readonly mayPass: boolean;

  constructor(kind: WebErrorKind, message: string, { retryAfterMs, mayPass = false, cause }: WebErrorOptions = {}) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.mayPass = mayPass;
  }
}

interface WebErrorOptions {
  readonly retryAfterMs?: number | undefined;
  readonly mayPass?: boolean;
  readonly cause?: unknown;
}

/** The error of an address. @throws whatever else was thrown */
export function asWebError(error: unknown): WebError {
  if (error instanceof WebError) return error;
  throw error;
}
