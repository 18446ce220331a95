import { Administration } from "./administration/administration.ts";
import { LANGUAGE_READER } from "./analysis/told-language.ts";
import { IdMaker } from "./articles/identifier.ts";
import { BotsInUse } from "./bots-in-use.ts";
import { BotAdvice } from "./catalog/bot-advice.ts";
import { infoOf } from "./catalog/bot-info.ts";
import { BotRegistry } from "./catalog/bot-registry.ts";
import type { CatalogStore } from "./catalog/catalog-store.ts";
import { settleQuotaBytes } from "./catalog/first-quota.ts";
import { UnfinishedBots } from "./catalog/unfinished-bots.ts";
import { Embedders } from "./embedding/embedders.ts";
import { type EngineOptions, ofSearches } from "./engine-options.ts";
import { TokenCodeCache } from "./index/token-codes/held-codes.ts";
import { InsightsInUse } from "./insights/insights-in-use.ts";
import { QUOTA_BYTES_MIN } from "./model/limits.ts";
import { RERANK_MEMORY_BYTES_DEFAULT } from "./model/options.ts";
import { clockOfNodes } from "./nodes/clock-of-nodes.ts";
import { requestAdmission } from "./nodes/request-admission.ts";
import { Restorer } from "./operations/restore.ts";
import { budgetsOf, NO_BUDGETS } from "./platform/budgets.ts";
import { chanceOf } from "./platform/chance.ts";
import type { Logger } from "./platform/log-event.ts";
import { machineLimits } from "./platform/machine.ts";
import { idleSleep, systemClock, systemRandom, systemSleep } from "./platform/system.ts";
import { machineBudget } from "./quotas/machine-budget.ts";
import type { Storage } from "./storage/store.ts";

/** What the parts of an engine are made of. */
export interface EnginePartsDeps {
  readonly storage: Storage;
  readonly catalog: CatalogStore;
  readonly logger: Logger;
  readonly options: EngineOptions;
  /** Throws once the engine is closed. */
  readonly refuseIfClosed: () => void;
}

/** The parts of an engine, which know each other. */
export type EngineParts = ReturnType<typeof engineParts>;

/** Makes the parts of an engine, and gives each what it needs of the others. Only `engine.ts` calls it. */
export function engineParts({ storage, catalog, logger, options, refuseIfClosed }: EnginePartsDeps) {
  const { random = systemRandom } = options;
  const clock = clockOfNodes(storage.shared, options.clock ?? systemClock);
  // Without a directory the only copy of the data is in memory: no bot may be closed.
  const keepsAll = options.directory === undefined && options.storage === undefined;
  const budgets = keepsAll ? NO_BUDGETS : budgetsOf(options, machineLimits());
  const background = options.background ?? true;
  const making = { storage, catalog, clock, random, ids: new IdMaker(clock, random) };
  const place = { storage, clock, logger, sleep: systemSleep, idleSleep, chance: chanceOf(random) };
  const embedders = new Embedders(options.embedders, logger, systemSleep, { isPatient: options.patient ?? false });
  const choices = {
    embedders: embedders.names,
    bytesMin: QUOTA_BYTES_MIN,
    embedderFor: (language: string): string => embedders.defaultFor(language),
  };
  const registry = new BotRegistry(making, choices, refuseIfClosed);
  const unfinished = new UnfinishedBots(catalog, idleSleep, logger);
  const tokenCodeCache = new TokenCodeCache(options.rerankMemoryBytes ?? RERANK_MEMORY_BYTES_DEFAULT);
  const insights = new InsightsInUse({
    ...place,
    ...budgets,
    background,
    infoOf: (id) => {
      const entry = catalog.find(id);
      return entry && infoOf(entry);
    },
    catchUpCatalog: () => catalog.catchUp(),
    viewing: (id, work) => bots.use(id, (bot) => work(bot.questions.view())),
  });
  const bots: BotsInUse = new BotsInUse({
    ...place,
    random,
    onWork: options.onWork,
    embedders,
    unfinished,
    background,
    ...ofSearches(options),
    ...budgets,
    memoryFor: (evict) => machineBudget({ memoryMaxBytes: options.memoryMaxBytes, clock, logger, evict }),
    tokenCodeCache: (options.rerank ?? true) ? tokenCodeCache : undefined,
    known: (id) => catalog.find(id),
    onFirstOpened: (id, heldBytes) => settleQuotaBytes(catalog, logger, { id, heldBytes }),
    note: (id, asked) => insights.note(id, asked),
    catchUpCatalog: () => catalog.catchUp(),
    removeStore: (id) => insights.discard(id).then(() => catalog.removeStore(id)),
    catalogAgeMs: () => catalog.ageMs,
    written: (id) => ({ reader: LANGUAGE_READER, ...advice.writtenIn(id, bots.keptFigures) }),
    figuresCache: { read: () => catalog.readFigures(), write: (figures) => catalog.writeFigures(figures) },
  });
  catalog.onOthers((before, after) => {
    bots.settings.onOthers(before, after);
    if (before !== undefined && after === undefined) void insights.discard(before.id);
  });
  const figures = () => bots.keptFigures.all();
  const advice = new BotAdvice({ catalog, figures, embedderFor: choices.embedderFor, logger });
  const restorer = new Restorer({ ...making, sleep: systemSleep, whenGone: (id) => bots.whenGone(id) });
  const administration = new Administration({
    ...place,
    random,
    staleMaxMs: ofSearches(options).staleMaxMs,
    botId: async (idOrName) => (await registry.current(idOrName)).id,
    refuseIfClosed,
  });
  const admission = requestAdmission(storage.shared, clock);
  const own = { clock, background, embedders, registry, unfinished, tokenCodeCache, admission };
  return { ...own, insights, bots, advice, restorer, administration };
}
