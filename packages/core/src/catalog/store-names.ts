/** What the stores of a data directory are called. */

export const CATALOG_STORE = "catalog";

const BOT_PREFIX = "bot-";

export function storeName(botId: string): string {
  return BOT_PREFIX + botId;
}

/** The bot of a store; undefined for the catalog. */
export function botIdOf(store: string): string | undefined {
  return store.startsWith(BOT_PREFIX) ? store.slice(BOT_PREFIX.length) : undefined;
}
