import { CatalogStore } from "../../src/catalog/catalog-store.ts";
import type { Storage } from "../../src/storage/store.ts";
import { TestClock } from "./test-clock.ts";

/** The catalog of a storage, whose clock stands still. */
export function openCatalog(storage: Storage): Promise<CatalogStore> {
  return CatalogStore.open({
    storage,
    logger: () => undefined,
    clock: new TestClock(),
    chance: () => 0,
    sleep: async () => undefined,
    idleSleep: async () => undefined,
  });
}
