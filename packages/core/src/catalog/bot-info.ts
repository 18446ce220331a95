import { GAP_SCORE_DEFAULT, QUALITY_DEFAULT, QUESTION_LOG_DAYS_DEFAULT } from "../model/options.ts";
import type { BotInfo } from "../model/types.ts";
import type { CatalogEntry } from "./catalog-state.ts";

/** Results of {@link infoOf}, which every write and every search needs. An entry of the catalog never changes: it is only replaced. */
const made = new WeakMap<CatalogEntry, BotInfo>();

/** A bot as its operator sees it. */
export function infoOf(entry: CatalogEntry): BotInfo {
  let info = made.get(entry);
  if (info === undefined) {
    const { id, settings, createdAtMs, key, moreKeys } = entry;
    const createdAt = new Date(createdAtMs).toISOString();
    const quality = settings.quality ?? QUALITY_DEFAULT;
    const { quotaBytes = "auto", rateBytesPerMinute = "auto", importBytes = "none" } = settings;
    const { questionLog = false, questionLogDays = QUESTION_LOG_DAYS_DEFAULT, gapScore = GAP_SCORE_DEFAULT } = settings;
    const limits = { quotaBytes, rateBytesPerMinute, importBytes };
    info = Object.freeze({
      id,
      ...settings,
      ...limits,
      quality,
      questionLog,
      questionLogDays,
      gapScore,
      createdAt,
      hasKey: key !== undefined || moreKeys !== undefined,
    });
    made.set(entry, info);
  }
  return info;
}
