import { SlidingWindow } from "../accounting/window.ts";
import type { StoredDocument } from "../domain/types.ts";
import { ArticleTable } from "./article-table.ts";
import { RememberedCreates } from "./remembered-creates.ts";
import { SizedTable } from "./sized-table.ts";
import { SourceTable, type StoredOrigin } from "./source-table.ts";
import { VectorTable } from "./vector-table.ts";

/** An imported document with the sequence number of the record that brought its content. */
export interface VersionedDocument {
  readonly document: StoredDocument;
  /** Of the document as it was imported. */
  readonly contentHash: string;
  /** What brought it; see `ImportOptions.source`. */
  readonly origin?: StoredOrigin;
  readonly version: number;
  /** What it counts against its bot's `importBytes`. Not stored. */
  readonly bytes: number;
}

/** Everything that is durable about one bot's knowledge: the sum of its log. What is in the maps is never changed, only replaced. */
export interface BotState {
  readonly articles: ArticleTable;
  readonly documents: SizedTable<VersionedDocument>;
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
    documents: new SizedTable(),
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
