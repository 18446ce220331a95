import type { Violation } from "./types.ts";

/** The code of the 404 for an article that does not exist. */
export const ARTICLE_NOT_FOUND = 20001;

/** The code of the 409 for an upsert that finds several articles. */
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

/** Any failure of a call, except the caller's own abort. Its texts hold no control characters: those from a server become U+FFFD. */
export class LoredexError extends Error {
  override readonly name = "LoredexError";
  /** The HTTP status of the answer; undefined without an answer of the service. */
  readonly status: number | undefined;
  /** The service's number for the error, the same in all versions; undefined if it gives none. */
  readonly code: number | undefined;
  /** Every broken rule, if the request broke any. */
  readonly violations: readonly Violation[];
  /** Seconds until the same request can succeed; undefined if the service does not tell, or waiting does not help. */
  readonly retryAfterSeconds: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;

  /** True if a retry cannot help: the server's certificate is not trusted, the address redirects, or the answer is too long. */
  readonly isFinal: boolean;
  /** True if the answer had more bytes than `answerBytesMax`. */
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

  /** True if the service has told when the same request can succeed. */
  get isWorthWaiting(): boolean {
    return (this.status === 429 || this.status === 503) && this.retryAfterSeconds !== undefined;
  }
}

/** Returns the error of an answer other than a success. A 400 lists broken rules, a 429 may be plain text, all others hold `error`. */
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

/** Returns the service's own message; a page from a proxy in its place is ignored. */
function sentenceOf({ status, statusText, headers }: Response, text: string): string {
  const isSentence = headers.get("content-type")?.startsWith("text/plain") === true && text.trim() !== "";
  return isSentence
    ? text.trim()
    : `The address answered ${`${status} ${statusText}`.trim()}, and not as Loredex does.`;
}

/** Whole seconds from now. A date, which Loredex never sends, is ignored. */
function secondsOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The only place where an answer gets its type unchecked: the service's own tests verify it against the OpenAPI document. */
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

/** Longer than any message of the service. */
const CHARACTERS_MAX = 4_096;
/** Controls that break a line or set a tab. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;
/** C0, DEL, C1, controls of text direction, and invisible tags. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a server's text safe for an error: one line without control characters, which could steer a terminal or reverse the text beside them. Each becomes
 * U+FFFD. Cut at 4,096 characters.
 */
function shown(text: string): string {
  const cut =
    text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return cut.replace(BREAKS, " ").replace(UNSAFE, "\ufffd");
}
