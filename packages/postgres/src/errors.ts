/** What a failure of a query means. */

import { type ErrorCode, LoredexError } from "@loredex/core";
import pg from "pg";

/**
 * - `lost`: the connection or the server is in trouble. A statement that was sent may have been executed.
 * - `clash`: the server ended this statement in favour of another one (deadlock, serialization, lock timeout). It changed nothing and can be sent again.
 * - `refused`: the statement failed, and changed nothing.
 */
export type Failure = "lost" | "clash" | "refused";

/** SQLSTATEs of a lost connection, a refused login, no free connection, a start or stop, a server that only reads, a statement that took too long, no such database. */
const LOST = /^(08|28|57P0[1-5]$|53300$|25006$|57014$|3D000$)/;
/** A write to a server that only reads. */
export const READ_ONLY = "25006";
/** No connection is left for the server, the database or the role. */
export const TOO_MANY = "53300";
/** The server gave a statement up, for it took too long or somebody has cancelled it. */
const GIVEN_UP = "57014";
/** A serialization failure, a deadlock, a lock that was not free in time. */
const CLASH = /^(40001|40P01|55P03)$/;

export function failureOf(error: unknown): Failure {
  if (!(error instanceof pg.DatabaseError)) return "lost";
  const { code = "" } = error;
  if (LOST.test(code)) return "lost";
  return CLASH.test(code) ? "clash" : "refused";
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  "42501": "NO_ACCESS",
  "53100": "DISK_FULL",
  "53200": "STORAGE_FAILED",
};

/** What to do about tables that are missing or too old. */
export const MIGRATE = 'Run "loredex store migrate" as a role that may make tables: docs/postgres.md, The role.';
/** What to do about a right that is missing. */
export const GRANT = "Grant this role what nodes need: docs/postgres.md, The role.";

/** What to do about a refused statement: tables, the schema or columns that are not there; no right. */
const REMEDIES: Readonly<Record<string, string>> = {
  "42P01": MIGRATE,
  "3F000": MIGRATE,
  "42703": MIGRATE,
  // A role without a right on the schema does not learn whether the tables are there.
  "42501": `${GRANT} Tables that are missing are made by "loredex store migrate", run as a role that may.`,
};

/** The error for a statement that the server refused. It shows no values: details of the server's error may. */
export function refusedError(error: unknown): LoredexError {
  if (error instanceof LoredexError) return error;
  const sqlState = sqlStateOf(error) ?? "";
  const remedy = REMEDIES[sqlState];
  const code = CODES[sqlState] ?? "STORAGE_FAILED";
  return new LoredexError(
    code,
    `PostgreSQL refused a statement: ${reasonIn(error)}.${remedy === undefined ? "" : ` ${remedy}`}`,
  );
}

export function unreachable(reason: string): LoredexError {
  return new LoredexError("UNREACHABLE", `PostgreSQL does not answer: ${reason}.`);
}

/** An answer that did not come in time. */
export class TooLate extends Error {}

/** Whether a statement took longer than it may: no answer came, or the server gave it up. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof TooLate || sqlStateOf(error) === GIVEN_UP;
}

/** The error for a statement that took too long, of a server that answers others. */
export function tooSlow(reason: string): LoredexError {
  return new LoredexError("UNREACHABLE", `PostgreSQL has not done a statement in time: ${reason}.`);
}

export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

const GIVE_PASSWORD = "Give it by a password file (--store-password-file FILE), PGPASSWORD or PGPASSFILE";

/** What to do about a refused login. */
const ADVICE: Readonly<Record<string, string>> = {
  "28P01": `The password or the role is wrong. ${GIVE_PASSWORD}`,
  "28000": "Check the role in the address, and pg_hba.conf of the server",
  "3D000": "Make the database first: create database NAME",
  [TOO_MANY]: "Raise max_connections of the server, or give each node fewer (--store-connections)",
};

/** A failure in words. Errors of Node for several addresses have an empty message. */
export function reasonIn(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonIn).join(", ");
  const state = sqlStateOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const tls = reasonOfTls(error, message);
  if (tls !== undefined) return tls;
  if (/client password must be a string/.test(message))
    return `it asks for a password, and has got none. ${GIVE_PASSWORD}`;
  const advice = state === undefined ? undefined : ADVICE[state];
  return [state === undefined ? message : `${message} (${state})`, advice].filter(Boolean).join(". ");
}

const UNKNOWN_AUTHORITY =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE)$/;

/** Why a connection with TLS failed, and what to do; undefined for other failures. */
function reasonOfTls(error: unknown, message: string): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (UNKNOWN_AUTHORITY.test(code)) {
    return `the authority that signed its certificate is not known here. Name a file with the authority's certificate (PEM): sslrootcert=FILE (${code})`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `its certificate is for ${namesIn(error)}, and not for the host name of the address. Use such a name, or check the authority alone: sslmode=verify-ca`;
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return `its certificate does not hold today (${code})`;
  if (message === "The server does not support SSL connections") {
    return "the server has no TLS, and the address demands it. Turn it on there (ssl = on), or do without: sslmode=disable";
  }
  // PostgreSQL, where pg_hba.conf has `hostssl` alone, and PgBouncer with `client_tls_sslmode`.
  if (/no encryption$|^SSL required$/.test(message)) {
    return `${message} (${code}). The server may demand TLS: add sslmode=verify-full to the address`;
  }
  return undefined;
}

/** The names in the certificate that a host name differs from. */
function namesIn(error: unknown): string {
  const cert: unknown = error instanceof Error && "cert" in error ? error.cert : undefined;
  const names: unknown = typeof cert === "object" && cert !== null && "subjectaltname" in cert && cert.subjectaltname;
  return typeof names === "string" && names !== "" ? names.slice(0, 500) : "other names";
}
