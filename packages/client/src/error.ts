import { shown } from "./shown-text.ts";
import type { Violation } from "./types.ts";

/** The code of the 404 that says that there is no such article. */
export const ARTICLE_NOT_FOUND = 20001;

/** The code of the 409 that says that an upsert finds several articles. */
export const SEVERAL_ARTICLES = 20006;

interface Problem {
  readonly message: string;
  readonly status?: number | undefined;
  readonly code?: number | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
  readonly isFinal?: boolean;
  readonly isTooLong?: boolean;
}

/**
 * Whatever keeps a call from giving what it was asked for, but for the caller's own abort. Its texts hold no control characters: what a server sent of
 * them is U+FFFD.
 */
export class LoredexError extends Error {
  override readonly name = "LoredexError";
  /** The HTTP status of the answer; undefined where no answer of the service came. */
  readonly status: number | undefined;
  /** The service's number for what was wrong, the same in all versions; undefined where it gives none. */
  readonly code: number | undefined;
  /** Every broken rule, where the request broke any. */
  readonly violations: readonly Violation[];
  /** After how many seconds the same request can succeed; undefined where the service does not say, or waiting does not help. */
  readonly retryAfterSeconds: number | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;

  /** Whether trying again cannot help: the server's certificate is not trusted, the address redirects, or the answer is too long. */
  readonly isFinal: boolean;
  /** Whether the answer had more bytes than `answerBytesMax`. */
  readonly isTooLong: boolean;

  constructor(problem: Problem) {
    const { message, status, code, violations = [], retryAfterSeconds, requestId, cause } = problem;
    super(shown(message), cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.violations = violations.map(shownViolation);
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId === undefined ? undefined : shown(requestId);
    this.isFinal = problem.isFinal === true;
    this.isTooLong = problem.isTooLong === true;
  }

  /** Whether the service has said when the same request can succeed. */
  get isWorthWaiting(): boolean {
    return (this.status === 429 || this.status === 503) && this.retryAfterSeconds !== undefined;
  }
}

/** What an answer other than a success says: a 400 lists broken rules, a 429 may be plain text, all others hold `error`. */
export function refusalOf(response: Response, text: string): LoredexError {
  const { status, headers } = response;
  const fields = { status, retryAfterSeconds: secondsOf(headers), requestId: headers.get("x-request-id") ?? undefined };
  const said = parsed<unknown>(text);
  const error = isObject(said) && isObject(said.error) ? said.error : said;
  if (!isObject(error) || typeof error.message !== "string") {
    return new LoredexError({ ...fields, message: sentenceOf(response, text) });
  }
  const { message, code } = error;
  return new LoredexError({
    ...fields,
    message,
    code: typeof code === "number" ? code : undefined,
    violations: isObject(error.data) && Array.isArray(error.data.result) ? error.data.result.filter(isViolation) : [],
  });
}

/** The service's own sentence; a page that something between put in its place is not one. */
function sentenceOf({ status, statusText, headers }: Response, text: string): string {
  const isSentence = headers.get("content-type")?.startsWith("text/plain") === true && text.trim() !== "";
  return isSentence
    ? text.trim()
    : `The address answered ${`${status} ${statusText}`.trim()}, and not as Loredex does.`;
}

/** Whole seconds from now; a date, which Loredex never sends, is left out. */
function secondsOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The one place where an answer gets its promised type unchecked: the service's own tests hold it to the document. */
export function parsed<Promised>(text: string): Promised | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shownViolation({ message, field, type }: Violation): Violation {
  return { message: shown(message), field: shown(field), type: shown(type) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isViolation(value: unknown): value is Violation {
  return isObject(value) && [value.message, value.field, value.type].every((text) => typeof text === "string");
}
