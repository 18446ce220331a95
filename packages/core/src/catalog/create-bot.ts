import type { IdMaker } from "../articles/identifier.ts";
import type { StoredSettings } from "../model/records.ts";
import type { Clock, Random } from "../platform/clock.ts";
import type { Storage } from "../storage/store.ts";
import type { CatalogStore } from "./catalog-store.ts";
import { enterBot } from "./enter-bot.ts";
import { makeKey } from "./keys.ts";
import { storeName } from "./store-names.ts";

/** Dependencies of {@link createBot}. */
export interface CreationDeps {
  readonly catalog: CatalogStore;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
}

/** Creates a bot with its store and its first key. `refuse` throws if a bot of this name was created meanwhile. */
export async function createBot(
  deps: CreationDeps,
  settings: StoredSettings,
  refuse: () => void,
): Promise<{ id: string; key: string }> {
  const id = deps.ids.next();
  const { text, stored } = makeKey(deps.random);
  // The store comes first: a bot in the catalog without a store would be taken for damaged.
  await deps.storage.create(storeName(id));
  const createdAtMs = Math.floor(deps.clock.wallMs());
  await enterBot(deps.catalog, { kind: "botCreate", id, settings, createdAtMs, key: stored }, refuse);
  return { id, key: text };
}
