import { type ErrorCode, LoredexError, ValidationError, type Violation } from "@loredex/core";
import type { Operation } from "./operator.ts";

/**
 * The protocol between a command and a running server: HTTP on a socket that only the owner of the data may open.
 * `POST /operator/1/<operation>` with the arguments as a JSON array; the answer is `{ result }` or `{ error }`.
 */
export const PATH_PREFIX = "/operator/1/";

/** One document of the largest size, escaped, with its neighbours. */
export const REQUEST_BYTES_MAX = 192 * 1_048_576;

/** The operations that cross the socket. */
export const OPERATIONS: ReadonlySet<string> = new Set<Operation>([
  "listBots",
  "createBot",
  "showBot",
  "setBot",
  "removeBot",
  "rotateKey",
  "revokeKey",
  "putRegistration",
  "removeRegistration",
  "listRegistrations",
  "articlesOfAgent",
  "importDocument",
  "documentsOfSource",
  "whenSearchable",
  "listDocuments",
  "getDocument",
  "setDocumentStatus",
  "removeDocument",
  "search",
]);

/** An error of the engine on its way. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly violations?: readonly Violation[];
}

export function toWire(error: LoredexError): WireError {
  const { code, message } = error;
  return error instanceof ValidationError ? { code, message, violations: error.violations } : { code, message };
}

export function fromWire({ code, message, violations }: WireError): LoredexError {
  return violations === undefined ? new LoredexError(code, message) : new ValidationError(violations);
}
