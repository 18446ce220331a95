/**
 * Why an address brought nothing:
 * - `gone`: the server says that there is no such page
 * - `refused`: the server denies it to us
 * - `away`: no answer, or only a part of one; a later try may succeed
 * - `unwanted`: the owner asks programs to leave it alone
 * - `forbidden`: our own rules forbid this address
 * - `unfit`: it cannot be imported
 */
export type WebErrorKind = "gone" | "refused" | "away" | "unwanted" | "forbidden" | "unfit";

/** An address that brought nothing. The message is for the operator. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly kind: WebErrorKind;
  /** Milliseconds that the server asks us to wait, if it does. */
  readonly retryAfterMs: number | undefined;
  /** True if a retry a moment later may succeed. */
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

/** Returns the error of an address. @throws any other error */
export function asWebError(error: unknown): WebError {
  if (error instanceof WebError) return error;
  throw error;
}
