import { firstQuotaBytes } from "../model/bot-limits.ts";
import type { Logger } from "../platform/log-event.ts";
import type { CatalogStore } from "./catalog-store.ts";

/**
 * Sets `quotaBytes` of a bot that is older than this setting, at its first opening, when the size of its articles is known.
 * A failed write is logged, and the next opening repeats it.
 */
export async function settleQuotaBytes(
  catalog: CatalogStore,
  logger: Logger,
  { id, heldBytes }: { readonly id: string; readonly heldBytes: number },
): Promise<void> {
  try {
    await catalog.exclusively(async () => {
      const settings = catalog.find(id)?.settings;
      if (settings === undefined || settings.quotaBytes !== undefined) return;
      const quotaBytes = firstQuotaBytes(heldBytes, settings);
      await catalog.commit({ kind: "botSet", id, settings: { ...settings, quotaBytes } });
    });
  } catch (error) {
    const message = "It could not be written down how many bytes the articles of this bot may take.";
    logger({ level: "warn", event: "quotaNotNoted", message, botId: id, error });
  }
}
