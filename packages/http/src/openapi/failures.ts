import { QuotaBytesExceededError, QuotaExceededError, RateBytesExceededError, RateExceededError } from "@loredex/core";
import { ERROR_TABLE } from "../errors.ts";
import { failureSchema } from "./failure-schemas.ts";
import { CHALLENGE, REQUEST_ID, RETRY_AFTER } from "./headers.ts";
import { ref } from "./reference.ts";

/** The refusals of operations: each is a component of the description, with an example of each possible code. */

export type ErrorName = keyof typeof ERROR_TABLE;

/** The errors of a 503 that any request of a bot may have. */
export const UNAVAILABLE_ALWAYS = [
  "OVERLOADED",
  "CLOSED",
  "RECOVERING",
  "UNREACHABLE",
  "CORRUPT",
  "BOT_INACCESSIBLE",
] as const;

/** The errors that any request may have. */
export const ALWAYS: readonly ErrorName[] = ["VALIDATION", "REQUEST_TIMEOUT", "HEADERS_TOO_LARGE"];
/** The further errors that any request with a key may have. */
export const WITH_KEY: readonly ErrorName[] = [
  ...ALWAYS,
  "UNAUTHENTICATED",
  "REQUEST_RATE_EXCEEDED",
  "INTERNAL",
  ...UNAVAILABLE_ALWAYS,
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

/** What an admin key may see is not there, or the console is off. */
const notFound = (error: ErrorName | undefined, what: string): Refusal => ({
  errors: ["ROUTE_NOT_FOUND", "ADMIN_BOT_NOT_FOUND", ...(error === undefined ? [] : [error])],
  description: `${what} is not there, or the key may not see the bot. Code 20002: the server has no console.`,
});

const RATE_EXCEEDED =
  "As plain text: the write would exceed the bot's rate of characters a minute. Without Retry-After the write is larger than a whole minute allows, and can never be admitted as it is.";
const REQUEST_RATE = "With code 4290: the key has made as many requests as it may within a minute.";
const BYTE_RATE =
  "With code 4291: the write would exceed the bot's rate of bytes a minute; without Retry-After the article is larger than a whole minute allows.";

/** What to do about a 503 with these errors: it names the codes of these alone. */
function unavailable(errors: readonly ErrorName[]): string {
  const reachable = errors.includes("CONFLICT") ? ", or other servers write to this bot all the time" : "";
  const passing = ["50001", "50005", `50006 (the database does not answer${reachable})`];
  if (errors.includes("OUT_OF_MEMORY")) passing.push("50007 (short of memory: what grows is refused)");
  const lasting = ["50004 (the bot's data cannot be used)"];
  if (errors.includes("READ_ONLY")) lasting.push("50002 (nothing can be written, reading still works)");
  return `These pass by themselves, try again after Retry-After: ${passing.join(", ")}. These are the operator's to mend, and have no Retry-After: ${lasting.join(", ")}.`;
}

function unavailableWith(...errors: readonly ErrorName[]): Refusal {
  return { errors, description: unavailable(errors) };
}

interface Refusal {
  /** Errors of one status, in the order of their examples. */
  readonly errors: readonly ErrorName[];
  /** The examples tell the codes apart. */
  readonly description: string;
}

/** The refusals of the admin API alone. */
const ADMIN_REFUSALS: Readonly<Record<string, Refusal>> = {
  AdminBotNotFound: notFound(undefined, "The bot"),
  AdminArticleNotFound: notFound("ARTICLE_NOT_FOUND", "The article"),
  AdminDocumentNotFound: notFound("DOCUMENT_NOT_FOUND", "The document"),
  AdminSourceNotFound: notFound("SOURCE_NOT_FOUND", "The source"),
  AdminRegistrationNotFound: notFound("REGISTRATION_NOT_FOUND", "The agent or channel"),
  AdminKeyNotFound: notFound("KEY_NOT_FOUND", "The key"),
  AdminJobNotFound: notFound("JOB_NOT_FOUND", "The job"),
  AdminRunNotFound: notFound("RUN_NOT_FOUND", "The run"),
  ChangeRefused: {
    errors: ["ADMIN_SCOPE", "CROSS_SITE"],
    description: "The admin key may not do this, or the session's token or an Origin of this host is missing.",
  },
  CrossSite: { errors: ["CROSS_SITE"], description: "The session's token or an Origin of this host is missing." },
  SignInsExceeded: { errors: ["SIGN_INS_EXCEEDED"], description: "Too many sign-ins of this address have failed." },
  BotExists: { errors: ["BOT_EXISTS"], description: "There is a bot of this name already." },
  KeyExists: { errors: ["KEY_EXISTS"], description: "The bot has a key of this name already." },
  AdminWriteRateExceeded: {
    errors: ["RATE_EXCEEDED", "RATE_BYTES_EXCEEDED"],
    description: `${BYTE_RATE} ${RATE_EXCEEDED}`,
  },
};

/**
 * The answers that refuse, by their names in the document. Each has the errors that some operation has of one status.
 * The schema of its JSON has the same name, with `Failure` behind it.
 */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  InvalidInput: { errors: ["VALIDATION"], description: "The input breaks the rules that data.result names." },
  Unauthenticated: {
    errors: ["UNAUTHENTICATED"],
    description: "The key is missing, unknown or revoked, was sent twice, or differs from the bearer token.",
  },
  KeyScope: { errors: ["KEY_SCOPE"], description: "The key opens the search alone." },
  ArticleNotFound: { errors: ["ARTICLE_NOT_FOUND"], description: "The bot has no article with this id." },
  QuestionNotFound: {
    errors: ["QUESTION_NOT_FOUND"],
    description: "The bot's question log has no search with this requestId in the last 24 hours.",
  },
  PageNotFound: {
    errors: ["ROUTE_NOT_FOUND"],
    description: "The operator has switched the page or the console off, or there is no such file.",
  },
  ...ADMIN_REFUSALS,
  RequestTimeout: { errors: ["REQUEST_TIMEOUT"], description: "The request took too long to arrive: send it again." },
  IdempotencyKeyReused: {
    errors: ["IDEMPOTENCY_KEY_REUSED"],
    description: "The Idempotency-Key came before with another body.",
  },
  ArticleChanged: {
    errors: ["ARTICLE_CHANGED"],
    description: "The article has changed since the tag in If-Match was given.",
  },
  ContentChanged: {
    errors: ["CONTENT_CHANGED"],
    description: "What the request would replace has changed since the tag in If-Match was given.",
  },
  BodyTooLarge: { errors: ["BODY_TOO_LARGE"], description: "The body is too large. The connection ends." },
  UnsupportedMediaType: {
    errors: ["UNSUPPORTED_MEDIA_TYPE"],
    description: "The body is not application/json in UTF-8, or is compressed.",
  },
  QuotaExceeded: {
    errors: ["QUOTA_EXCEEDED", "QUOTA_BYTES_EXCEEDED"],
    description:
      "The bot's articles would exceed its quota: of characters (30001) or of bytes (30002). The message has the figures.",
  },
  RequestRateExceeded: { errors: ["REQUEST_RATE_EXCEEDED"], description: REQUEST_RATE },
  WriteRateExceeded: {
    errors: ["REQUEST_RATE_EXCEEDED", "RATE_EXCEEDED", "RATE_BYTES_EXCEEDED"],
    description: `${REQUEST_RATE} ${BYTE_RATE} ${RATE_EXCEEDED}`,
  },
  HeadersTooLarge: {
    errors: ["HEADERS_TOO_LARGE"],
    description: "The address and the headers are too large. The connection ends.",
  },
  Internal: { errors: ["INTERNAL"], description: "A fault of the service. Give the operator the x-request-id." },
  Unavailable: unavailableWith(...UNAVAILABLE_ALWAYS),
  UnavailableToDelete: unavailableWith(...UNAVAILABLE_ALWAYS, "CONFLICT", "READ_ONLY"),
  UnavailableToWrite: unavailableWith(...UNAVAILABLE_ALWAYS, "OUT_OF_MEMORY", "CONFLICT", "READ_ONLY"),
  NoRoom: {
    errors: ["DISK_FULL", "BOT_FULL"],
    description: "There is no room for this write. Reading and deleting still work.",
  },
};

