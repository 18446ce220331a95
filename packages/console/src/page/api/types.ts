import type {
  Advice,
  Article,
  BotInfo,
  Contradiction,
  GoldenQuestion,
  InsightsWeek,
  JsonObject,
  KnownFigures,
  NamedDocument,
  NearDuplicate,
} from "@loredex/core";

/** What the admin API answers: mostly what the library returns. */

export type {
  Article,
  ArticlePreview,
  BotUsage,
  DocumentRow,
  ExpectedDocument,
  ExplainedPassage,
  Explanation,
  FleetBot,
  Gap,
  GoldenQuestion,
  InsightsWeek,
  KeyInfo,
  KnownFigures,
  Metadata,
  NotedChange,
  QuestionRow,
  Registration,
  Run,
  RunMiss,
  RunSummary,
  SearchResult,
  SourceInfo,
  TextPart,
  Vocabulary,
} from "@loredex/core";

export interface Session {
  readonly name: string;
  readonly scope: "write" | "read";
  readonly bots?: readonly string[];
  readonly csrfToken: string;
  readonly expiresAt: string;
}

/** A bot with its settings. */
export interface BotDetails {
  readonly bot: BotInfo;
  readonly advice?: readonly Advice[];
}

/** A bot that was made or brought back, with its key if that is new. */
export interface Restored {
  readonly bot: BotInfo;
  readonly key?: string;
}

/** An imported document, or an article in the form of a result. */
export interface KnownDocument {
  readonly resourceDocId: string;
  readonly type: string;
  readonly status: string;
  readonly metaData: JsonObject;
  readonly url?: string;
  readonly content?: readonly { readonly md: string }[];
  readonly question?: string;
  readonly answer?: string;
  readonly alternatives?: readonly string[];
}

/** What is typed into an editor. */
export interface Draft extends Pick<Article, "title" | "body"> {
  readonly address: string;
  readonly metadata: string;
}

export interface FileReport {
  readonly file: string;
  readonly imported: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly problems: readonly { readonly line?: number; readonly message: string }[];
}

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: "running" | "done" | "failed";
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
  /** Of a run: its id. */
  readonly report?: readonly FileReport[] | string;
}

export interface GoldenSet {
  readonly questions: readonly GoldenQuestion[];
}

export interface Findings {
  readonly neverFound: readonly NamedDocument[];
  readonly nearDuplicates: readonly NearDuplicate[];
  readonly contradictions: readonly Contradiction[];
  readonly weeks: readonly InsightsWeek[];
}

export interface Alert {
  readonly name: string;
  readonly severity: string;
  readonly meaning: string;
  readonly bots: readonly string[];
}

export interface Status {
  readonly version: string;
  readonly alerts: readonly Alert[];
}

/** A bot in the event `fleet`. */
export interface LiveBot {
  readonly id: string;
  readonly name: string;
  readonly questions: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  readonly writes: number;
  readonly figures?: KnownFigures;
}
