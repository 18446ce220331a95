/** What a server says of itself, for operators. */

import { LoredexError } from "@loredex/core";
import { type Database, READS_ONLY } from "./database.ts";
import { SCHEMA_VERSION, versionOf } from "./schema.ts";

/** The condition of a database. */
export interface PostgresCondition {
  /** For example `18.1`, and as a number: 180001. */
  readonly version: string;
  readonly versionNumber: number;
  readonly role: string;
  /** The schema with the tables. */
  readonly schema: string;
  /** The version of the tables; 0 if there are none. */
  readonly schemaVersion: number;
  /** The version that this package makes. It works with the one before and the one after. */
  readonly schemaVersionMade: number;
  /** Rights that the role lacks to read and write, as `insert on loredex.records`; empty if it has all. */
  readonly lackingRights: readonly string[];
  /** Whether the role may make and change the tables. */
  readonly mayMigrate: boolean;
  /** Whether the server refuses writes, as a standby does. */
  readonly isReadOnly: boolean;
  /** The median of 20 round trips, in milliseconds. */
  readonly roundTripMs: number;
  /** How far the server's clock is ahead of this machine's, in milliseconds. Exact to half a round trip. */
  readonly clockAheadMs: number;
  /** The setting `synchronous_commit` of the role. */
  readonly synchronousCommit: string;
  /** The setting `fsync`. */
  readonly fsync: string;
  /** Standbys that are connected; undefined if the server does not tell. */
  readonly standbys: number | undefined;
  /** The setting `synchronous_standby_names`: empty if no commit waits for a standby. */
  readonly synchronousStandbys: string;
}

const ROUND_TRIPS = 20;
const TABLES = ["names", "unnamed", "heads", "records", "objects", "chunks", "blocks", "leases", "requests"];
const RIGHTS = ["select", "insert", "update", "delete"];

/** Asks a server for its condition. Changes nothing. */
export async function conditionOf(database: Database): Promise<PostgresCondition> {
  const { schema } = database;
  const [server] = await database.ask<ServerRow>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number, current_user::text as role,
      ${READS_ONLY} as reads_only, current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync', true) as fsync,
      current_setting('synchronous_standby_names', true) as standby_names`,
  );
  const schemaVersion = await versionOf(database);
  return {
    version: server?.version ?? "",
    versionNumber: server?.number ?? 0,
    role: server?.role ?? "",
    schema,
    schemaVersion,
    schemaVersionMade: SCHEMA_VERSION,
    lackingRights: schemaVersion === 0 ? [] : await lackingRights(database),
    mayMigrate: await mayMigrate(database),
    isReadOnly: server?.reads_only ?? false,
    ...(await clocked(database)),
    synchronousCommit: server?.synchronous_commit ?? "",
    fsync: server?.fsync ?? "",
    standbys: await standbys(database),
    synchronousStandbys: server?.standby_names ?? "",
  };
}

type ServerRow = {
  readonly version: string;
  readonly number: number;
  readonly role: string;
  readonly reads_only: boolean;
  readonly synchronous_commit: string;
  readonly fsync: string | null;
  readonly standby_names: string | null;
};

async function lackingRights(database: Database): Promise<string[]> {
  const tables = TABLES.map((table) => database.table(table));
  const lacking = await database.ask<{ name: string; right: string }>(
    `select t.name, r."right" from unnest($1::text[]) as t (name), unnest($2::text[]) as r ("right")
    where not coalesce(has_table_privilege(to_regclass(t.name), r."right"), false)`,
    [tables, RIGHTS],
  );
  return lacking.map(({ name, right }) => `${right} on ${name}`);
}

/** To make the schema takes a right on the database. To change its tables takes a right on the schema, and their owner. */
async function mayMigrate(database: Database): Promise<boolean> {
  const [found] = await database.ask<{ may: boolean }>(
    `select coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = $1),
      has_database_privilege(current_database(), 'create')) as may`,
    [database.schema],
  );
  return found?.may ?? false;
}

async function clocked(database: Database): Promise<Pick<PostgresCondition, "roundTripMs" | "clockAheadMs">> {
  const trips: { readonly tookMs: number; readonly aheadMs: number }[] = [];
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    const [wallMs, startMs] = [Date.now(), performance.now()];
    const [row] = await database.ask<{ now: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
    );
    const tookMs = performance.now() - startMs;
    trips.push({ tookMs, aheadMs: (row?.now ?? wallMs) - wallMs - tookMs / 2 });
  }
  trips.sort((a, b) => a.tookMs - b.tookMs);
  // The shortest trip tells the clock best.
  return { roundTripMs: trips[ROUND_TRIPS / 2]?.tookMs ?? 0, clockAheadMs: trips[0]?.aheadMs ?? 0 };
}

async function standbys(database: Database): Promise<number | undefined> {
  try {
    const [found] = await database.ask<{ count: number }>("select count(*)::int as count from pg_stat_replication");
    return found?.count;
  } catch (error) {
    // Relatives of PostgreSQL have no such view.
    if (error instanceof LoredexError && error.code === "UNREACHABLE") throw error;
    return undefined;
  }
}
