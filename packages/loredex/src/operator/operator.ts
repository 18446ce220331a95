import type {
  Article,
  BotInfo,
  BotSettings,
  BotStats,
  DocumentFilter,
  DocumentStatus,
  ImportOutcome,
  NewBot,
  Registration,
  SearchOptions,
  SearchResult,
  StoredDocument,
} from "@loredex/core";

/** What `strict` creates are checked against. */
export type RegistrationKind = "agent" | "channel";

/** An imported document without its content. */
export interface DocumentSummary {
  readonly id: string;
  readonly type: StoredDocument["type"];
  readonly status: DocumentStatus;
  readonly title?: string;
  readonly url?: string;
}

export interface BotDetails {
  readonly bot: BotInfo;
  readonly stats: BotStats;
}

/**
 * What an operator can do with a data directory: on an engine of this process, or on the one of a running server.
 * Wherever a `bot` is named, its id or its name will do. Errors are core's, on both ways with the same code and message.
 */
export interface Operator {
  listBots(): Promise<BotInfo[]>;
  createBot(settings: NewBot): Promise<{ bot: BotInfo; key: string }>;
  showBot(bot: string): Promise<BotDetails>;
  setBot(bot: string, changes: Partial<BotSettings>): Promise<BotInfo>;
  removeBot(bot: string): Promise<void>;

  /** The new key; the old one is dead. */
  rotateKey(bot: string): Promise<string>;
  revokeKey(bot: string): Promise<void>;

  putRegistration(bot: string, kind: RegistrationKind, name: string, active: boolean): Promise<void>;
  removeRegistration(bot: string, kind: RegistrationKind, name: string): Promise<void>;
  listRegistrations(bot: string, kind: RegistrationKind): Promise<Registration[]>;
  articlesOfAgent(bot: string, agent: string): Promise<Article[]>;

  /** Resolves when the document is durable. `source` names what brings it. */
  importDocument(bot: string, document: unknown, source: string): Promise<ImportOutcome>;
  documentsOfSource(bot: string, source: string): Promise<string[]>;
  /** Resolves when everything that is durable now can be found. */
  whenSearchable(bot: string): Promise<void>;
  /** Resolves when all of it can be found by meaning, or the bot's embedder is not to be had. */
  whenUpgraded(bot: string): Promise<void>;
  listDocuments(bot: string, filter: DocumentFilter): Promise<DocumentSummary[]>;
  /** @throws LoredexError `DOCUMENT_NOT_FOUND` */
  getDocument(bot: string, id: string): Promise<StoredDocument>;
  setDocumentStatus(bot: string, id: string, status: DocumentStatus): Promise<void>;
  removeDocument(bot: string, id: string): Promise<void>;

  search(bot: string, query: string, options: SearchOptions): Promise<SearchResult[]>;

  close(): Promise<void>;
}

/** Every operation but `close`, which ends the way to the engine and not the engine. */
export type Operation = Exclude<keyof Operator, "close">;
