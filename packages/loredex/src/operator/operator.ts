import type {
  AdminKeyInfo,
  AdminKeyOptions,
  Advice,
  ArgumentOptions,
  ArgumentPlace,
  Article,
  BackupOptions,
  BotInfo,
  BotSettings,
  BotStats,
  ChangesOptions,
  ChangesPage,
  DocumentFilter,
  DocumentOrigin,
  DocumentStatus,
  Explanation,
  FleetBot,
  Gap,
  GapRequest,
  GoldenInput,
  GoldenQuestion,
  ImportOutcome,
  KeyInfo,
  KeyOptions,
  NewBot,
  OwnedDocument,
  PurgeReport,
  QueryAnswer,
  QueryOptions,
  QuestionPageRequest,
  QuestionRow,
  Registration,
  RunInput,
  RunSummary,
  Salvage,
  SearchOptions,
  SearchResult,
  SourceInfo,
  StoredDocument,
  Suggestion,
  SuggestOptions,
  Upgrade,
  VerifyReport,
  Vocabulary,
} from "@loredex/core";

/** The kinds of registrations, against which `strict` creates are checked. */
export type RegistrationKind = "agent" | "channel";

/** An imported document without its content. */
export interface DocumentSummary {
  readonly id: string;
  readonly type: StoredDocument["type"];
  readonly status: DocumentStatus;
  readonly title?: string;
  readonly url?: string;
}

/** Figures that servers of earlier versions lack. */
type LaterFigure = "importBytesUsed" | "importBytes" | "rateResetSeconds";

/** The figures of a bot. Its limits have the names that the socket and `--json` have always used. */
export interface BotFigures
  extends Omit<BotStats, "quotaCharacters" | "rateCharactersPerMinute" | LaterFigure>,
    Partial<Pick<BotStats, LaterFigure>> {
  readonly characterQuota: number;
  readonly rateLimit: number;
}

export interface BotDetails {
  readonly bot: BotInfo;
  readonly stats: BotFigures;
  /** Possible problems of its settings; absent if none is known, and from servers of earlier versions. */
  readonly advice?: readonly Advice[];
}

/**
 * The port of all operations on a data directory: on an engine of this process, or on a running server.
 * A `bot` is an id or a name. Errors are core's, with the same code and message both ways.
 */
export interface Operator {
  listBots(): Promise<BotInfo[]>;
  /** All bots with their known figures. A running server opens no bot for it; without a server all bots are opened. */
  fleet(): Promise<FleetBot[]>;
  createBot(settings: NewBot): Promise<{ bot: BotInfo; key: string }>;
  /** The bot of this name. The key is returned if the bot was made now. */
  ensureBot(settings: NewBot): Promise<{ bot: BotInfo; key?: string }>;
  showBot(bot: string): Promise<BotDetails>;
  setBot(bot: string, changes: Partial<BotSettings>): Promise<BotInfo>;
  removeBot(bot: string): Promise<void>;

  /** Gives the bot's own key a new secret. The old secret is invalid. */
  rotateKey(bot: string): Promise<string>;
  revokeKey(bot: string): Promise<void>;
  /** Adds a key, and resolves with it. @throws LoredexError `KEY_EXISTS` */
  addKey(bot: string, name: string, options: KeyOptions): Promise<string>;
  listKeys(bot: string): Promise<KeyInfo[]>;
  /**
   * As {@link rotateKey}, for an added key. It is a separate operation: a server of an earlier version would ignore the name and replace the bot's own key.
   * @throws LoredexError `KEY_NOT_FOUND`
   */
  rotateNamedKey(bot: string, name: string): Promise<string>;
  revokeNamedKey(bot: string, name: string): Promise<void>;

  /** Creates an admin key, and resolves with it. @throws LoredexError `KEY_EXISTS`, `BOT_NOT_FOUND` */
  createAdminKey(name: string, options: AdminKeyOptions): Promise<string>;
  listAdminKeys(): Promise<AdminKeyInfo[]>;
  /** Gives an admin key a new secret, and ends its sessions. @throws LoredexError `KEY_NOT_FOUND` */
  rotateAdminKey(name: string): Promise<string>;
  revokeAdminKey(name: string): Promise<void>;
  /** A page of the audit log. */
  listChanges(options: ChangesOptions): Promise<ChangesPage>;

  putRegistration(bot: string, kind: RegistrationKind, name: string, active: boolean): Promise<void>;
  removeRegistration(bot: string, kind: RegistrationKind, name: string): Promise<void>;
  listRegistrations(bot: string, kind: RegistrationKind): Promise<Registration[]>;
  articlesOfAgent(bot: string, agent: string): Promise<Article[]>;

