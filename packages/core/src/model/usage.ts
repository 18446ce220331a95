import type { DocumentType, ImportedType } from "./options.ts";
import type { LanguageChange } from "./types.ts";
import type { VectorStats } from "./vector-stats.ts";

/**
 * What a bot uses of its limits, and what it holds, for the bot's owner. Answered from running sums, in O(1).
 * On several nodes all figures are of the writes of all nodes.
 */
export interface BotUsage {
  /** Characters (code points of titles and bodies) of all its articles. */
  readonly characterUsed: number;
  /** Most characters of all its articles. */
  readonly characterQuota: number;
  /** The quota without the used characters. Below 0 after the operator has lowered the quota below what is used. */
  readonly characterLeft: number;
  /** Bytes of all its articles, and the most that they may have, as `quotaBytes` counts them. */
  readonly bytes: { readonly used: number; readonly max: number };
  readonly rate: {
    /** Most characters that writes may add in any 60 seconds. */
    readonly charactersPerMinute: number;
    /** Characters admitted in the last 60 seconds. Deletes give none of them back. */
    readonly used: number;
    /** Seconds until the window is empty if nothing is added: a whole number, 0 to 60. 0: it is empty. */
    readonly resetSeconds: number;
  };
  /** Documents by type. The articles are EXTERNAL. */
  readonly documents: Readonly<Record<DocumentType, number>>;
  /** The bot's embedder, with the number of documents that wait for its vectors. Null: BM25 alone finds passages. */
  readonly embedder: { readonly name: string; readonly waiting: number } | null;
}

/** Figures about one bot. */
export interface BotStats {
  readonly articles: number;
  /** Imported documents by type. */
  readonly documents: Readonly<Record<ImportedType, number>>;
  /** Indexed passages by document type, without question variants. */
  readonly passages: Readonly<Record<DocumentType, number>>;
  /** Characters of all its articles. */
  readonly characterUsed: number;
  /** As in `BotSettings`. */
  readonly quotaCharacters: number;
  /** Characters admitted in the last 60 seconds. */
  readonly rateUsed: number;
  /** Seconds until the window of `rateUsed` is empty if nothing is added: a whole number, 0 to 60. 0: it is empty. */
  readonly rateResetSeconds: number;
  /** As in `BotSettings`. */
  readonly rateCharactersPerMinute: number;
  /** Bytes of all its articles, as `quotaBytes` counts them. */
  readonly bytesUsed: number;
  /** As in `BotSettings`, as a number. */
  readonly quotaBytes: number;
  /** Bytes of articles written in the last 60 seconds. */
  readonly rateBytesUsed: number;
  /** As in `BotSettings`, as a number. */
  readonly rateBytesPerMinute: number;
  /** Bytes of all its imported documents, as `importBytes` counts them. */
  readonly importBytesUsed: number;
  /** As in `BotSettings`. */
  readonly importBytes: number | "none";
  /** Accepted versions that are not searchable yet. */
  readonly indexQueue: number;
  /** Versions that could not be indexed. Log events say why. */
  readonly indexFailures: number;
  /** Present while a change of its language is in progress. */
  readonly languageChange?: LanguageChange;
  readonly vectors: VectorStats;
  /** Bytes of this bot's directory; 0 in memory. */
  readonly diskBytes: number;
  /** Estimated bytes of its content and index in memory. */
  readonly memoryBytes: number;
  readonly terms: number;
}
