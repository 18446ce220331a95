import { QuotaBytesExceededError, QuotaExceededError, RateBytesExceededError, RateExceededError } from "@loredex/core";
import { ERROR_TABLE } from "../errors.ts";
import { failureSchema } from "./failure-schemas.ts";
import { CHALLENGE, REQUEST_ID, RETRY_AFTER } from "./headers.ts";
import { ref } from "./reference.ts";

/** The refusals of an operation: by status, with an example of each possible code. */

export type ErrorName = keyof typeof ERROR_TABLE;

/** The errors that any request may have. */
export const ALWAYS: readonly ErrorName[] = ["VALIDATION", "REQUEST_TIMEOUT", "HEADERS_TOO_LARGE"];
/** The further errors that any request with a key may have. */
export const WITH_KEY: readonly ErrorName[] = [
  ...ALWAYS,
  "UNAUTHENTICATED",
  "REQUEST_RATE_EXCEEDED",
  "INTERNAL",
  "OVERLOADED",
  "CLOSED",
  "RECOVERING",
  "UNREACHABLE",
  "CORRUPT",
  "BOT_INACCESSIBLE",
];
/** The further errors of a request for articles: a key may open the search alone. */
export const ARTICLES: readonly ErrorName[] = [...WITH_KEY, "KEY_SCOPE"];
export const WITH_BODY: readonly ErrorName[] = ["BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
export const WRITING: readonly ErrorName[] = ["CONFLICT", "READ_ONLY", "DISK_FULL", "BOT_FULL"];
export const CHARGED: readonly ErrorName[] = [
  "QUOTA_EXCEEDED",
  "QUOTA_BYTES_EXCEEDED",
  "RATE_EXCEEDED",
  "RATE_BYTES_EXCEEDED",
  "OUT_OF_MEMORY",
];

/** The texts of errors whose own message describes the event. */
const MESSAGES: Readonly<Partial<Record<ErrorName, string>>> = {
  QUOTA_EXCEEDED: new QuotaExceededError(1_200, 999_000, 1_000_000).message,
  QUOTA_BYTES_EXCEEDED: new QuotaBytesExceededError(1_200, 49_554_000, 49_554_432).message,
  RATE_BYTES_EXCEEDED: new RateBytesExceededError(1_200, 17_737_216, 12_000).message,
};

/** Headers of refusals with these statuses, besides the request's id. */
export const MORE_HEADERS: Readonly<Record<number, object>> = { 401: CHALLENGE, 429: RETRY_AFTER, 503: RETRY_AFTER };

/** The answers by status. Several errors of one status share an answer. */
export function failures(...groups: readonly (readonly ErrorName[])[]): Readonly<Record<string, object>> {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of groups.flat()) {
    const { status } = ERROR_TABLE[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  const entries = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(entries.map(([status, names]) => [String(status), failure(status, names)]));
}

function failure(status: number, names: readonly ErrorName[]) {
  const headers = { ...REQUEST_ID, ...MORE_HEADERS[status] };
  if (status === ERROR_TABLE.VALIDATION.status) {
    const content = { "application/json": INVALID_INPUT };
    return { description: "The input breaks the rules that data.result names.", headers, content };
  }
  const described = { description: DESCRIPTIONS[status] ?? "", headers };
  if (!names.includes("RATE_EXCEEDED")) return { ...described, content: { "application/json": refusal(names) } };
  // Two refusals of one status have different forms.
  const others = names.filter((name) => name !== "RATE_EXCEEDED");
  const content = {
    "text/plain": CHARACTER_RATE,
    ...(others.length === 0 ? {} : { "application/json": refusal(others) }),
  };
  return { ...described, description: `${described.description} ${RATE_EXCEEDED}`, content };
}

/** The schema and the examples of errors that have one status. */
export function refusal(names: readonly ErrorName[], more: object = {}) {
  const examples = Object.fromEntries(
    names.map((name) => {
      const { status, number: code, message } = ERROR_TABLE[name];
      const error = { message: message ?? MESSAGES[name] ?? "", code, status };
      return [exampleName(name), { value: { success: false, error, ...more } }];
    }),
  );
  const codes = [...new Set(names.map((name) => ERROR_TABLE[name].number))].sort();
  const statuses = [...new Set(names.map((name) => ERROR_TABLE[name].status))];
  return { schema: failureSchema({ type: "integer", enum: codes }, { type: "integer", enum: statuses }), examples };
}

/** The descriptions of refusals by status. The examples tell the codes apart. */
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  401: "The key is missing, unknown or revoked, was sent twice, or differs from the bearer token.",
  403: "The key opens the search alone.",
  404: "The bot has no article with this id.",
  408: "The request took too long to arrive: send it again.",
  409: "The Idempotency-Key came before with another body.",
  412: "The article has changed since the tag in If-Match was given.",
  413: "The body is too large. The connection ends.",
  415: "The body is not application/json in UTF-8, or is compressed.",
  422: "The bot's articles would exceed its quota: of characters (30001) or of bytes (30002). The message has the figures.",
  429: "With code 4290: the key has made as many requests as it may within a minute. With code 4291: more bytes of articles were written within a minute than the bot's rate allows; without Retry-After the article is larger than a whole minute allows.",
  431: "The address and the headers are too large. The connection ends.",
  500: "A fault of the service. Give the operator the x-request-id.",
  503: "50001, 50005, 50006 (the database does not answer, or other servers write to this bot all the time) and 50007 (short of memory: what grows is refused) pass by themselves: try again after Retry-After. 50002 (nothing can be written, reading still works) and 50004 (the bot's data cannot be used) are the operator's to mend, and have no Retry-After.",
  507: "There is no room for this write. Reading and deleting still work.",
};

const RATE_EXCEEDED =
  "As plain text: more characters were added within a minute than the bot's rate allows. Without Retry-After the write is larger than a whole minute allows, and can never be admitted as it is.";

const CHARACTER_RATE = {
  schema: { type: "string" },
  examples: {
    wait: { summary: "With Retry-After", value: new RateExceededError(900, 15_000, 12_000).message },
    never: { summary: "Without Retry-After", value: new RateExceededError(20_000, 15_000, undefined).message },
  },
};

const tooShort = { message: "title must have at least 3 characters", field: "title", type: "minLength" };
export const INVALID_INPUT = {
  schema: ref("InvalidInput"),
  examples: {
    brokenRules: {
      value: {
        message: tooShort.message,
        code: ERROR_TABLE.VALIDATION.number,
        status: 400,
        data: { result: [tooShort] },
      },
    },
  },
};

/** The name of an error in the examples. */
export function exampleName(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
