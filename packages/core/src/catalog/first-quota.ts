import { firstQuotaBytes } from "../domain/article-limits.ts";
import type { Logger } from "../runtime/log-event.ts";
import type { CatalogStore } from "./catalog-store.ts";

/**
 * Gives a bot its bytes that was made before there was such a limit: at its first opening, when it is known what its articles take.
 * Where that cannot be written down, the next opening does it.
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
