import type { Recorded } from "../log/recorded-kind.ts";
import type { StoredAdminKey, StoredChange, StoredSession } from "../model/records.ts";

/** A line of the audit log with the number of its record, which orders all lines. */
export interface NumberedChange extends StoredChange {
  readonly number: number;
}

/** The state of the administration: all records of its log, applied in order. */
export interface AdminState extends Recorded {
  /** By name, in the order of their creation. */
  readonly keys: Map<string, StoredAdminKey>;
  /** By the digest of the token, oldest first. Expired ones stay until the next session. */
  readonly sessions: Map<string, StoredSession>;
  /** The audit log, oldest first. */
  readonly changes: NumberedChange[];
  /** Times of the last failed sign-ins of an address, oldest first. The address that failed last comes last. */
  readonly failures: Map<string, readonly number[]>;
}

/** The state of an empty log. */
export function emptyAdministration(): AdminState {
  return { keys: new Map(), sessions: new Map(), changes: [], failures: new Map(), removedAt: 0, sequence: 0 };
}
