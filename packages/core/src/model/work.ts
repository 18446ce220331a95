import type { Advice } from "./advice.ts";
import type { ErrorCode } from "./errors.ts";
import type { BotInfo, ImportOutcome } from "./types.ts";

/** The kinds of calls that are counted. `suggest` answers a search box, `create`, `update`, `upsert` and `delete` concern articles; `import`, `status` and `remove` imported documents. */
export type WorkKind =
  | "search"
  | "suggest"
  | "create"
  | "update"
  | "upsert"
  | "delete"
  | "import"
  | "status"
  | "remove";

/** A finished call of a bot, for metrics. It holds no key, no text, and no id but the bot's. */
export interface WorkEvent {
  readonly botId: string;
  readonly kind: WorkKind;
  /**
   * Time from the call to its end, in milliseconds. The opening of the bot is in it. An opening by `Engine.bot` is in the first call of the bot that it returned, unless
   * that call begins later after the opening than the opening took.
   */
  readonly durationMs: number;
  /** The outcome of an import. Absent for other calls, and if the import failed. */
  readonly outcome?: ImportOutcome;
  /** Why it was refused or failed. Absent if it succeeded. `UNKNOWN` is any error that was not thrown on purpose. */
  readonly code?: ErrorCode | "UNKNOWN";
}

/** What a statement to a shared storage was for: records that were appended, the heads of stores, many bytes or rows such as those of a snapshot, all else. */
export type StatementKind = "append" | "head" | "bulk" | "other";

/** A statement to a shared storage that was answered or has failed, for metrics. */
export interface StatementEvent {
  readonly kind: StatementKind;
  /** Time from the call to its end, including the wait for a connection and all tries, in milliseconds. */
  readonly durationMs: number;
  /** How often it was sent again, because its answer was lost or the storage was briefly busy. */
  readonly retries: number;
  /** Whether it was refused, or had no answer in its time. */
  readonly failed: boolean;
}

/** Figures of an engine whose storage other nodes use too. */
export interface SharedFigures {
  /** Tries of calls since the start that other nodes were quicker than. Each was decided again, or its time was over. */
  readonly conflicts: number;
  /** The greatest staleness of the open bots and the catalog: milliseconds since the storage was last asked for their heads with success. */
  readonly stalenessMs: number;
}

/** Figures of an open bot that need no computing. Names mean the same as in `BotStats`. */
export interface OpenBotFigures {
  readonly id: string;
  readonly articles: number;
  /** Imported documents of all types. */
  readonly documents: number;
  readonly characterUsed: number;
  readonly quotaCharacters: number;
  readonly indexQueue: number;
  readonly indexFailures: number;
  /** Texts that can have a vector, as in `VectorStats`. */
  readonly texts: number;
  /** Texts that have the embedder's vector. */
  readonly vectors: number;
  readonly documentsWaiting: number;
  readonly documentsGivenUp: number;
  /** Documents that lack token codes, or vectors and token codes, and will get them. */
  readonly tokenCodesWaiting: number;
  /** Documents whose token codes could not be made or kept. */
  readonly tokenCodesGivenUp: number;
  /** Calls of its embedder that failed since it was opened. */
  readonly embedderFailures: number;
  readonly diskBytes: number;
  readonly memoryBytes: number;
  /** The language of most of its newest documents, or `auto` for several. Absent if unknown, or if it is the bot's; see `Advice`. */
  readonly writtenIn?: string;
  /** When its knowledge was last changed, ISO 8601, UTC. Absent if unknown. */
  readonly lastWriteAt?: string;
}

/** Figures of a bot that are known without opening it: current ones of an open bot, else those of its last closing. */
export interface KnownFigures extends Omit<OpenBotFigures, "id" | "diskBytes" | "memoryBytes"> {
  /**
   * The time of the figures of a bot that is not open: ISO 8601, UTC. They are exact, unless the process crashed within a minute of the bot's last change,
   * or another node has changed the bot since.
   */
  readonly asOf?: string;
}

/** One bot in the list of all. */
export interface FleetBot extends BotInfo {
  /** Absent for a bot that was never open, or whose stored figures were lost. */
  readonly figures?: KnownFigures;
  /** Advice on its settings. Absent if there is none. */
  readonly advice?: readonly Advice[];
}

/** Use of the cache of question vectors since the start. Questions of static embedders, which take microseconds, are not counted. */
export interface QuestionVectorFigures {
  /** Questions whose vector was cached, or was being made for an equal question. */
  readonly found: number;
  /** Questions that an embedder made a vector of. */
  readonly made: number;
  /** Estimated bytes of the cached vectors in memory. */
  readonly bytes: number;
}

/** Use of the memory of token codes by reranking since the start. */
export interface TokenCodeFigures {
  /** Embedding windows and question variants whose token codes were in memory. */
  readonly found: number;
  /** Embedding windows and question variants whose token codes were read from the disk. */
  readonly read: number;
  /** Token codes in memory now, of all bots together, in bytes. */
  readonly bytes: number;
}

/** Figures of a bot for metrics, open or not. */
export interface FleetFigures {
  readonly id: string;
  readonly name: string;
  readonly quotaCharacters: number;
  /** As in {@link FleetBot}. */
  readonly figures: KnownFigures | undefined;
}

/** Figures of an engine for metrics. */
export interface EngineFigures {
  /** The number of all bots. */
  readonly bots: number;
  readonly openBots: readonly OpenBotFigures[];
  /** Every bot, open or not, in the order of creation. */
  readonly fleet: readonly FleetFigures[];
  readonly questionVectors: QuestionVectorFigures;
  readonly tokenCodes: TokenCodeFigures;
  /** Absent for a storage that only this process uses. */
  readonly shared?: SharedFigures;
}
