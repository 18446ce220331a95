import type {
  Advice,
  ArgumentOptions,
  ArgumentPlace,
  Article,
  BackupOptions,
  BotInfo,
  BotSettings,
  BotStats,
  DocumentFilter,
  DocumentOrigin,
  DocumentStatus,
  Explanation,
  FleetBot,
  ImportOutcome,
  KeyInfo,
  KeyOptions,
  NewBot,
  OwnedDocument,
  PurgeReport,
  Registration,
  Salvage,
  SearchOptions,
  SearchResult,
  SourceInfo,
  StoredDocument,
  Upgrade,
  VerifyReport,
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

/** Figures that a server of an earlier version does not tell. */
type ImportFigure = "importBytesUsed" | "importBytes";

/** The figures of a bot, under the names that the socket and `--json` have always had for its limits. */
export interface BotFigures
  extends Omit<BotStats, "quotaCharacters" | "rateCharactersPerMinute" | ImportFigure>,
    Partial<Pick<BotStats, ImportFigure>> {
  readonly characterQuota: number;
  readonly rateLimit: number;
}

export interface BotDetails {
  readonly bot: BotInfo;
  readonly stats: BotFigures;
  /** What may be wrong in its settings; absent where nothing is known, and from a server of an earlier version. */
  readonly advice?: readonly Advice[];
}

/**
 * What an operator can do with a data directory: on an engine of this process, or on the one of a running server.
 * Wherever a `bot` is named, its id or its name will do. Errors are core's, on both ways with the same code and message.
 */
export interface Operator {
  listBots(): Promise<BotInfo[]>;
  /** The same with what is known of each: of a running server's bots without opening one, else of all. */
  fleet(): Promise<FleetBot[]>;
  createBot(settings: NewBot): Promise<{ bot: BotInfo; key: string }>;
  /** The bot of this name; with a key if it was made now. */
  ensureBot(settings: NewBot): Promise<{ bot: BotInfo; key?: string }>;
  showBot(bot: string): Promise<BotDetails>;
  setBot(bot: string, changes: Partial<BotSettings>): Promise<BotInfo>;
  removeBot(bot: string): Promise<void>;

  /** The new key of the bot's own; the old one is dead. */
  rotateKey(bot: string): Promise<string>;
  revokeKey(bot: string): Promise<void>;
  /** The key that was added. @throws LoredexError `KEY_EXISTS` */
  addKey(bot: string, name: string, options: KeyOptions): Promise<string>;
  listKeys(bot: string): Promise<KeyInfo[]>;
  /**
   * As {@link rotateKey}, of one that was added. An operation of its own: a server of an earlier version would not see the name, and replace another.
   * @throws LoredexError `KEY_NOT_FOUND`
   */
  rotateNamedKey(bot: string, name: string): Promise<string>;
  revokeNamedKey(bot: string, name: string): Promise<void>;

  putRegistration(bot: string, kind: RegistrationKind, name: string, active: boolean): Promise<void>;
  removeRegistration(bot: string, kind: RegistrationKind, name: string): Promise<void>;
  listRegistrations(bot: string, kind: RegistrationKind): Promise<Registration[]>;
  articlesOfAgent(bot: string, agent: string): Promise<Article[]>;

  /** Resolves when the document is durable. `origin` says what brings it. */
  importDocument(bot: string, document: unknown, origin: string | DocumentOrigin): Promise<ImportOutcome>;
  listSources(bot: string): Promise<SourceInfo[]>;
  /** What these sources have brought. */
  ownedDocuments(bot: string, sources: readonly string[]): Promise<readonly OwnedDocument[]>;
  putSourceArgument(bot: string, source: string, argument: ArgumentPlace, options: ArgumentOptions): Promise<void>;
  /** @throws LoredexError `SOURCE_NOT_FOUND`, `SOURCE_EXISTS` */
  moveSource(bot: string, source: string, to: string, argument: ArgumentPlace): Promise<void>;
  /** Takes it out with all its documents; resolves with how many. */
  removeSource(bot: string, source: string): Promise<number>;
  /** Resolves when everything that is durable now can be found. */
  whenSearchable(bot: string): Promise<void>;
  /** Resolves when all of it can be found by meaning, or no more can be done for that now: what it resolves with tells which. */
  whenUpgraded(bot: string): Promise<Upgrade>;
  listDocuments(bot: string, filter: DocumentFilter): Promise<DocumentSummary[]>;
  /** @throws LoredexError `DOCUMENT_NOT_FOUND` */
  getDocument(bot: string, id: string): Promise<StoredDocument>;
  setDocumentStatus(bot: string, id: string, status: DocumentStatus): Promise<void>;
  /** With `by`, only a document that this has brought. @throws LoredexError `DOCUMENT_NOT_FOUND` */
  removeDocument(bot: string, id: string, by?: DocumentOrigin): Promise<void>;

  search(bot: string, query: string, options: SearchOptions): Promise<SearchResult[]>;
  /** Why the document stands where it stands in that search, or is not there. */
  explain(bot: string, query: string, id: string, options: SearchOptions): Promise<Explanation>;

  /** Checks every checksum of one bot, or of everything. */
  verify(bot?: string): Promise<VerifyReport>;
  /** What is whole of a damaged bot, one by one; the last part says what was lost. */
  salvage(bot: string): AsyncIterable<SalvagePart>;

  /** Makes what was deleted or replaced before the call really gone. @throws LoredexError `CORRUPT` for a damaged bot */
  purge(bot: string): Promise<PurgeReport>;

  /** A backup of a bot as it is now; whole only with its last byte. */
  backup(bot: string, options: BackupOptions): AsyncIterable<Uint8Array>;
  /** Brings a bot back from a backup: as it was, or under the name `as` with a new key. */
  restore(backup: AsyncIterable<Uint8Array>, as?: string): Promise<{ bot: BotInfo; key?: string }>;

  close(): Promise<void>;
}

/** What looks into a data directory and changes nothing; it also works where no engine can be opened. */
export type Inspector = Pick<Operator, "verify" | "salvage" | "close">;

/** The operations that give more than one answer can hold. */
export type Download = "salvage" | "backup";
/** The operation that takes more than one request of JSON can hold. */
export type Upload = "restore";

/** Every other operation but `close`, which ends the way to the engine and not the engine. */
export type Operation = Exclude<keyof Operator, "close" | Download | Upload>;

/** One piece of what is taken out of a damaged bot. */
export type SalvagePart =
  | { readonly kind: "document"; readonly document: StoredDocument }
  | { readonly kind: "article"; readonly article: Salvage["articles"][number] }
  | ({ readonly kind: "end" } & Pick<Salvage, "lost" | "problems" | "unchecked" | "isComplete">);
