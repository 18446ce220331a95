import { SlidingWindow } from "../quotas/window.ts";
import { ArticleTable } from "./article-table.ts";
import { DocumentTable } from "./document-table.ts";
import { RememberedCreates } from "./remembered-creates.ts";
import { SourceTable } from "./source-table.ts";
import { VectorTable } from "./vector-table.ts";

/** Everything that is durable about one bot's knowledge: the sum of its log. What is in the maps is never changed, only replaced. */
export interface BotState {
  readonly articles: ArticleTable;
  readonly documents: DocumentTable;
  /** What brought documents. */
  readonly sources: SourceTable;
  /** By article id or resourceDocId; only of the newest version. */
  readonly vectors: VectorTable;
  /** Whether each registered agent is active. */
  readonly agents: Map<string, boolean>;
  readonly channels: Map<string, boolean>;
  /** Code points of all articles. */
  characterUsed: number;
  /** The characters that durable writes were charged. */
  readonly window: SlidingWindow;
  /** The bytes of the articles that durable writes brought. */
  readonly byteWindow: SlidingWindow;
  /** The window's clock at the last charge. */
  lastChargeMs: number;
  /** The newest `createdAt` given. */
  lastCreatedAtMs: number;
  /** By their idempotency keys. */
  readonly creates: RememberedCreates;
  /** Sequence number of the last record applied. */
  sequence: number;
}

export function emptyState(): BotState {
  return {
    articles: new ArticleTable(),
    documents: new DocumentTable(),
    sources: new SourceTable(),
    vectors: new VectorTable(),
    agents: new Map(),
    channels: new Map(),
    characterUsed: 0,
    window: new SlidingWindow(),
    byteWindow: new SlidingWindow(),
    lastChargeMs: 0,
    lastCreatedAtMs: 0,
    creates: new RememberedCreates(),
    sequence: 0,
  };
}
