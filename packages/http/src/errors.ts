import type { ErrorCode } from "@loredex/core";
import { LoredexError, RateBytesExceededError, RateExceededError, ValidationError } from "@loredex/core";
import { arrayReply, jsonReply, type Reply, textReply } from "./reply.ts";

/** The errors of HTTP itself, before or around the engine. */
export type HttpErrorCode =
  | "UNAUTHENTICATED"
  | "KEY_SCOPE"
  | "REQUEST_RATE_EXCEEDED"
  | "ADMIN_SCOPE"
  | "CROSS_SITE"
  | "ADMIN_BOT_NOT_FOUND"
  | "JOB_NOT_FOUND"
  | "RUN_NOT_FOUND"
  | "SIGN_INS_EXCEEDED"
  | "ROUTE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "BODY_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "REQUEST_TIMEOUT"
  | "HEADERS_TOO_LARGE"
  | "OVERLOADED"
  | "RECOVERING"
  | "SHUTTING_DOWN"
  | "INTERNAL";

/** An error that the adapter itself finds. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly code: HttpErrorCode,
    message: string = ERROR_TABLE[code].message,
    /** Headers of the answer, for example `allow`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

interface ErrorRow {
  /** The status of the answer. */
  readonly status: number;
  /** `code` in the answer's body; undefined if the answer is plain text. */
  readonly number: number | undefined;
  /** The text for users; undefined if the error's own message is made for them. */
  readonly message: string | undefined;
  /** The seconds after which a retry makes sense, if the error's kind alone decides it. */
  readonly retryAfterSeconds?: number;
  /** Whether each request with this error is logged. Default: yes for a status of 500 or more that does not pass by itself. */
  readonly isFault?: boolean;
}

/** A row with a fixed text. */
type FixedRow = ErrorRow & { readonly message: string };

/** The engine logs such a fault once when it comes and once when it goes. A line for each request would bury all others. */
const TOLD_BY_THE_ENGINE = false;

const INTERNAL: FixedRow = {
  status: 500,
  number: 50000,
  message: "Something went wrong inside the service. Give the operator the x-request-id of this answer.",
};
const UNUSABLE_BOT: FixedRow = {
  status: 503,
  number: 50004,
  message: "The stored data of this bot cannot be used. The operator has to repair it; other bots are not affected.",
  isFault: TOLD_BY_THE_ENGINE,
};
const NOTHING_WRITTEN: FixedRow = {
  status: 503,
  number: 50002,
  message: "Nothing can be written at the moment, reading still works. The operator has to look at the storage.",
  isFault: TOLD_BY_THE_ENGINE,
};
const BUSY_ELSEWHERE = {
  status: 503,
  number: 50006,
  message: "Other nodes of the service write to this bot all the time. Please try again.",
  retryAfterSeconds: 1,
} as const satisfies ErrorRow;
const NO_CAPACITY: FixedRow = {
  status: 507,
  number: 50003,
  message: "There is no room to store this, reading still works. Writes work again as soon as there is room.",
};
const INVALID_KEY: FixedRow = {
  status: 401,
  number: 10001,
  message: "A valid API key is required in the x-api-key header, or as Authorization: Bearer KEY.",
};
const SHUTTING_DOWN: FixedRow = {
  status: 503,
  number: 50001,
  message: "The service is shutting down. Please try again.",
  retryAfterSeconds: 1,
};

/** An error that passes by itself: the same request is likely to be answered later. */
const OVERLOADED: FixedRow & { readonly retryAfterSeconds: number } = {
  status: 503,
  number: 50001,
  message: "The service has too many requests at the moment. Please try again.",
  retryAfterSeconds: 1,
};

