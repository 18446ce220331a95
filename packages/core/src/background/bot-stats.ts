import type { SearchIndex } from "../index/search-index.ts";
import type { BotState } from "../log/state.ts";
import { limitsOf } from "../model/bot-limits.ts";
import { NO_EMBEDDER } from "../model/options.ts";
import type { BotInfo } from "../model/types.ts";
import type { BotStats, BotUsage } from "../model/usage.ts";
import type { VectorStats } from "../model/vector-stats.ts";
import type { OpenBotFigures } from "../model/work.ts";
import type { RateUsed } from "../quotas/article-accounts.ts";
import { watched } from "./embedding/vector-figures.ts";
import type { Indexer } from "./indexer.ts";

/** The sources of a bot's figures. */
export interface StatsDeps extends Pick<BotStats, "diskBytes" | "memoryBytes"> {
  readonly info: BotInfo;
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly rateUsed: RateUsed;
  readonly indexing: Pick<Indexer, "queue" | "languageChange" | "figures">;
  readonly vectors: VectorStats;
  /** When its knowledge was last changed, in milliseconds of the wall clock; 0 if unknown. */
  readonly lastWriteMs: number;
}

/** The figures of a bot as it is now. Visits every document. */
export function statsOf(deps: StatsDeps): BotStats {
  const { info, state, index, rateUsed, vectors, diskBytes, memoryBytes } = deps;
  const { queue, languageChange } = deps.indexing;
  return {
    articles: state.articles.size,
    documents: state.documents.byType,
    passages: index.passages(),
    characterUsed: state.characterUsed,
    rateUsed: rateUsed.characters,
    rateResetSeconds: rateUsed.resetSeconds,
    bytesUsed: state.articles.bytes,
    rateBytesUsed: rateUsed.bytes,
    ...limitsOf(info),
    importBytesUsed: state.documents.bytes,
    indexQueue: queue.length,
    indexFailures: queue.failures,
    ...(languageChange !== undefined && { languageChange }),
    vectors,
    diskBytes,
    memoryBytes,
    terms: index.lexical.termCount,
  };
}

/** The part of the figures that a bot's owner may see. O(1). */
export function usageOf({ info, state, rateUsed, vectors }: StatsDeps): BotUsage {
  const { quotaCharacters, quotaBytes, rateCharactersPerMinute } = limitsOf(info);
  return {
    characterUsed: state.characterUsed,
    characterQuota: quotaCharacters,
    characterLeft: quotaCharacters - state.characterUsed,
    bytes: { used: state.articles.bytes, max: quotaBytes },
    rate: {
      charactersPerMinute: rateCharactersPerMinute,
      used: rateUsed.characters,
      resetSeconds: rateUsed.resetSeconds,
    },
    documents: { ...state.documents.byType, EXTERNAL: state.articles.size },
    embedder: vectors.embedder === NO_EMBEDDER ? null : { name: vectors.embedder, waiting: vectors.documentsWaiting },
  };
}

/** The figures of an open bot, for metrics. O(1). */
export function openFiguresOf(deps: StatsDeps): OpenBotFigures {
  const { info, state, lastWriteMs, vectors, indexing, diskBytes, memoryBytes } = deps;
  return {
    id: info.id,
    quotaCharacters: info.quotaCharacters,
    ...watched(vectors),
    articles: state.articles.size,
    documents: state.documents.size,
    characterUsed: state.characterUsed,
    ...indexing.figures,
    diskBytes,
    memoryBytes,
    ...(lastWriteMs === 0 ? {} : { lastWriteAt: new Date(lastWriteMs).toISOString() }),
  };
}
