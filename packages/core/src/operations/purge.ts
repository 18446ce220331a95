import { infoOf } from "../catalog/bot-info.ts";
import type { CatalogStore } from "../catalog/catalog-store.ts";
import { LoredexError } from "../model/errors.ts";
import type { Held } from "../platform/open-on-demand.ts";
import type { Purged } from "../storage/store.ts";
import type { NamedBot } from "./verify.ts";

/** The deletions of a purge. */
export interface PurgeReport {
  readonly bot: NamedBot;
  /** Number of deleted files: older snapshots, log, caches, leftovers of crashes. */
  readonly files: number;
  readonly bytes: number;
  /** Names of foreign files in the bot's directory, which are not deleted. They may be copies of its data. */
  readonly foreign: readonly string[];
}

/** Purges a bot, and then the rest of the directory: the catalog, and admin keys. `hold` opens the bot. */
export async function purgeBot(
  id: string,
  catalog: Pick<CatalogStore, "find">,
  rest: readonly { purge(): Promise<void> }[],
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
    for (const each of rest) await each.purge();
    return { bot: named(), files, bytes, foreign };
  } finally {
    release();
  }
}

/** The error for a bot that cannot be opened and so is not purged, with the remedy. */
function notPurged({ name }: NamedBot, error: unknown): unknown {
  if (!(error instanceof LoredexError) || error.code !== "CORRUPT") return error;
  const remedy =
    "Nothing was deleted. Remove the bot, which leaves nothing of it, and restore it from a backup; what is whole can be salvaged before.";
  const message = `The bot ${name} is damaged, so it cannot be told what of it was deleted. ${remedy} ${error.message}`;
  return new LoredexError("CORRUPT", message, { cause: error });
}
