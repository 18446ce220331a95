/** Names of the stores of a data directory. */

export const CATALOG_STORE = "catalog";
/** The store of admin keys, sessions and changes. It exists from the first admin key on. */
export const ADMIN_STORE = "admin";

const BOT_PREFIX = "bot-";
const INSIGHTS_PREFIX = "insights-";

/** Name of a bot's store. */
export function storeName(botId: string): string {
  return BOT_PREFIX + botId;
}

/** Name of the store with what a bot's users ask; see `insights/`. Most bots have none. */
export function insightsName(botId: string): string {
  return INSIGHTS_PREFIX + botId;
}

/** Id of the bot whose store this is; undefined for any other store. */
export function botIdOf(store: string): string | undefined {
  return store.startsWith(BOT_PREFIX) ? store.slice(BOT_PREFIX.length) : undefined;
}

/** Id of the bot whose insights this store holds; undefined for any other store. */
export function botIdOfInsights(store: string): string | undefined {
  return store.startsWith(INSIGHTS_PREFIX) ? store.slice(INSIGHTS_PREFIX.length) : undefined;
}