/** One text for the same errors in any order. */
const idOf = (errors: readonly ErrorName[]) => errors.toSorted().join(", ");

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(REFUSALS).map(([name, { errors }]) => [idOf(errors), name]),
);

/** @throws Error for errors that no refusal has together */
function nameOf(errors: readonly ErrorName[]): string {
  const name = NAMES.get(idOf(errors));
  if (name === undefined) throw new Error(`REFUSALS in failures.ts lacks an answer with ${idOf(errors)}: add it`);
  return name;
}

/**
 * References to the answers, by status. Several errors of one status share an answer.
 * @throws Error for errors of one status that no refusal has together
 */
export function failures(...groups: readonly (readonly ErrorName[])[]): Readonly<Record<string, object>> {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of groups.flat()) {
    const { status } = ERROR_TABLE[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  const entries = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(entries.map(([status, names]) => [String(status), responseRef(names)]));
}

/** A reference to the answer that has these errors. */
export function responseRef(errors: readonly ErrorName[]) {
  return { $ref: `#/components/responses/${nameOf(errors)}` };
}

/** The schema and the examples of the answer that has these errors. */
export function refusal(errors: readonly ErrorName[]) {
  if (errors[0] === "VALIDATION") return INVALID_INPUT;
  return { schema: ref(`${nameOf(errors)}Failure`), examples: examplesOf(errors) };
}

/** An example of each error; with more fields in each, if so. */
export function examplesOf(errors: readonly ErrorName[], more: object = {}) {
  return Object.fromEntries(
    errors.map((name) => {
      const { status, number: code, message } = ERROR_TABLE[name];
      const error = { message: message ?? MESSAGES[name] ?? "", code, status };
      return [exampleName(name), { value: { success: false, error, ...more } }];
    }),
  );
}

const CHARACTER_RATE = {
  schema: { type: "string" },
  examples: {
    wait: { summary: "With Retry-After", value: new RateExceededError(900, 15_000, 12_000).message },
    never: { summary: "Without Retry-After", value: new RateExceededError(20_000, 15_000, undefined).message },
  },
};

const tooShort = { message: "title must have at least 3 characters", field: "title", type: "minLength" };
const INVALID_INPUT = {
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

/** The errors that come as JSON in the usual form. */
const inJson = (errors: readonly ErrorName[]) =>
  errors.filter((name) => name !== "RATE_EXCEEDED" && name !== "VALIDATION");

/** The answers that refuse, by name. */
export const REFUSAL_RESPONSES: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(REFUSALS).map(([name, { errors, description }]) => {
    const headers = { ...REQUEST_ID, ...MORE_HEADERS[statusOf(errors)] };
    const json = inJson(errors);
    const usual = { schema: ref(`${name}Failure`), examples: examplesOf(json) };
    const content = {
      // Two refusals of one status have different forms.
      ...(errors.includes("RATE_EXCEEDED") ? { "text/plain": CHARACTER_RATE } : {}),
      "application/json": json.length === 0 ? INVALID_INPUT : usual,
    };
    return [name, { description, headers, content }];
  }),
);

/** The schemas of the refusals in JSON, by name. */
export const REFUSAL_SCHEMAS: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(REFUSALS)
    .map(([name, { errors }]) => [name, inJson(errors)] as const)
    .filter(([, errors]) => errors.length > 0)
    .map(([name, errors]) => [
      `${name}Failure`,
      failureSchema(oneOf(errors.map((error) => ERROR_TABLE[error].number)), oneOf([statusOf(errors)])),
    ]),
);

function statusOf([first]: readonly ErrorName[]): number {
  if (first === undefined) throw new Error("a refusal has at least one error");
  return ERROR_TABLE[first].status;
}

/** The schema of some integers: a `const` for each, since client generators make a class of each `enum`. */
export function oneOf(numbers: readonly (number | undefined)[]): object {
  const [first, ...others] = [...new Set(numbers)].sort().map((number) => ({ type: "integer", const: number }));
  return first !== undefined && others.length === 0 ? first : { oneOf: [first, ...others] };
}

/** The name of an error in the examples. */
export function exampleName(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
