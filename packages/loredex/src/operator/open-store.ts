import { stat } from "node:fs/promises";
import { type Logger, LoredexError, openDirectory, type Storage } from "@loredex/core";
import type { Place, StoreChoice } from "../place.ts";

/** Loads the package when a database is used: a directory needs no client of PostgreSQL. */
const postgres = (): Promise<typeof import("@loredex/postgres")> => import("@loredex/postgres");

/** Opens a database. @throws LoredexError `UNREACHABLE`, `NO_ACCESS`, `UNSUPPORTED_FORMAT` */
export async function openStore({ url, ...options }: StoreChoice, logger?: Logger): Promise<Storage> {
  const { openPostgres } = await postgres();
  return openPostgres(url, { ...options, ...(logger === undefined ? {} : { logger }) });
}

/** Makes or changes the tables of a database. Resolves with the version of its schema. */
export async function migrateStore({ url, ...options }: StoreChoice): Promise<number> {
  const { migratePostgres } = await postgres();
  return migratePostgres(url, options);
}

/** What a database says of itself. @throws LoredexError as {@link openStore} */
export async function examineStore({ url, ...options }: StoreChoice) {
  const { examinePostgres } = await postgres();
  return examinePostgres(url, options);
}

/** Opens a place without an engine. @param option the option that named it, if a missing directory is an error. Otherwise it is made */
export async function openPlace(place: Place, option: string | undefined, logger?: Logger): Promise<Storage> {
  if (place.kind === "store") return openStore(place.store, logger);
  if (option !== undefined) await requireDirectory(place.directory, option);
  return openDirectory(place.directory, logger);
}

/** @param option the option that names a directory. @throws LoredexError if there is no such directory */
export async function requireDirectory(directory: string, option = "--data"): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const problem =
    found === undefined ? `There is no data directory ${directory}.` : `${directory} is a file, not a directory.`;
  const remedy = `Name one with ${option} DIR, or make one with "loredex bot create NAME".`;
  throw new LoredexError("STORAGE_FAILED", `${problem} ${remedy}`);
}
