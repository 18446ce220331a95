import { SlidingWindow } from "../quotas/window.ts";
import { ArticleTable } from "./article-table.ts";
import { DocumentTable } from "./document-table.ts";
import { RememberedCreates } from "./remembered-creates.ts";
import { SourceTable } from "./source-table.ts";
import { VectorTable } from "./vector-table.ts";
import { VocabularyTable } from "./vocabulary-table.ts";

/**
 * The durable state of one bot: all records of its log, applied in order.
 * Invariant: objects in the tables are never changed, only replaced. So a reader may keep them while writes continue.
 */
export interface BotState {
  readonly articles: ArticleTable;
  readonly documents: DocumentTable;
  /** The sources that imported documents come from. */
  readonly sources: SourceTable;
  /** Vectors of an encoder by article id or `resourceDocId`, of the newest version only. */
  readonly vectors: VectorTable;
  /** Whether each registered agent is active. */
  readonly agents: Map<string, boolean>;
  readonly channels: Map<string, boolean>;
  /** Synonyms, pinned answers and words to ignore. */
  readonly vocabulary: VocabularyTable;
  /** Code points of the titles and bodies of all articles. */
  characterUsed: number;
  /** Characters that were charged for durable writes in the last 60 seconds. */
  readonly window: SlidingWindow;
  /** Bytes of the articles in durable writes of the last 60 seconds. */
  readonly byteWindow: SlidingWindow;
  /** Time of the last charge on the clock of the window, in milliseconds. */
  lastChargeMs: number;
  /** The newest `createdAt` of any article, in milliseconds. It stays when that article is deleted. */
  lastCreatedAtMs: number;
  /** Recent creates that came with an idempotency key. */
  readonly creates: RememberedCreates;
  /** Sequence number of the last record applied. */
  sequence: number;
}

/** The state of a bot with an empty log. */
export function emptyState(): BotState {
  return {
    articles: new ArticleTable(),
    documents: new DocumentTable(),
    sources: new SourceTable(),
    vectors: new VectorTable(),
    agents: new Map(),
    channels: new Map(),
    vocabulary: new VocabularyTable(),
    characterUsed: 0,
    window: new SlidingWindow(),
    byteWindow: new SlidingWindow(),
    lastChargeMs: 0,
    lastCreatedAtMs: 0,
    creates: new RememberedCreates(),
    sequence: 0,
  };
}
