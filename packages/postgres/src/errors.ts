/** What a failure of a query means. */

import { type ErrorCode, LoredexError } from "@loredex/core";
import pg from "pg";

/**
 * - `lost`: the connection or the server is in trouble. A statement that was sent may have been executed.
 * - `clash`: the server gave up this statement for another one, and changed nothing. It can be sent again.
 * - `refused`: the statement failed, and changed nothing.
 */
export type Failure = "lost" | "clash" | "refused";

/** Connection exceptions, refused or ended sessions, a server that is short of connections, starts, stops or only reads, a statement that took too long. */
const LOST = /^(08|28|57P0[1-5]$|53300$|25006$|57014$|3D000$)/;
/** A write to a server that only reads. */
export const READ_ONLY = "25006";
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

/** The error for a statement that the server refused. It shows no values: details of the server's error may. */
export function refusedError(error: unknown): LoredexError {
  if (error instanceof LoredexError) return error;
  const sqlState = sqlStateOf(error) ?? "";
  const hint = /^(42P01|3F000|42703)$/.test(sqlState) ? " Run: loredex store migrate" : "";
  const code = CODES[sqlState] ?? "STORAGE_FAILED";
  return new LoredexError(code, `PostgreSQL refused a statement: ${reasonIn(error)}.${hint}`);
}

export function unreachable(reason: string): LoredexError {
  return new LoredexError("UNREACHABLE", `PostgreSQL does not answer: ${reason}.`);
}

export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** A failure in words. Errors of Node for several addresses have an empty message. */
export function reasonIn(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonIn).join(", ");
  const state = sqlStateOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return state === undefined ? message : `${message} (${state})`;
}
