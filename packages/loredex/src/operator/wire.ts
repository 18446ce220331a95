import { DOCUMENT_BYTES_MAX, type ErrorCode, LoredexError, ValidationError, type Violation } from "@loredex/core";
import type { Download, Operation, Upload } from "./operator.ts";

/**
 * The protocol between a command and a running server: HTTP on a socket that only the owner of the data may open.
 * `POST /operator/1/<operation>` has the arguments as a JSON array. The answer is `{ result }` or `{ error }`.
 * Each document of an import is a request, with several in flight: each has its own outcome, and a busy server slows the command down.
 */
export const PATH_PREFIX = "/operator/1/";

/** The largest request: one document of the largest size with each of its bytes escaped. */
export const REQUEST_BYTES_MAX = 6 * DOCUMENT_BYTES_MAX + 1_048_576;

/** The operations over the socket: all of the port, which the type ensures. */
const CROSSING: Readonly<Record<Operation, true>> = {
  listBots: true,
  fleet: true,
  createBot: true,
  ensureBot: true,
  showBot: true,
  setBot: true,
  removeBot: true,
  rotateKey: true,
  revokeKey: true,
  addKey: true,
  listKeys: true,
  rotateNamedKey: true,
  revokeNamedKey: true,
  createAdminKey: true,
  listAdminKeys: true,
  rotateAdminKey: true,
  revokeAdminKey: true,
  listChanges: true,
  putRegistration: true,
  removeRegistration: true,
  listRegistrations: true,
  articlesOfAgent: true,
  importDocument: true,
  listSources: true,
  ownedDocuments: true,
  putSourceArgument: true,
  moveSource: true,
  removeSource: true,
  whenSearchable: true,
  whenUpgraded: true,
  listDocuments: true,
  getDocument: true,
  setDocumentStatus: true,
  removeDocument: true,
  getVocabulary: true,
  setVocabulary: true,
  listGaps: true,
  listQuestions: true,
  clearQuestions: true,
  getGolden: true,
  setGolden: true,
  addRun: true,
  search: true,
  query: true,
  suggest: true,
  explain: true,
  verify: true,
  purge: true,
};
export const OPERATIONS: ReadonlySet<string> = new Set(Object.keys(CROSSING));

/**
 * The operations with a stream as the answer, of bytes or of JSON lines. A refusal is answered as for any other operation.
 * A failure during the stream cuts it off.
 */
const DOWNLOADING: Readonly<Record<Download, true>> = { salvage: true, backup: true };
export const DOWNLOADS: ReadonlySet<string> = new Set(Object.keys(DOWNLOADING));
/** The operation with a stream of bytes as the request. Its other parameters are in the query. */
export const UPLOAD: Upload = "restore";
export const STREAM_TYPE = "application/octet-stream";

/** An error of the engine, as it is sent. */
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
