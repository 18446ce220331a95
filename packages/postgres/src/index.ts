import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { Storage } from "@loredex/core";
import { conditionOf, type PostgresCondition } from "./condition.ts";
import { Database } from "./database.ts";
import { DiskCache } from "./disk-cache.ts";
import { type PostgresOptions, settingsOf } from "./options.ts";
import { PostgresStorage } from "./postgres-storage.ts";
import { migrate, requireSchema } from "./schema.ts";

export type { PostgresCondition } from "./condition.ts";
export type { PostgresOptions } from "./options.ts";
export { SCHEMA_VERSION } from "./schema.ts";

/**
 * Opens the storage on PostgreSQL, and makes its tables where they are missing. Several nodes may open it at once.
 * @param url `postgres://user@host:5432/database?sslmode=verify-full`; parts that it lacks are those of the variables `PG*`
 * @throws ValidationError for wrong arguments, none of which is shown; LoredexError `UNREACHABLE`, `NO_ACCESS`, `UNSUPPORTED_FORMAT`
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const settings = settingsOf("openPostgres", url, options);
  const database = new Database(settings);
  try {
    if (settings.migrate) await migrate(database);
    else await requireSchema(database);
    const { cacheDirectory, cacheBytes, logger } = settings;
    if (cacheDirectory === undefined) return new PostgresStorage(database);
    const directory = join(resolve(cacheDirectory), await folderOf(database));
    return new PostgresStorage(
      database,
      (stored) => new DiskCache({ directory, bytesMax: cacheBytes, stored, logger }),
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Makes or changes the tables, for nodes that are opened without `migrate`. Resolves with the version of the schema.
 * @throws as {@link openPostgres}
 */
export async function migratePostgres(url: string, options: PostgresOptions = {}): Promise<number> {
  const database = new Database(settingsOf("migratePostgres", url, options));
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}

/**
 * Tells versions, rights, times and durability of a server. Changes nothing, and needs no tables.
 * @throws as {@link openPostgres}, except for the version of the tables
 */
export async function examinePostgres(url: string, options: PostgresOptions = {}): Promise<PostgresCondition> {
  const database = new Database(settingsOf("examinePostgres", url, options));
  try {
    return await conditionOf(database);
  } finally {
    await database.close();
  }
}

/**
 * The name of the folder with a node's copies of this database and schema. The folder around it may have other programs' files. The time at which the
 * tables were made is in the name, and no address: a database may have several, and another one may get the address.
 */
async function folderOf(database: Database): Promise<string> {
  const [found] = await database.ask<{ name: string; made: string }>(
    `select current_database() as name, extract(epoch from min(since))::text as made from ${database.table("versions")}`,
  );
  const { name = "", made = "" } = found ?? {};
  const digest = createHash("sha256")
    .update(JSON.stringify([name, database.schema, made]))
    .digest("hex");
  return `loredex-${name.replaceAll(/[^a-zA-Z0-9_]/g, "_")}-${database.schema}-${digest.slice(0, 16)}`;
}