/** The table of all errors and their answers. A code without a row does not compile. */
export const ERROR_TABLE = {
  VALIDATION: { status: 400, number: 1001, message: undefined },
  UNAUTHENTICATED: INVALID_KEY,
  // The bot was removed between the check of its key and its first use, so its key is invalid too.
  BOT_NOT_FOUND: INVALID_KEY,
  KEY_SCOPE: {
    status: 403,
    number: 10002,
    message: "This key opens the search alone. Ask the operator for one that opens articles.",
  },
  REQUEST_RATE_EXCEEDED: {
    status: 429,
    number: 4290,
    message: "This key has made as many requests as it may within a minute. Please try again later.",
  },
  ADMIN_SCOPE: { status: 403, number: 10003, message: "This admin key may only read." },
  CROSS_SITE: {
    status: 403,
    number: 10004,
    message:
      "A change in a signed-in browser needs the session's token in the x-csrf-token header, and an Origin of this host.",
  },
  SIGN_INS_EXCEEDED: {
    status: 429,
    number: 4292,
    message: "Too many sign-ins from this address have failed. Please try again later.",
  },
  ADMIN_BOT_NOT_FOUND: {
    status: 404,
    number: 20007,
    message: "There is no bot with this id or name that this admin key may see.",
  },
  ARTICLE_NOT_FOUND: { status: 404, number: 20001, message: "There is no article with this id." },
  ARTICLE_CHANGED: {
    status: 412,
    number: 20004,
    message: "The article has changed since the tag in If-Match was given. Get it again, and decide again.",
  },
  CONTENT_CHANGED: {
    status: 412,
    number: 20019,
    message: "What this would replace has changed since the tag in If-Match was given. Get it again, and decide again.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    number: 20005,
    message: "This Idempotency-Key came before with another body. Send the body of then, or make up a new key.",
  },
  SEVERAL_ARTICLES: { status: 409, number: 20006, message: undefined },
  DOCUMENT_NOT_FOUND: { status: 404, number: 20011, message: "There is no document with this id." },
  SOURCE_NOT_FOUND: { status: 404, number: 20012, message: "There is no source with this name." },
  REGISTRATION_NOT_FOUND: { status: 404, number: 20013, message: "No agent or channel of this name is registered." },
  KEY_NOT_FOUND: { status: 404, number: 20014, message: "The bot has no key of this name." },
  JOB_NOT_FOUND: { status: 404, number: 20015, message: "This server knows no such job. It remembers the last 100." },
  RUN_NOT_FOUND: { status: 404, number: 20016, message: "There is no run with this id." },
  BOT_EXISTS: { status: 409, number: 20017, message: "There is a bot of this name already." },
  KEY_EXISTS: { status: 409, number: 20018, message: "The bot has a key of this name already." },
  QUESTION_NOT_FOUND: {
    status: 404,
    number: 20008,
    message: "There is no search with this requestId in the last 24 hours. Send the x-request-id of the search.",
  },
  ROUTE_NOT_FOUND: { status: 404, number: 20002, message: "There is nothing at this path." },
  METHOD_NOT_ALLOWED: { status: 405, number: 20003, message: "This method is not allowed here; see the Allow header." },
  REQUEST_TIMEOUT: { status: 408, number: 40003, message: "The request did not arrive in time. Please send it again." },
  BODY_TOO_LARGE: { status: 413, number: 40001, message: "The request body is too large." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    number: 40002,
    message: "The request body must be JSON in UTF-8: send it with Content-Type: application/json.",
  },
  QUOTA_EXCEEDED: { status: 422, number: 30001, message: undefined },
  RATE_EXCEEDED: { status: 429, number: undefined, message: undefined },
  QUOTA_BYTES_EXCEEDED: { status: 422, number: 30002, message: undefined },
  RATE_BYTES_EXCEEDED: { status: 429, number: 4291, message: undefined },
  HEADERS_TOO_LARGE: { status: 431, number: 40004, message: "The request line and headers are too large." },
  INTERNAL,
  OVERLOADED,
  TOO_MANY_OPEN_FILES: { ...OVERLOADED, isFault: true },
  RECOVERING: {
    status: 503,
    number: 50005,
    message: "This bot is being made ready, which takes a moment after a start. Please try again.",
    retryAfterSeconds: 2,
  },
  SHUTTING_DOWN,
  CLOSED: SHUTTING_DOWN,
  UNREACHABLE: {
    status: 503,
    number: 50006,
    message: "The database of the service does not answer. Please try again.",
    retryAfterSeconds: 1,
    isFault: TOLD_BY_THE_ENGINE,
  },
  CONFLICT: BUSY_ELSEWHERE,
  REPLACED: BUSY_ELSEWHERE,
  OUT_OF_MEMORY: {
    status: 503,
    number: 50007,
    message:
      "The service is short of memory: nothing that grows can be written now, reading and deleting still work. Please try again later.",
    retryAfterSeconds: 5,
    isFault: TOLD_BY_THE_ENGINE,
  },
  READ_ONLY: NOTHING_WRITTEN,
  NO_ACCESS: NOTHING_WRITTEN,
  CORRUPT: UNUSABLE_BOT,
  UNSUPPORTED_FORMAT: UNUSABLE_BOT,
  BOT_INACCESSIBLE: {
    ...UNUSABLE_BOT,
    message: "The stored data of this bot cannot be read. The operator has to look at it; other bots are not affected.",
  },
  BOT_QUARANTINED: {
    ...UNUSABLE_BOT,
    message:
      "An error inside the service showed in this bot. The operator has to start it again; other bots are not affected.",
  },
  DISK_FULL: { ...NO_CAPACITY, isFault: TOLD_BY_THE_ENGINE },
  BOT_FULL: NO_CAPACITY,
  // These errors cannot reach a client of this API. If one does, the fault is ours.
  STORAGE_FAILED: INTERNAL,
  IMPORT_BYTES_EXCEEDED: INTERNAL,
  SOURCE_EXISTS: INTERNAL,
  BOT_IS_WHOLE: INTERNAL,
  DIRECTORY_IN_USE: INTERNAL,
  WRONG_USER: INTERNAL,
} as const satisfies Record<ErrorCode | HttpErrorCode, ErrorRow>;