  /** Imports a document. Resolves when it is durable. `origin` is its source. */
  importDocument(bot: string, document: unknown, origin: string | DocumentOrigin): Promise<ImportOutcome>;
  listSources(bot: string): Promise<SourceInfo[]>;
  /** The documents of these sources. */
  ownedDocuments(bot: string, sources: readonly string[]): Promise<readonly OwnedDocument[]>;
  putSourceArgument(bot: string, source: string, argument: ArgumentPlace, options: ArgumentOptions): Promise<void>;
  /** Renames a source, or moves one of its arguments. @throws LoredexError `SOURCE_NOT_FOUND`, `SOURCE_EXISTS` */
  moveSource(bot: string, source: string, to: string, argument: ArgumentPlace): Promise<void>;
  /** Removes a source with all its documents. Resolves with the number of documents. */
  removeSource(bot: string, source: string): Promise<number>;
  /** Resolves when everything that is durable now can be found by BM25. */
  whenSearchable(bot: string): Promise<void>;
  /** Resolves when all documents have their vectors, or no more can be made for now. The result tells which. */
  whenUpgraded(bot: string): Promise<Upgrade>;
  listDocuments(bot: string, filter: DocumentFilter): Promise<DocumentSummary[]>;
  /** Reads an imported document. @throws LoredexError `DOCUMENT_NOT_FOUND` */
  getDocument(bot: string, id: string): Promise<StoredDocument>;
  setDocumentStatus(bot: string, id: string, status: DocumentStatus): Promise<void>;
  /** Removes a document; with `by`, only one from this origin. @throws LoredexError `DOCUMENT_NOT_FOUND` */
  removeDocument(bot: string, id: string, by?: DocumentOrigin): Promise<void>;

  getVocabulary(bot: string): Promise<Vocabulary>;
  /** Replaces the whole vocabulary. @throws ValidationError */
  setVocabulary(bot: string, vocabulary: unknown): Promise<void>;

  /** Groups of questions that found little, worst first. @throws ValidationError */
  listGaps(bot: string, request: GapRequest): Promise<Gap[]>;
  /** The question log, newest first. @throws ValidationError */
  listQuestions(bot: string, request: QuestionPageRequest): Promise<QuestionRow[]>;
  /** Deletes the question log, also from the disk. */
  clearQuestions(bot: string): Promise<void>;
  getGolden(bot: string): Promise<readonly GoldenQuestion[]>;
  /** Replaces the golden questions. @throws ValidationError */
  setGolden(bot: string, golden: readonly GoldenInput[]): Promise<void>;
  /** Keeps an evaluation as a run. @throws ValidationError */
  addRun(bot: string, run: RunInput): Promise<RunSummary>;

  /** As a user's search, but no question log keeps it. */
  search(bot: string, query: string, options: SearchOptions): Promise<SearchResult[]>;
  /** The same search, with the number of documents found, facets and groups. */
  query(bot: string, query: string, options: QueryOptions): Promise<QueryAnswer>;
  suggest(bot: string, prefix: string, options: Pick<SuggestOptions, "limit">): Promise<readonly Suggestion[]>;
  /** Explains the document's rank in that search, or why it is missing. */
  explain(bot: string, query: string, id: string, options: SearchOptions): Promise<Explanation>;

  /** Checks every checksum of one bot, or of everything. */
  verify(bot?: string): Promise<VerifyReport>;
  /** The undamaged data of a damaged bot, one by one. The last part names the lost records. */
  salvage(bot: string): AsyncIterable<SalvagePart>;

  /** Erases data that was deleted or replaced before the call. @throws LoredexError `CORRUPT` for a damaged bot */
  purge(bot: string): Promise<PurgeReport>;

  /** A backup of a bot as it is now. It is complete only with its last byte. */
  backup(bot: string, options: BackupOptions): AsyncIterable<Uint8Array>;
  /** Restores a bot from a backup: as it was, or under the name `as` with a new key. */
  restore(backup: AsyncIterable<Uint8Array>, as?: string): Promise<{ bot: BotInfo; key?: string }>;

  close(): Promise<void>;
}

/** The operations that only read a data directory. They also work if no engine can be opened. */
export type Inspector = Pick<Operator, "verify" | "salvage" | "close">;

/** The operations whose result is larger than one JSON answer can be. */
export type Download = "salvage" | "backup";
/** The operation whose input is larger than one JSON request can be. */
export type Upload = "restore";

/** All other operations except `close`, which ends the connection and not the engine. */
export type Operation = Exclude<keyof Operator, "close" | Download | Upload>;

/** One part of a salvage. */
export type SalvagePart =
  | { readonly kind: "document"; readonly document: StoredDocument }
  | { readonly kind: "article"; readonly article: Salvage["articles"][number] }
  | ({ readonly kind: "end" } & Pick<Salvage, "lost" | "problems" | "unchecked" | "isComplete">);
