import type { IdMaker } from "../articles/identifier.ts";
import type { StoredSettings } from "../model/records.ts";
import type { Clock, Random } from "../platform/clock.ts";
import type { Storage } from "../storage/store.ts";
import type { CatalogStore } from "./catalog-store.ts";
import { enterBot } from "./enter-bot.ts";
import { makeKey } from "./keys.ts";
import { storeName } from "./store-names.ts";

export interface CreationParts {
  readonly catalog: CatalogStore;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
}

/** Makes a bot with its store and its key. `refuse` throws if one of this name was made meanwhile. */
export async function createBot(
  parts: CreationParts,
  settings: StoredSettings,
  refuse: () => void,
): Promise<{ id: string; key: string }> {
  const id = parts.ids.next();
  const { text, stored } = makeKey(parts.random);
  // The store first: a bot in the catalog without one would be taken for damaged.
  await parts.storage.create(storeName(id));
  const createdAtMs = Math.floor(parts.clock.wallMs());
  await enterBot(parts, { kind: "botCreate", id, settings, createdAtMs, key: stored }, refuse);
  return { id, key: text };
}