export type ErrorTable = typeof ERROR_TABLE;

/** The names of all refusals and failures, as the log and metrics use them. */
export const FAILURE_NAMES: readonly string[] = Object.keys(ERROR_TABLE);

/** Whether the engine has logged the cause of a failure of this name: storage that cannot be used or written. */
export function isToldByTheEngine(code: string | undefined): boolean {
  const table: Readonly<Record<string, ErrorRow>> = ERROR_TABLE;
  return code !== undefined && Object.hasOwn(table, code) && table[code]?.isFault === TOLD_BY_THE_ENGINE;
}

/** The answer to an error, and whether the operator must know of it. */
export interface Failure {
  readonly reply: Reply;
  readonly isFault: boolean;
  /** The name of the error: a key of {@link ERROR_TABLE}, unless only one route has it. */
  readonly code: string;
}

/** An error with its texts, before its answer has a form. */
export interface Told {
  readonly code: keyof ErrorTable;
  readonly status: number;
  /** Undefined if the answer is plain text. */
  readonly number: number | undefined;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isFault: boolean;
}

export function toldOf(error: unknown): Told {
  const code = error instanceof HttpError || error instanceof LoredexError ? error.code : "INTERNAL";
  const row: ErrorRow = ERROR_TABLE[code];
  const { status, number } = row;
  const headers: Record<string, string> = error instanceof HttpError ? { ...error.headers } : {};
  const isOfRate = error instanceof RateExceededError || error instanceof RateBytesExceededError;
  const retryAfterSeconds = isOfRate ? wholeSeconds(error.retryAfterMs) : row.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (status === 401) headers["www-authenticate"] = "ApiKey, Bearer";
  // An error that passes by itself is no fault, unless the table says so.
  const isFault = row.isFault ?? (status >= 500 && row.retryAfterSeconds === undefined);
  return { code, status, number, message: textOf(error, row), headers, isFault };
}

function textOf(error: unknown, row: ErrorRow): string {
  if (error instanceof ValidationError) return summaryOf(error);
  return error instanceof HttpError ? error.message : (row.message ?? messageOf(error));
}

export function failureOf(error: unknown): Failure {
  const { code, status, number, message, headers, isFault } = toldOf(error);
  if (error instanceof ValidationError) return { reply: violationsReply(error), isFault, code };
  if (number === undefined) return { reply: textReply(status, message, headers), isFault, code };
  const body = { success: false, error: { message, code: number, status } };
  return { reply: jsonReply(status, body, headers), isFault, code };
}

/** The error for one broken rule of HTTP, answered with 400. */
export function violation(message: string, field: string, type: string): ValidationError {
  return new ValidationError([{ message, field, type }]);
}

const SUMMARY_VIOLATIONS_MAX = 5;
const SUMMARY_CHARACTERS_MAX = 1_000;

function violationsReply(error: ValidationError): Reply {
  const { status, number: code } = ERROR_TABLE.VALIDATION;
  const start = JSON.stringify({ message: summaryOf(error), code, status }).slice(0, -1);
  return arrayReply(status, { head: `${start},"data":{"result":[`, rows: error.violations, tail: "]}}" });
}

function summaryOf({ violations, count }: ValidationError): string {
  const shown = violations.slice(0, SUMMARY_VIOLATIONS_MAX).map((each) => each.message);
  const rest = count - shown.length;
  const text = shown.join("; ");
  const cut = text.length > SUMMARY_CHARACTERS_MAX ? `${text.slice(0, SUMMARY_CHARACTERS_MAX).toWellFormed()}…` : text;
  return rest > 0 ? `${cut}; and ${rest} more` : cut;
}

/** The refusal of a sign-in that is admitted in `waitMs` milliseconds. */
export function signInsExceeded(waitMs: number): HttpError {
  return new HttpError("SIGN_INS_EXCEEDED", undefined, { "retry-after": String(wholeSeconds(waitMs)) });
}

/** The refusal of a request that its key's rate admits in `waitMs` milliseconds. */
export function requestRateExceeded(waitMs: number): HttpError {
  return new HttpError("REQUEST_RATE_EXCEEDED", undefined, { "retry-after": String(wholeSeconds(waitMs)) });
}

function wholeSeconds(milliseconds: number): number;
function wholeSeconds(milliseconds: number | undefined): number | undefined;
function wholeSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.max(1, Math.ceil(milliseconds / 1_000));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : INTERNAL.message;
}
