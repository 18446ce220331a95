/** Names of the stores of a data directory. */

export const CATALOG_STORE = "catalog";
/** The store of admin keys, sessions and changes. It exists from the first admin key on. */
export const ADMIN_STORE = "admin";

const BOT_PREFIX = "bot-";

/** Name of a bot's store. */
export function storeName(botId: string): string {
  return BOT_PREFIX + botId;
}

/** Id of the bot whose store this is; undefined for other stores. */
export function botIdOf(store: string): string | undefined {
  return store.startsWith(BOT_PREFIX) ? store.slice(BOT_PREFIX.length) : undefined;
}
