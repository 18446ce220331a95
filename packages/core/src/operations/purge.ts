import { infoOf } from "../catalog/bot-info.ts";
import type { CatalogStore } from "../catalog/catalog-store.ts";
import { LoredexError } from "../model/errors.ts";
import type { Held } from "../platform/open-on-demand.ts";
import type { Purged } from "../storage/store.ts";
import type { NamedBot } from "./verify.ts";

/** What a purge has deleted for good. */
export interface PurgeReport {
  readonly bot: NamedBot;
  /** Files that are gone: older snapshots, log, caches, what a crash had left. */
  readonly files: number;
  readonly bytes: number;
  /** Names of files in the bot's directory that are not Loredex's own, and were left alone: a copy that somebody made may be among them. */
  readonly foreign: readonly string[];
}

/** Purges a bot that is in the catalog, and the catalog. `hold` opens it. */
export async function purgeBot(
  id: string,
  catalog: CatalogStore,
  hold: () => Promise<Held<{ readonly purge: () => Promise<Purged> }>>,
): Promise<PurgeReport> {
  const named = (): NamedBot => {
    const entry = catalog.find(id);
    return { id, name: entry === undefined ? id : infoOf(entry).name };
  };
  const { value, release } = await hold().catch((error: unknown) => {
    throw notPurged(named(), error);
  });
  try {
    const { files, bytes, foreign } = await value.purge();
    await catalog.purge();
    return { bot: named(), files, bytes, foreign };
  } finally {
    release();
  }
}

/** Why a bot that cannot be opened is not purged, and what can be done. */
function notPurged({ name }: NamedBot, error: unknown): unknown {
  if (!(error instanceof LoredexError) || error.code !== "CORRUPT") return error;
  const remedy =
    "Nothing was deleted. Remove the bot, which leaves nothing of it, and restore it from a backup; what is whole can be salvaged before.";
  const message = `The bot ${name} is damaged, so it cannot be told what of it was deleted. ${remedy} ${error.message}`;
  return new LoredexError("CORRUPT", message, { cause: error });
}
