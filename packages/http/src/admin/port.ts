import type {
  AdminIdentity,
  Administration,
  Advice,
  Article,
  Bot,
  BotInfo,
  BotSettings,
  Contradiction,
  DocumentStatus,
  EngineCondition,
  FleetBot,
  Insights,
  KeyInfo,
  KeyOptions,
  NamedDocument,
  NearDuplicate,
  NewBot,
  Registration,
  SourceInfo,
  StoredDocument,
} from "@loredex/core";
import { kinds } from "@loredex/core";
import type { ApiBot } from "../engine.ts";

/** Who may administer: the part of `engine.administration` that the routes need. */
export type AdminKeys = Pick<
  Administration,
  "authenticate" | "openSession" | "session" | "closeSession" | "noteChange" | "changes" | "signIn"
>;

/** The operations of the operator that the routes need. `engineOperator(engine)` of the command line has them all. A `bot` is an id here. */
export interface AdminOperator {
  fleet(): Promise<readonly FleetBot[]>;
  createBot(settings: NewBot): Promise<{ readonly bot: BotInfo; readonly key: string }>;
  showBot(bot: string): Promise<{ readonly bot: BotInfo; readonly stats: object; readonly advice?: readonly Advice[] }>;
  setBot(bot: string, changes: Partial<BotSettings>): Promise<BotInfo>;
  removeBot(bot: string): Promise<void>;
  addKey(bot: string, name: string, options: KeyOptions): Promise<string>;
  listKeys(bot: string): Promise<readonly KeyInfo[]>;
  rotateNamedKey(bot: string, name: string): Promise<string>;
  revokeNamedKey(bot: string, name: string): Promise<void>;
  putRegistration(bot: string, kind: "agent" | "channel", name: string, active: boolean): Promise<void>;
  removeRegistration(bot: string, kind: "agent" | "channel", name: string): Promise<void>;
  listRegistrations(bot: string, kind: "agent" | "channel"): Promise<readonly Registration[]>;
  articlesOfAgent(bot: string, agent: string): Promise<readonly Article[]>;
  listSources(bot: string): Promise<readonly SourceInfo[]>;
  removeSource(bot: string, source: string): Promise<number>;
  getDocument(bot: string, id: string): Promise<StoredDocument>;
  setDocumentStatus(bot: string, id: string, status: DocumentStatus): Promise<void>;
  removeDocument(bot: string, id: string): Promise<void>;
  backup(bot: string, options: { readonly questions?: boolean }): AsyncIterable<Uint8Array>;
  restore(backup: AsyncIterable<Uint8Array>, as?: string): Promise<{ readonly bot: BotInfo; readonly key?: string }>;
}

/** The outcome of one file or address of a job. */
export interface FileReport {
  readonly file: string;
  readonly imported: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly problems: readonly { readonly line?: number; readonly message: string }[];
}

/** Work that a request began and that continues after its answer. Jobs are known to this node alone, the last 100. */
export interface AdminJob {
  readonly id: string;
  readonly kind: "upload" | "import" | "sync" | "run";
  readonly state: "running" | "done" | "failed";
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly done: number;
  readonly total?: number;
  /** Why it failed, or what it does now. */
  readonly message?: string;
  /** Of a job of kind `run` the id of the run. */
  readonly report?: readonly FileReport[] | string;
}

/** Jobs of the bots. A `bot` is an id. Those that begin one reject with `tooManyJobs()` while too many wait. */
export interface AdminJobs {
  /**
   * Takes a file, and imports it. Resolves when all bytes have arrived and the job has begun.
   * Rejects with the error of `bytes` if the client leaves or sends too much; nothing is imported then.
   */
  upload(
    bot: string,
    file: { readonly name: string; readonly source?: string; readonly bytes: AsyncIterable<Uint8Array> },
  ): Promise<AdminJob>;
  /** Imports pages of the web. */
  importAddresses(
    bot: string,
    given: { readonly addresses: readonly string[]; readonly source?: string },
  ): Promise<AdminJob>;
  /** Imports a source again. @throws LoredexError `SOURCE_NOT_FOUND` */
  sync(bot: string, source: string): Promise<AdminJob>;
  /** Asks the golden questions, with this vocabulary instead of the bot's, if there is one. */
  run(bot: string, given: { readonly vocabulary?: unknown }): Promise<AdminJob>;
  /** Newest first. */
  list(bot: string): Promise<readonly AdminJob[]>;
  get(bot: string, id: string): Promise<AdminJob | undefined>;
}

/** What users ask and do not find: the part of core's `Insights` that the routes need. */
export interface AdminInsights
  extends Pick<Insights, "questions" | "clear" | "gaps" | "weeks" | "golden" | "setGolden" | "runs" | "run"> {
  neverFound(): Promise<readonly NamedDocument[]>;
  nearDuplicates(): Promise<readonly NearDuplicate[]>;
  contradictions(): Promise<readonly Contradiction[]>;
}

/** The methods of a bot that the routes need. */
export type AdminBot = ApiBot & Pick<Bot, "documentPage" | "explain" | "getVocabulary" | "setVocabulary">;

/** A bot's figures of this moment. */
export interface LiveBot {
  readonly id: string;
  readonly name: string;
  /** Questions of the last minute. */
  readonly questions: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  /** Writes of the last minute. */
  readonly writes: number;
  readonly figures?: object;
}

/** Something that the operator should know of. */
export interface AdminAlert {
  readonly name: string;
  readonly severity: "warning" | "critical";
  /** What it means, and what to do. */
  readonly meaning: string;
  /** The ids of the bots that it concerns; empty: the server. */
  readonly bots: readonly string[];
}

export interface AdminStatus {
  readonly version: string;
  readonly condition: EngineCondition;
  readonly alerts: readonly AdminAlert[];
}

/** A static file of the console. */
export interface ConsoleFile {
  readonly bytes: Uint8Array;
  /** The same bytes, compressed. */
  readonly gzip?: Uint8Array;
  /** The media type. */
  readonly type: string;
  /** Whether its name changes with its bytes. */
  readonly immutable: boolean;
}

/** The port of the admin API and the console. All `bot`s are ids, except that of {@link ApiAdmin.findBot}. */
export interface ApiAdmin {
  readonly administration: AdminKeys;
  readonly operator: AdminOperator;
  readonly jobs: AdminJobs;
  /** The bot with this id or name, also if another node made it a moment ago. */
  findBot(bot: string): Promise<BotInfo | undefined>;
  /** Opens a bot: `engine.bot`. */
  bot(id: string): Promise<AdminBot>;
  /** `engine.insights`. */
  insights(id: string): Promise<AdminInsights>;
  /**
   * The admin key that a one-time sign-in code was made for. The code ends with this call. Undefined if there is no such code (any more). By its `keyId`,
   * no session is opened if the key was rotated since.
   */
  redeemCode(code: string): Promise<AdminIdentity | undefined>;
  status(): Promise<AdminStatus>;
  /** The figures of all bots. Called every two seconds while a console listens. */
  liveBots(): Promise<readonly LiveBot[]>;
  /** As of `engine.condition()`, for `/ready` of a server of its own. */
  condition(): EngineCondition;
  /** The console's files by their path under `/console/`; absent: `/console` is a 404. */
  readonly files?: ReadonlyMap<string, ConsoleFile>;
}

export const AN_ADMIN: kinds.Kind<ApiAdmin> = kinds.anObjectWith<ApiAdmin>(
  "an admin",
  "findBot",
  "bot",
  "insights",
  "redeemCode",
  "status",
  "liveBots",
  "condition",
);
