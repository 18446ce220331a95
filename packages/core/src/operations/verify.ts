import { CATALOG_STORE, insightsName, storeName } from "../catalog/store-names.ts";
import type { StorageInspection, StoreCondition } from "../storage/store.ts";

/** The condition of one store. */
export interface VerifiedStore extends StoreCondition {
  /** `catalog`, `admin` for admin keys, sessions and the audit log, or `bot-` or `insights-` and the id of a bot. */
  readonly store: string;
  /** The bot of the store. Absent for the catalog and `admin`, and for a store that the catalog does not know. */
  readonly bot?: { readonly id: string; readonly name: string };
}

/** The result of a verification. */
export interface VerifyReport {
  /** Whether no store has a problem. */
  readonly isWhole: boolean;
  readonly stores: readonly VerifiedStore[];
}

/** A bot's id and name. */
export interface NamedBot {
  readonly id: string;
  readonly name: string;
}

/**
 * Verifies the store of one bot, or the catalog and all stores. Changes nothing.
 * @param bots the bots that are known at a call of it: a bot may be removed meanwhile
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

/** Whether a store neither exists nor is expected to. */
async function isGone(storage: StorageInspection, bots: readonly NamedBot[], store: string): Promise<boolean> {
  return !(await storesToVerify(storage, bots)).has(store);
}

async function storesToVerify(
  storage: StorageInspection,
  bots: readonly NamedBot[],
  only?: NamedBot,
): Promise<Map<string, NamedBot | undefined>> {
  const there = (await storage.list()).sort();
  const stores = new Set(there);
  const known = (only === undefined ? bots : [only]).flatMap(({ id, name }) => {
    const asked = stores.has(insightsName(id)) ? [insightsName(id)] : [];
    return [storeName(id), ...asked].map((store) => [store, { id, name }] as const);
  });
  if (only !== undefined) return new Map(known);
  const others = there.map((store) => [store, undefined] as const);
  // A bot of the catalog without a store is a problem. A store without a bot is verified too, but is no problem.
  return new Map([[CATALOG_STORE, undefined], ...others, ...known]);
}
