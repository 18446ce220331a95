/** The tables, and how older ones become them. */

import { LoredexError } from "@loredex/core";
import type pg from "pg";
import type { Database } from "./database.ts";
import { failureOf, MIGRATE, reasonIn, refusedError, sqlStateOf, unreachable } from "./errors.ts";

/**
 * The statements that make each version of the schema from the one before it; `S` stands for the schema. A node works with the version
 * before its own and with the one after it. So a version may only add what the version before can ignore.
 *
 * All tables but `names` and `requests` are keyed by the id of a store first, so that a database can spread them by it. Nothing refers to another table.
 */
export const VERSIONS: readonly (readonly string[])[] = [
  [
    // Stores by their names. The id is another one after a store was removed and created again, or replaced.
    "create table S.names (name text primary key, store uuid not null)",
    // Stores without a name: they are being made, or removed. What an interrupted call left is deleted an hour later.
    "create table S.unnamed (store uuid primary key, since timestamptz not null default clock_timestamp())",
    // The last record of each store. `ends` counts the bytes of all records. A purge changes the generation.
    `create table S.heads (store uuid primary key, generation uuid not null, head bigint not null, digest bytea not null,
      ends bigint not null, snapshot_sequence bigint not null default 0, snapshot_ends bigint not null default 0,
      snapshot_bytes bigint not null default 0)`,
    `create table S.records (store uuid, sequence bigint, operation uuid not null, digest bytea not null, ends bigint not null,
      payload bytea not null, primary key (store, sequence))`,
    // Snapshots, which have no name, and caches. Their bytes are chunks. They count once they are complete.
    `create table S.objects (store uuid, object uuid, name text not null, generation uuid not null, sequence bigint not null,
      digest bytea not null, ends bigint not null, bytes bigint not null default 0, contents text not null default '',
      complete boolean not null default false, since timestamptz not null default clock_timestamp(), primary key (store, object))`,
    "create table S.chunks (store uuid, object uuid, part integer, number integer, bytes bytea not null, primary key (store, object, part, number))",
    `create table S.blocks (store uuid, name text, label text not null, number bigint, block uuid, id bytea not null, version bigint not null,
      first bigint not null, lengths bytea not null, bytes bytea not null, primary key (store, name, number, block))`,
    // Blocks are read by range: compressed bytes would be read as a whole.
    "alter table S.blocks alter column bytes set storage external",
    "create table S.leases (store uuid, job text, token bigint not null, holder uuid not null, until timestamptz not null, primary key (store, job))",
    "create table S.requests (name text primary key, times bigint[] not null, counts bigint[] not null)",
  ],
];

/** The version that this package makes. */
export const SCHEMA_VERSION = VERSIONS.length;

/** Nodes that migrate at once wait for this lock: the letters `lore` as a number. */
const MIGRATION_LOCK = 0x6c6f7265;
/** Without that lock, tries before a migration gives up: each fails because another node has made the same. */
const TRIES_MAX = 20;

/** Checks the version of the schema. @throws LoredexError `UNSUPPORTED_FORMAT` if this package does not work with it */
export async function requireSchema(database: Database): Promise<void> {
  const version = await versionOf(database);
  refuseNewer(database, version);
  if (version < Math.max(1, SCHEMA_VERSION - 1)) {
    const found = version === 0 ? "has no tables of Loredex" : `has version ${version}`;
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `The schema "${database.schema}" ${found}, and version ${SCHEMA_VERSION} is needed. ${MIGRATE}`,
    );
  }
}

/** Makes or changes the tables; does nothing if they are there. Safe when several nodes call it at once. Returns the version. A test gives `versions` with one more. */
export async function migrate(database: Database, versions = VERSIONS): Promise<number> {
  const before = await versionOf(database);
  refuseNewer(database, before);
  if (before >= versions.length) return before;
  let isLockKnown = true;
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(database, versions, isLockKnown);
    } catch (error) {
      const state = sqlStateOf(error) ?? "";
      if (/^(42883|0A000)$/.test(state) && isLockKnown) isLockKnown = false;
      else if (!/^(23505|42P0[4567]|42710|40001|40P01)$/.test(state) || tries === TRIES_MAX) {
        if (error instanceof LoredexError) throw error;
        throw failureOf(error) === "lost" ? unreachable(reasonIn(error)) : refusedError(error);
      }
    }
  }
}

function migrateOnce(database: Database, versions: typeof VERSIONS, isLockKnown: boolean): Promise<number> {
  return database.transaction(async (ask) => {
    if (isLockKnown) await ask("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    // To create a schema takes a right that is not needed where it is there.
    const schemas = await ask("select 1 from pg_namespace where nspname = $1", [database.schema]);
    if (schemas.length === 0) await ask(`create schema "${database.schema}"`);
    const tables = await ask("select 1 from pg_tables where schemaname = $1 and tablename = 'versions'", [
      database.schema,
    ]);
    if (tables.length === 0) {
      await ask(
        `create table ${database.table("versions")} (version integer primary key, since timestamptz not null default now())`,
      );
    }
    const version = maximumOf(await ask<VersionRow>(VERSION(database)));
    refuseNewer(database, version);
    for (const [index, statements] of versions.entries()) {
      if (index < version) continue;
      for (const statement of statements) await ask(statement.replaceAll("S.", `"${database.schema}".`));
      await ask(`insert into ${database.table("versions")} (version) values ($1)`, [index + 1]);
    }
    return Math.max(version, versions.length);
  });
}

interface VersionRow extends pg.QueryResultRow {
  readonly version: number | null;
}

function VERSION(database: Database): string {
  return `select max(version) as version from ${database.table("versions")}`;
}

function maximumOf(rows: readonly VersionRow[]): number {
  return rows[0]?.version ?? 0;
}

/** The version of the schema; 0 if there is none. */
export async function versionOf(database: Database): Promise<number> {
  const found = await database.ask<{ there: boolean }>("select to_regclass($1) is not null as there", [
    database.table("versions"),
  ]);
  return found[0]?.there === true ? maximumOf(await database.ask<VersionRow>(VERSION(database))) : 0;
}

function refuseNewer(database: Database, version: number): void {
  if (version <= SCHEMA_VERSION + 1) return;
  throw new LoredexError(
    "UNSUPPORTED_FORMAT",
    `The schema "${database.schema}" has version ${version}, and this version of Loredex works with up to ${SCHEMA_VERSION + 1}. Install a newer Loredex.`,
  );
}
