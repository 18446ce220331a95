import type { IncomingMessage } from "node:http";
import { type ErrorTable, type Failure, type Told, toldOf } from "../errors.ts";
import { hasBearer } from "../key.ts";
import { jsonReply } from "../reply.ts";

/**
 * Errors in Dify's form: `{ error_code, error_msg }`. The code is Dify's own if it has one, else the code of the table.
 * The code 1001 means a broken rule everywhere else. To Dify it means a broken header.
 */

interface Code {
  readonly status: number;
  readonly number: number;
}

/** The errors that only this endpoint has. */
export const DIFY_ERRORS = {
  AUTHORIZATION_FORMAT: {
    status: 403,
    number: 1001,
    message: "The Authorization header must be Bearer, one space and the API key.",
  },
  KNOWLEDGE_NOT_FOUND: {
    status: 404,
    number: 2001,
    message: "This API key opens no knowledge with this id: give the id or the name of the key's bot as knowledge_id.",
  },
} as const;

/** Dify detects a wrong key by status 403 alone when an endpoint is registered. It takes an endpoint with any other status for a good one. */
const REFUSED_KEY: Code = { status: 403, number: 1002 };

/** The errors that have another status or number here than in the table. */
export const DIFY_CODES: Readonly<Partial<Record<keyof ErrorTable, Code>>> = {
  VALIDATION: { status: 400, number: 40000 },
  UNAUTHENTICATED: REFUSED_KEY,
  BOT_NOT_FOUND: REFUSED_KEY,
};

/** An error that only a retrieval can have. */
export class RetrievalError extends Error {
  override readonly name = "RetrievalError";
  constructor(readonly code: keyof typeof DIFY_ERRORS) {
    super(DIFY_ERRORS[code].message);
  }
}

export function difyFailureOf(error: unknown, request: IncomingMessage): Failure {
  if (error instanceof RetrievalError) return ownFailure(error.code);
  const told = toldOf(error);
  if (told.code === "UNAUTHENTICATED" && !hasKey(request)) return ownFailure("AUTHORIZATION_FORMAT");
  return failure(told, DIFY_CODES[told.code] ?? told);
}

function ownFailure(code: keyof typeof DIFY_ERRORS): Failure {
  const row = DIFY_ERRORS[code];
  return failure({ ...row, code, headers: {}, isFault: false }, row);
}

type Named = Pick<Told, "message" | "headers" | "isFault"> & { readonly code: string };

function failure(
  { message, headers, isFault, code }: Named,
  { status, number }: Pick<Told, "status" | "number">,
): Failure {
  const { "www-authenticate": _, ...rest } = headers;
  return { reply: jsonReply(status, { error_code: number, error_msg: message }, rest), isFault, code };
}

/** Whether the request has a value in the place of a key. */
function hasKey(request: IncomingMessage): boolean {
  return request.headersDistinct["x-api-key"] !== undefined || hasBearer(request);
}
