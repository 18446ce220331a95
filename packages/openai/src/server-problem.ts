/**
 * What became of a request that brought no vectors:
 * - `away`: nobody answered, or the server is overloaded; later it may
 * - `failed`: an answer that is none; the next try may bring one
 * - `refused`: the server will not take this request: too much of it, or something about the texts
 * - `setting`: nothing will help but another setting: key, address, model, dimensions
 */
export type ProblemKind = "away" | "failed" | "refused" | "setting";

/** A request that brought no vectors. Its message is one line that says what to do, where something can be done. */
export class ServerProblem extends Error {
  override readonly name = "ServerProblem";
  /** What somebody can do, where the message does not say it. */
  readonly mend: string | undefined;
  constructor(
    readonly kind: ProblemKind,
    message: string,
    /** What the server asks to be left alone for, if it does. */
    readonly retryAfterMs?: number,
    { mend, ...options }: { cause?: unknown; mend?: string } = {},
  ) {
    super(message, options);
    this.mend = mend;
  }

  /** Whether the same request may succeed. */
  get mayPass(): boolean {
    return this.kind === "away" || this.kind === "failed";
  }
}

/** The problem of a request that nobody answered. `url` is where it went. */
export function unreachable(url: string, error: unknown): ServerProblem {
  // Not all of the address: somebody may have put a key into it.
  const { origin } = new URL(url);
  return new ServerProblem("away", `The model server is not to be reached: ${causeOf(error)}.`, undefined, {
    cause: error,
    mend: `start the model server at ${origin}, or give the address where it is`,
  });
}

/** Why a fetch failed: its own message says nothing. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return causeOf(cause.errors[0]);
  return oneLine(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
}

/** What others say, fit to stand in a message. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ").trim();
}

/** The problem of an answer with this status. `said` is the server's own word on it, maybe empty. */
export function problemOfStatus(status: number, said: string, retryAfterMs: number | undefined): ServerProblem {
  const word = said === "" ? "" : ` It says: ${said}`;
  if (status === 401 || status === 403) {
    return new ServerProblem("setting", `The model server refuses the key (${status}): give it the right one.${word}`);
  }
  if (status === 404 || status === 405) {
    const message = `The model server does not know the address or the model (${status}): check both; the address mostly ends in /v1.${word}`;
    return new ServerProblem("setting", message);
  }
  if (REFUSALS.has(status) || (status >= 500 && SAYS_TOO_LONG.test(said))) {
    return new ServerProblem("refused", `The model server refuses the request (${status}).${word}`);
  }
  if (AWAY.has(status)) {
    return new ServerProblem("away", `The model server is overloaded or away (${status}).${word}`, retryAfterMs);
  }
  if (status >= 500) return new ServerProblem("failed", `The model server failed (${status}).${word}`, retryAfterMs);
  return new ServerProblem(
    "setting",
    `The model server answers ${status} where vectors are expected: check the address.${word}`,
  );
}

const REFUSALS = new Set([400, 413, 422]);
/** Also 529, by which some say that they are overloaded. */
const AWAY = new Set([408, 425, 429, 502, 503, 504, 529]);

/** Some servers have a 500 for a text that is longer than they read (llama.cpp, pull request 7389). */
const SAYS_TOO_LONG = /too (long|large)|context (length|size)|max\w* (\w+ )?tokens/i;
