import type { Advice } from "./advice.ts";
import type { ErrorCode } from "./errors.ts";
import type { BotInfo, ImportOutcome } from "./types.ts";

/** What is counted of a bot's calls. `create`, `update` and `delete` are of articles, `import`, `status` and `remove` of imported documents. */
export type WorkKind = "search" | "create" | "update" | "upsert" | "delete" | "import" | "status" | "remove";

/** A call of a bot that has ended, for whoever counts and times. It holds no key, no text, and no id but the bot's. */
export interface WorkEvent {
  readonly botId: string;
  readonly kind: WorkKind;
  /** From the call to its end, waiting for the bot to be opened among it, in milliseconds. */
  readonly durationMs: number;
  /** What became of an imported document; absent for other work, and where the import failed. */
  readonly outcome?: ImportOutcome;
  /** Why it was refused or failed; absent where it was not. `UNKNOWN` is what was not thrown on purpose. */
  readonly code?: ErrorCode | "UNKNOWN";
}

/** The figures of an open bot that are at hand at any time. The same names as in `BotStats` mean the same. */
export interface OpenBotFigures {
  readonly id: string;
  readonly articles: number;
  /** Imported documents of all types. */
  readonly documents: number;
  readonly characterUsed: number;
  readonly quotaCharacters: number;
  readonly indexQueue: number;
  readonly indexFailures: number;
  /** Passages and wordings of questions that can have a vector, and those that have their embedder's. */
  readonly texts: number;
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
  /** The language that most of its newest documents are written in, or `auto` for several, where that is known and not the bot's: see `Advice`. */
  readonly writtenIn?: string;
  /** When its knowledge was last changed, as far as that is known: ISO 8601, UTC. */
  readonly lastWriteAt?: string;
}

/** What is known of a bot without opening it: of one that is open as it is now, of another as it was when it was last closed. */
export interface KnownFigures extends Omit<OpenBotFigures, "id" | "diskBytes" | "memoryBytes"> {
  /** When this was true, for a bot that is not open: ISO 8601, UTC. Nothing changes in a closed bot, so it is exact unless the process crashed within a minute of the bot's last change. */
  readonly asOf?: string;
}

/** A bot among all. */
export interface FleetBot extends BotInfo {
  /** Absent for a bot that was never open, or whose kept figures were lost. */
  readonly figures?: KnownFigures;
  /** What may be wrong in its settings; absent where nothing is known. */
  readonly advice?: readonly Advice[];
}

/** What became of the questions that embedders were to read, since the start: those of static embedders, which take microseconds, are not counted. */
export interface QuestionVectorFigures {
  /** Questions whose vector was kept from before, or was being made for another who asked the same. */
  readonly found: number;
  /** Questions that an embedder made a vector of. */
  readonly made: number;
  /** About what the kept ones take in memory. */
  readonly bytes: number;
}

/** Where searches found the token codes that their reranking compared, since the start. */
export interface TokenCodeFigures {
  /** Parts of passages and wordings whose token codes were in memory. */
  readonly found: number;
  /** Those that were read from the disk. */
  readonly read: number;
  /** What is held in memory now, of all bots together. */
  readonly bytes: number;
}

/** What metrics are told of a bot, open or not. */
export interface FleetFigures {
  readonly id: string;
  readonly name: string;
  readonly quotaCharacters: number;
  /** As in {@link FleetBot}. */
  readonly figures: KnownFigures | undefined;
}

/** What an engine is doing, for metrics. */
export interface EngineFigures {
  /** All there are. */
  readonly bots: number;
  readonly openBots: readonly OpenBotFigures[];
  /** Every bot, open or not, in the order in which they were made. */
  readonly fleet: readonly FleetFigures[];
  readonly questionVectors: QuestionVectorFigures;
  readonly tokenCodes: TokenCodeFigures;
}
