import { LoredexError } from "../model/errors.ts";
import type { CreationRecord } from "../model/records.ts";
import { isUnreachable } from "../nodes/decide-again.ts";
import type { CatalogStore } from "./catalog-store.ts";

/**
 * Enters a bot, whose store exists already, into the catalog. If that is refused or fails, the store is removed,
 * unless the next start may find the record.
 * Changes of other bots wait for the record alone.
 */
export async function enterBot(catalog: CatalogStore, record: CreationRecord, refuse: () => void): Promise<void> {
  try {
    await catalog.exclusively(() => {
      refuse();
      return catalog.commit(record);
    });
  } catch (error) {
    if (catalog.find(record.id) === undefined && !mayBeKept(error))
      await catalog.removeStore(record.id).catch(() => undefined);
    throw error;
  }
}

/**
 * Whether the next start may find a record that failed. The record that made a store read-only may be on disk, and then the bot needs its store.
 * Later records are refused, and have that error as their cause. A shared storage that does not answer may have stored the record.
 */
function mayBeKept(error: unknown): boolean {
  return isUnreachable(error) || (isReadOnly(error) && !isReadOnly(error.cause));
}

function isReadOnly(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "READ_ONLY";
}
