import { CATALOG_STORE, storeName } from "../catalog/store-names.ts";
import type { StorageInspection, StoreCondition } from "../storage/store.ts";

/** What was found in one store. */
export interface VerifiedStore extends StoreCondition {
  /** `catalog`, or `bot-` and the id of a bot. */
  readonly store: string;
  /** The bot that it belongs to; absent for the catalog and for a store that the catalog does not know. */
  readonly bot?: { readonly id: string; readonly name: string };
}

export interface VerifyReport {
  /** Whether nothing is wrong anywhere. */
  readonly isWhole: boolean;
  readonly stores: readonly VerifiedStore[];
}

/** A bot as far as it has to be named. */
export interface NamedBot {
  readonly id: string;
  readonly name: string;
}

/**
 * Checks the store of one bot, or the catalog and the stores of all. Changes nothing.
 * @param bots those that are known now: one may be removed meanwhile
 */
export async function verifyStores(
  storage: StorageInspection,
  bots: () => readonly NamedBot[],
  only?: NamedBot,
): Promise<VerifyReport> {
  const stores: VerifiedStore[] = [];
  for (const [store, bot] of await storesToVerify(storage, bots(), only)) {
    const condition = await storage.verify(store);
    if (condition.problems.length > 0 && (await isGone(storage, bots(), store))) continue;
    stores.push({ store, ...(bot === undefined ? {} : { bot }), ...condition });
  }
  return { isWhole: stores.every(({ problems }) => problems.length === 0), stores };
}

/** Whether a store is neither there nor missed. */
async function isGone(storage: StorageInspection, bots: readonly NamedBot[], store: string): Promise<boolean> {
  return !(await storesToVerify(storage, bots)).has(store);
}

async function storesToVerify(
  storage: StorageInspection,
  bots: readonly NamedBot[],
  only?: NamedBot,
): Promise<Map<string, NamedBot | undefined>> {
  if (only !== undefined) return new Map([[storeName(only.id), { id: only.id, name: only.name }]]);
  const others = (await storage.list()).sort().map((store) => [store, undefined] as const);
  const known = bots.map(({ id, name }) => [storeName(id), { id, name }] as const);
  // A bot of the catalog without a store is a problem, a store without a bot is only looked at.
  return new Map([[CATALOG_STORE, undefined], ...others, ...known]);
}
