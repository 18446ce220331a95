/** What the stores of a data directory are called. */

export const CATALOG_STORE = "catalog";

export function storeName(botId: string): string {
  return `bot-${botId}`;
}
