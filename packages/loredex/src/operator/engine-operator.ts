import type { Bot, BotStats, DocumentFilter, Engine, FleetBot, SearchOptions, StoredDocument } from "@loredex/core";
import { kinds, LoredexError, requireArguments } from "@loredex/core";
import type { BotFigures, DocumentSummary, Operator, RegistrationKind } from "./operator.ts";
import { salvageParts } from "./salvage-parts.ts";

interface EngineOperatorOptions {
  /** Whether closing the operator closes the engine. Default false. */
  readonly ownsEngine?: boolean;
}
const ENGINE_OPERATOR_OPTIONS: kinds.OptionKinds<EngineOperatorOptions> = { ownsEngine: kinds.A_BOOLEAN };
const AN_ENGINE = kinds.anObjectWith<Engine>("an engine", "bot", "listBots");

/** Who has changed what the command line changes, in the audit log. */
const COMMAND_LINE = "command line";

/** The operator of an engine in this process. Closing the operator leaves the engine open, unless it owns the engine. */
export function engineOperator(engine: Engine, options: EngineOperatorOptions = {}): Operator {
  requireArguments("engineOperator", { engine, options }, { engine: AN_ENGINE, options: ENGINE_OPERATOR_OPTIONS });
  const { ownsEngine = false } = options;
  const opened = (name: string): Promise<Bot> => engine.bot(name);
  const { administration } = engine;
  const noted = async <Result>(action: string, target: string, change: () => Promise<Result>): Promise<Result> => {
    const result = await change();
    await administration.noteMade({ by: COMMAND_LINE, action, target });
    return result;
  };
  return {
    listBots: async () => engine.listBots(),
    fleet: async () => {
      // Only this command uses the engine, so each bot may evict the previous ones. A bot that cannot be opened has its fault in the list.
      if (ownsEngine) for (const { id } of unknownIn(engine)) await lookedInto(engine, id).catch(() => undefined);
      return engine.fleet();
    },
    createBot: (settings) => engine.createBot(settings),
    ensureBot: (settings) => engine.ensureBot(settings),
    showBot: async (name) => {
      const bot = await opened(name);
      // The engine's view of the bot, which includes faults.
      const stats = figuresOf(await bot.stats());
      const advice = engine.advice(name);
      const shown = { bot: engine.findBot(name) ?? bot.info(), stats };
      return advice.length === 0 ? shown : { ...shown, advice };
    },
    setBot: (name, changes) => engine.updateBot(name, changes),
    removeBot: (name) => engine.removeBot(name),

    rotateKey: (name) => engine.rotateKey(name),
    revokeKey: (name) => engine.revokeKey(name),
    addKey: (name, key, options) => engine.addKey(name, key, options),
    listKeys: async (name) => engine.listKeys(name),
    rotateNamedKey: async (name, key) => engine.rotateKey(name, named(key)),
    revokeNamedKey: async (name, key) => engine.revokeKey(name, named(key)),

    createAdminKey: (name, options) => noted("admin key created", name, () => administration.addKey(name, options)),
    listAdminKeys: () => administration.listKeys(),
    rotateAdminKey: (name) => noted("admin key rotated", name, () => administration.rotateKey(name)),
    revokeAdminKey: (name) => noted("admin key revoked", name, () => administration.revokeKey(name)),
    listChanges: (options) => administration.changes(options),

    putRegistration: async (name, kind, registered, active) => {
      requireKind(kind);
      const bot = await opened(name);
      await (kind === "agent" ? bot.putAgent(registered, active) : bot.putChannel(registered, active));
    },
    removeRegistration: async (name, kind, registered) => {
      requireKind(kind);
      const bot = await opened(name);
      await (kind === "agent" ? bot.removeAgent(registered) : bot.removeChannel(registered));
    },
    listRegistrations: async (name, kind) => {
      requireKind(kind);
      const bot = await opened(name);
      return kind === "agent" ? await bot.listAgents() : await bot.listChannels();
    },
    articlesOfAgent: async (name, agent) => (await opened(name)).articlesOfAgent(agent),

    importDocument: async (name, document, source) => (await opened(name)).importDocument(document, { source }),
    listSources: async (name) => (await opened(name)).listSources(),
    ownedDocuments: async (name, sources) => (await opened(name)).ownedDocuments(sources),
    putSourceArgument: async (name, ...given) => (await opened(name)).putSourceArgument(...given),
    moveSource: async (name, ...given) => (await opened(name)).moveSource(...given),
    removeSource: async (name, source) => (await opened(name)).removeSource(source),
    whenSearchable: async (name) => (await opened(name)).whenSearchable(),
    whenUpgraded: async (name) => (await opened(name)).whenUpgraded(),
    listDocuments: async (name, filter: DocumentFilter) =>
      (await (await opened(name)).listDocuments(filter)).map(summaryOf),
    getDocument: async (name, id) => {
      const document = await (await opened(name)).getDocument(id);
      if (document !== undefined) return document;
      throw new LoredexError("DOCUMENT_NOT_FOUND", `There is no imported document with the id ${id}.`);
    },
    setDocumentStatus: async (name, id, status) => (await opened(name)).setDocumentStatus(id, status),
    removeDocument: async (name, id, by) => {
      await (await opened(name)).removeDocument(id, by === undefined ? {} : { source: by });
    },

    getVocabulary: async (name) => (await opened(name)).getVocabulary(),
    setVocabulary: async (name, vocabulary) => void (await (await opened(name)).setVocabulary(vocabulary)),

    listGaps: async (name, request) => (await engine.insights(name)).gaps(request),
    listQuestions: async (name, request) => (await engine.insights(name)).questions(request),
    clearQuestions: async (name) => (await engine.insights(name)).clear(),
    getGolden: async (name) => (await engine.insights(name)).golden(),
    setGolden: async (name, golden) => void (await (await engine.insights(name)).setGolden(golden)),
    addRun: async (name, run) => (await engine.insights(name)).addRun(run),

    search: async (name, query, options) => (await opened(name)).search(query, notNoted(options)),
    query: async (name, query, options) => (await opened(name)).query(query, notNoted(options)),
    suggest: async (name, prefix, options) => (await opened(name)).suggest(prefix, options),
    explain: async (name, query, id, options) => (await opened(name)).explain(query, id, options),

    verify: (name) => engine.verify(name),
    salvage: (name) => salvageParts(() => engine.salvage(name)),
    purge: (name) => engine.purge(name),
    backup: (name, options) => engine.backup(name, options),
    restore: (backup, as) => engine.restore(backup, as === undefined ? {} : { as }),

    close: async () => {
      if (ownsEngine) await engine.close();
    },
  };
}

