import type { Logger } from "../platform/log-event.ts";
import type { Storage } from "../storage/store.ts";
import type { CatalogStore } from "./catalog-store.ts";
import { insightsName, storeName } from "./store-names.ts";

/** Deletes the remaining stores of removed bots. A store that cannot be deleted is logged, and does not keep other bots from being opened. */
export async function deleteRemovedBots(storage: Storage, catalog: CatalogStore, logger: Logger): Promise<void> {
  // Thousands of bots may have been removed since the directory was created: only existing stores are tried.
  const there = new Set(await storage.list());
  for (const id of catalog.removed)
    if (there.has(storeName(id)) || there.has(insightsName(id))) await deleteRemoved(catalog, id, logger);
}

async function deleteRemoved(catalog: CatalogStore, botId: string, logger: Logger): Promise<void> {
  try {
    await catalog.removeStore(botId);
  } catch (error) {
    const message = "What is left of a removed bot could not be deleted; it is tried again at the next start.";
    logger({ level: "warn", event: "removedNotDeleted", message, botId, error });
  }
}
