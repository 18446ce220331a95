/** Names of the stores of a data directory. */

export const CATALOG_STORE = "catalog";

const BOT_PREFIX = "bot-";

/** Name of a bot's store. */
export function storeName(botId: string): string {
  return BOT_PREFIX + botId;
}

/** Id of the bot whose store this is; undefined for the catalog. */
export function botIdOf(store: string): string | undefined {
  return store.startsWith(BOT_PREFIX) ? store.slice(BOT_PREFIX.length) : undefined;
}
