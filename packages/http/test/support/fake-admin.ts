import type {
  AdminChange,
  AdminIdentity,
  AdminSession,
  Article,
  BotInfo,
  DocumentPageRequest,
  Explanation,
  GoldenQuestion,
  NotedChange,
  Run,
} from "@loredex/core";
import { LoredexError } from "@loredex/core";
import type {
  AdminAlert,
  AdminBot,
  AdminInsights,
  AdminJob,
  AdminKeys,
  AdminOperator,
  ApiAdmin,
  ConsoleFile,
  LiveBot,
} from "../../src/admin/port.ts";
import { BOT_ID, BOT_NAME, FakeBot } from "./fake-engine.ts";

export const WRITE_KEY = "lore_admin_write";
export const READ_KEY = "lore_admin_read";
/** Sees {@link BOT_ID} alone. */
export const BOT_KEY = "lore_admin_bot";
/** Sees another bot alone. */
export const OTHER_KEY = "lore_admin_other";
export const CODE = "k7fm-2wqx-9bnd";
export const OTHER_BOT_ID = "5f0000000000000000000002";

const IDENTITIES: ReadonlyMap<string, AdminIdentity> = new Map<string, AdminIdentity>([
  [WRITE_KEY, { name: "ann", scope: "write", keyId: "1" }],
  [READ_KEY, { name: "ben", scope: "read", keyId: "2" }],
  [BOT_KEY, { name: "cleo", scope: "write", bots: [BOT_ID], keyId: "3" }],
  [OTHER_KEY, { name: "dora", scope: "write", bots: [OTHER_BOT_ID], keyId: "4" }],
]);

function botInfo(id: string, name: string): BotInfo {
  return {
    ...{
      id,
      name,
      quotaCharacters: 1_000,
      rateCharactersPerMinute: 100,
      quotaBytes: "auto",
      rateBytesPerMinute: "auto",
    },
    ...{ importBytes: "none", language: "en", embedder: "none", quality: "best", createdAt: AT, hasKey: true },
    ...{ questionLog: false, questionLogDays: 30, gapScore: 0.3 },
  };
}

const AT = "2025-03-01T10:00:00.000Z";
const BOTS = [botInfo(BOT_ID, BOT_NAME), botInfo(OTHER_BOT_ID, "other")];
const JOB: AdminJob = { id: "1", kind: "import", state: "running", startedAt: AT, done: 0 };

const MEASURES = { ndcgAt10: 0.5, mrrAt10: 0.5, recallAt10: 0.5 };
const RUN: Run = { id: "1", at: AT, questions: 2, missed: 1, measures: MEASURES, misses: [] };

/** A port of the admin API that remembers what it was asked. */
export class FakeAdmin implements ApiAdmin {
  /** The names of the operations that were called, with what they were given. */
  readonly calls: { readonly name: string; readonly values: readonly unknown[] }[] = [];
  readonly changes: NotedChange[] = [];
  readonly sessions = new Map<string, AdminSession>();
  /** Thrown by every operation. */
  failure: unknown;
  /** Thrown when a change is noted. */
  noteFailure: unknown;
  /** Milliseconds until the address may sign in. */
  waitMs = 0;
  failedSignIns = 0;
  alerts: AdminAlert[] = [{ name: "slow", severity: "warning", meaning: "Answers are slow.", bots: [OTHER_BOT_ID] }];
  live: LiveBot[] = BOTS.map(({ id, name }) => ({ id, name, questions: 1, writes: 0 }));
  files?: ReadonlyMap<string, ConsoleFile>;
  readonly fakeBot = new FakeBot();
  /** The bytes of a backup, in parts. */
  backupParts: readonly Uint8Array[] = [Buffer.from("part 1,"), Buffer.from("part 2")];
  readonly #uploaded: Uint8Array[] = [];
  #codes = new Set([CODE]);

  constructor(files?: ReadonlyMap<string, ConsoleFile>) {
    if (files !== undefined) this.files = files;
  }

  readonly administration: AdminKeys = {
    authenticate: async (key) => IDENTITIES.get(key ?? ""),
    openSession: async (of) => {
      const name = typeof of === "string" ? of : of.name;
      const identity = [...IDENTITIES.values()].find((each) => each.name === name);
      if (identity === undefined) throw new LoredexError("KEY_NOT_FOUND", "no such key");
      const token = `token-${this.sessions.size}-${name}`;
      const expiresAt = new Date(Date.now() + 12 * 3_600_000).toISOString();
      const session = { identity, csrfToken: `csrf-${name}`, expiresAt };
      this.sessions.set(token, session);
      return { ...session, token };
    },
    session: async (token) => this.sessions.get(token ?? ""),
    closeSession: async (token) => void this.sessions.delete(token),
    noteChange: async (change: AdminChange) => {
      if (this.noteFailure !== undefined) throw this.noteFailure;
      this.changes.unshift({ at: AT, ...change });
    },
    changes: async ({ limit = 100, before = 0, bots } = {}) => {
      const seen = this.changes.filter(({ bot = "" }) => bots === undefined || bots.includes(bot));
      const changes = seen.slice(before, before + limit);
      return before + limit < seen.length ? { changes, next: before + limit } : { changes };
    },
    signIn: async (_address, attempt) => {
      if (this.waitMs > 0) return { waitMs: this.waitMs };
      const result = await attempt();
      if (result === undefined) this.failedSignIns++;
      return result === undefined ? { waitMs: 0 } : { waitMs: 0, result };
    },
  };

