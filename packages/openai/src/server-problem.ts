/**
 * Why a request brought no vectors:
 * - `away`: no answer, or the server is overloaded; a later try may succeed
 * - `failed`: an invalid answer; the next try may succeed
 * - `refused`: the server rejects this request: it is too large, or something is wrong with the texts
 * - `setting`: only another setting helps: key, address, model, dimensions
 */
export type ProblemKind = "away" | "failed" | "refused" | "setting";

/** A request that brought no vectors. Its message is one line, with the remedy if there is one. */
export class ServerProblem extends Error {
  override readonly name = "ServerProblem";
  /** The remedy, if the message does not contain it. */
  readonly mend: string | undefined;
  constructor(
    readonly kind: ProblemKind,
    message: string,
    /** Milliseconds that the server asks us to wait, if it does. */
    readonly retryAfterMs?: number,
    { mend, ...options }: { cause?: unknown; mend?: string } = {},
  ) {
    super(message, options);
    this.mend = mend;
  }

  /** True if the same request may succeed. */
  get mayPass(): boolean {
    return this.kind === "away" || this.kind === "failed";
  }
}

/** Returns the problem of an unanswered request. `url` is its address. */
export function unreachable(url: string, error: unknown): ServerProblem {
  // Only the origin: the address may contain a key.
  const { origin } = new URL(url);
  return new ServerProblem("away", `The model server is not to be reached: ${causeOf(error)}.`, undefined, {
    cause: error,
    mend: `start the model server at ${origin}, or give the address where it is`,
  });
}

/** Returns why a fetch failed: its own message says nothing. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return causeOf(cause.errors[0]);
  return oneLine(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
}

/** Makes a foreign text fit for one line of a message. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ").trim();
}

/** Returns the problem of an answer with this status. `said` is the server's own message, maybe empty. */
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
/** Also 529, with which some servers report overload. */
const AWAY = new Set([408, 425, 429, 502, 503, 504, 529]);

/** Some servers answer 500 for a text above their length limit (llama.cpp, pull request 7389). */
const SAYS_TOO_LONG = /too (long|large)|context (length|size)|max\w* (\w+ )?tokens/i;