/** The questions of an operator are none of users, unless it says so. Options that are no object stay, to be refused. */
function notNoted<Options extends SearchOptions>(options: Options): Options {
  return Object.prototype.toString.call(options) === "[object Object]" ? { noted: false, ...options } : options;
}

/** Checks a kind, since values from the socket have no type: another word must not count as a channel. @throws ValidationError */
function requireKind(kind: RegistrationKind): void {
  requireArguments("Operator", { kind }, { kind: kinds.oneOf<RegistrationKind>(["agent", "channel"]) });
}

/** Requires the name of a key. Without a name, the bot's own key would be meant. @throws ValidationError */
function named(key: string): string {
  requireArguments("Operator", { key }, { key: kinds.A_STRING });
  return key;
}

/** The bots to look into for a list. Nodes keep the figures of theirs for all nodes: to open thousands of bots for a list would take minutes. */
function unknownIn(engine: Engine): readonly FleetBot[] {
  const bots = engine.fleet();
  return engine.figures().shared === undefined ? bots : bots.filter(({ figures }) => figures === undefined);
}

/** Opens a bot, and checks the language of its newest documents. */
async function lookedInto(engine: Engine, id: string): Promise<void> {
  await (await engine.bot(id)).stats();
}

function figuresOf({ quotaCharacters, rateCharactersPerMinute, ...figures }: BotStats): BotFigures {
  return { ...figures, characterQuota: quotaCharacters, rateLimit: rateCharactersPerMinute };
}

function summaryOf(document: StoredDocument): DocumentSummary {
  const title = document.type === "QNA" ? document.question : document.metaData.title;
  return {
    id: document.resourceDocId,
    type: document.type,
    status: document.status,
    ...(typeof title === "string" ? { title } : {}),
    ...(document.url === undefined ? {} : { url: document.url }),
  };
}
