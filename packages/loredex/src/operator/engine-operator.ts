import type { Bot, BotStats, DocumentFilter, Engine, StoredDocument } from "@loredex/core";
import { kinds, LoredexError, requireArguments } from "@loredex/core";
import type { BotFigures, DocumentSummary, Operator, RegistrationKind } from "./operator.ts";
import { salvageParts } from "./salvage-parts.ts";

interface EngineOperatorOptions {
  /** Whether closing the operator closes the engine. Default false. */
  readonly ownsEngine?: boolean;
}
const ENGINE_OPERATOR_OPTIONS: kinds.OptionKinds<EngineOperatorOptions> = { ownsEngine: kinds.A_BOOLEAN };
const AN_ENGINE = kinds.anObjectWith<Engine>("an engine", "bot", "listBots");

/** The operator of an engine in this process. Closing it leaves the engine open, unless it is the operator's own. */
export function engineOperator(engine: Engine, options: EngineOperatorOptions = {}): Operator {
  requireArguments("engineOperator", { engine, options }, { engine: AN_ENGINE, options: ENGINE_OPERATOR_OPTIONS });
  const { ownsEngine = false } = options;
  const opened = (name: string): Promise<Bot> => engine.bot(name);
  return {
    listBots: async () => engine.listBots(),
    fleet: async () => {
      // Nobody else uses this engine: one bot after the other takes the room of those before. What keeps one from being opened is in the list.
      if (ownsEngine) for (const { id } of engine.listBots()) await lookedInto(engine, id).catch(() => undefined);
      return engine.fleet();
    },
    createBot: (settings) => engine.createBot(settings),
    ensureBot: (settings) => engine.ensureBot(settings),
    showBot: async (name) => {
      const bot = await opened(name);
      // As the engine sees it, which knows of faults as well.
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

    search: async (name, query, options) => (await opened(name)).search(query, options),
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

/** What comes over the socket has no type: another word must not be taken for a channel. @throws ValidationError */
function requireKind(kind: RegistrationKind): void {
  requireArguments("Operator", { kind }, { kind: kinds.oneOf<RegistrationKind>(["agent", "channel"]) });
}

/** Without a name it would be the key of the bot itself. @throws ValidationError */
function named(key: string): string {
  requireArguments("Operator", { key }, { key: kinds.A_STRING });
  return key;
}

/** Opens a bot, and has it check the language of its newest documents. */
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
