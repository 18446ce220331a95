import type { SearchIndex } from "../index/search-index.ts";
import type { BotState } from "../log/state.ts";
import { type ArticleSize, limitsOf } from "../model/bot-limits.ts";
import type { BotInfo, BotStats, ImportedType, LanguageChange } from "../model/types.ts";
import type { VectorStats } from "../model/vector-stats.ts";

/** The sources of a bot's figures. */
export interface StatsDeps {
  readonly info: BotInfo;
  readonly state: BotState;
  readonly index: SearchIndex;
  /** The characters and bytes that were admitted in the last 60 seconds. */
  readonly rateUsed: ArticleSize;
  readonly queue: { readonly length: number; readonly failures: number };
  readonly languageChange: LanguageChange | undefined;
  readonly vectors: VectorStats;
  readonly sizes: Pick<BotStats, "diskBytes" | "memoryBytes">;
}

/** The figures of a bot as it is now. O(imported documents). */
export function statsOf(deps: StatsDeps): BotStats {
  const { info, state, index, rateUsed, queue, languageChange, vectors, sizes } = deps;
  const documents: Record<ImportedType, number> = { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0 };
  for (const { document } of state.documents.values()) documents[document.type] += 1;
  return {
    articles: state.articles.size,
    documents,
    passages: index.passages(),
    characterUsed: state.characterUsed,
    rateUsed: rateUsed.characters,
    bytesUsed: state.articles.bytes,
    rateBytesUsed: rateUsed.bytes,
    ...limitsOf(info),
    importBytesUsed: state.documents.bytes,
    indexQueue: queue.length,
    indexFailures: queue.failures,
    ...(languageChange !== undefined && { languageChange }),
    vectors,
    diskBytes: sizes.diskBytes,
    memoryBytes: sizes.memoryBytes,
    terms: index.lexical.termCount,
  };
}