  readonly operator: AdminOperator = {
    fleet: async () => this.#did("fleet", [], BOTS),
    createBot: async (...values) => this.#did("createBot", values, { bot: botInfo(BOT_ID, BOT_NAME), key: "lore_new" }),
    showBot: async (...values) => this.#did("showBot", values, { bot: botInfo(BOT_ID, BOT_NAME), stats: {} }),
    setBot: async (...values) => this.#did("setBot", values, botInfo(BOT_ID, BOT_NAME)),
    removeBot: async (...values) => this.#did("removeBot", values, undefined),
    addKey: async (...values) => this.#did("addKey", values, "lore_added"),
    listKeys: async (...values) =>
      this.#did("listKeys", values, [{ name: "default", scope: "all" as const, origins: [] }]),
    rotateNamedKey: async (...values) => this.#did("rotateNamedKey", values, "lore_rotated"),
    revokeNamedKey: async (...values) => this.#did("revokeNamedKey", values, undefined),
    putRegistration: async (...values) => this.#did("putRegistration", values, undefined),
    removeRegistration: async (...values) => this.#did("removeRegistration", values, undefined),
    listRegistrations: async (...values) => this.#did("listRegistrations", values, [{ name: "one", active: true }]),
    articlesOfAgent: async (...values) => this.#did("articlesOfAgent", values, [] as Article[]),
    listSources: async (...values) => this.#did("listSources", values, [{ name: "docs", documents: 1, arguments: [] }]),
    removeSource: async (...values) => this.#did("removeSource", values, 3),
    getDocument: async (...values) => {
      this.#did("getDocument", values, undefined);
      throw new LoredexError("DOCUMENT_NOT_FOUND", "no such document");
    },
    setDocumentStatus: async (...values) => this.#did("setDocumentStatus", values, undefined),
    removeDocument: async (...values) => this.#did("removeDocument", values, undefined),
    backup: (...values) => this.#parts(this.#did("backup", values, this.backupParts)),
    restore: async (bytes, as) => {
      for await (const part of bytes) this.#uploaded.push(part);
      return this.#did("restore", [as], { bot: botInfo(BOT_ID, BOT_NAME), key: "lore_restored" });
    },
  };

  readonly jobs: ApiAdmin["jobs"] = {
    upload: async (bot, { bytes, ...file }) => {
      for await (const part of bytes) this.#uploaded.push(part);
      return this.#did("upload", [bot, file], { ...JOB, kind: "upload" as const });
    },
    importAddresses: async (...values) => this.#did("importAddresses", values, JOB),
    sync: async (...values) => this.#did("sync", values, { ...JOB, kind: "sync" as const }),
    run: async (...values) => this.#did("run", values, { ...JOB, kind: "run" as const }),
    list: async (...values) => this.#did("listJobs", values, [JOB]),
    get: async (bot, id) => this.#did("getJob", [bot, id], id === JOB.id ? JOB : undefined),
  };

  async findBot(bot: string): Promise<BotInfo | undefined> {
    return BOTS.find(({ id, name }) => id === bot || name === bot);
  }

  async bot(id: string): Promise<AdminBot> {
    const none = { synonyms: [], pins: [], ignored: [] };
    const added: Pick<AdminBot, "documentPage" | "explain" | "getVocabulary" | "setVocabulary"> = {
      getVocabulary: async () => this.#did("getVocabulary", [id], none),
      setVocabulary: async (...values) => this.#did("setVocabulary", [id, ...values], none),
      documentPage: async (request?: DocumentPageRequest) =>
        this.#did("documentPage", [id, request], { rows: [], total: 0 }),
      explain: async (...values) => {
        const [query, of, { signal: _, ...options } = {}] = values;
        return this.#did("explain", [query, of, options], { outcome: "unknown" } as unknown as Explanation);
      },
    };
    return Object.assign(this.fakeBot, added);
  }

  async insights(id: string): Promise<AdminInsights> {
    const none = (name: string) => async () => this.#did(name, [id], []);
    return {
      golden: async (): Promise<GoldenQuestion[]> => this.#did("golden", [id], []),
      setGolden: async (...values) => this.#did("setGolden", [id, ...values], []),
      runs: none("runs"),
      run: async (run) => this.#did("getRun", [id, run], run === RUN.id ? RUN : undefined),
      gaps: none("gaps"),
      questions: none("questions"),
      clear: async () => this.#did("clearQuestions", [id], undefined),
      neverFound: none("neverFound"),
      nearDuplicates: none("nearDuplicates"),
      contradictions: none("contradictions"),
      weeks: none("weeks"),
    };
  }

  async redeemCode(code: string): Promise<AdminIdentity | undefined> {
    return this.#codes.delete(code) ? IDENTITIES.get(WRITE_KEY) : undefined;
  }

  async status(): ReturnType<ApiAdmin["status"]> {
    return this.#did("status", [], { version: "1.0.0", condition: this.condition(), alerts: this.alerts });
  }

  async liveBots(): Promise<readonly LiveBot[]> {
    return this.live;
  }

  condition(): ReturnType<ApiAdmin["condition"]> {
    return { canWrite: true, faults: [] };
  }

  /** The bytes of all uploads and restores. */
  get uploaded(): Buffer {
    return Buffer.concat(this.#uploaded);
  }

  /** What an operation was given when it was called last. */
  lastOf(name: string): readonly unknown[] | undefined {
    return this.calls.findLast((call) => call.name === name)?.values;
  }

  #did<Result>(name: string, values: readonly unknown[], result: Result): Result {
    this.calls.push({ name, values });
    if (this.failure !== undefined) throw this.failure;
    return result;
  }

  async *#parts(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* parts;
  }
}
