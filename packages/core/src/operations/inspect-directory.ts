import { resolve } from "node:path";
import { isId } from "../articles/identifier.ts";
import { infoOf } from "../catalog/bot-info.ts";
import { CATALOG } from "../catalog/catalog-snapshot.ts";
import { type CatalogEntry, type CatalogState, emptyCatalog } from "../catalog/catalog-state.ts";
import { FIGURES_CACHE } from "../catalog/catalog-store.ts";
import { KeptFigures } from "../catalog/kept-figures.ts";
import { CATALOG_STORE, storeName } from "../catalog/store-names.ts";
import { type EmbedderOffer, OFFER_OPTIONS } from "../embedding/embedder.ts";
import { defaultEmbedder } from "../embedding/embedders.ts";
import { recoverRecorded } from "../log/recorded-kind.ts";
import { adviceOf } from "../model/advice.ts";
import { LoredexError } from "../model/errors.ts";
import { A_STRING, A_TEXT, anObjectWith, recordOf } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";
import type { BotInfo } from "../model/types.ts";
import type { FleetBot, KnownFigures } from "../model/work.ts";
import { systemClock } from "../platform/system.ts";
import { openFileInspection } from "../storage/file-inspection.ts";
import { lockDirectory } from "../storage/lock.ts";
import { nodeFileSystem } from "../storage/node-file-system.ts";
import type { Storage, StorageInspection } from "../storage/store.ts";
import { readStore } from "./copy-store.ts";
import { type Salvage, salvageBot } from "./salvage.ts";
import { type NamedBot, type VerifyReport, verifyStores } from "./verify.ts";

/** Read-only inspection of a data directory without an engine, also if an engine would refuse to open. */
export interface OpenInspection {
  /**
   * Verifies every checksum of one bot, or of all stores. A bot is named by its id, or by its name if the catalog can be read.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  verify(idOrName?: string): Promise<VerifyReport>;
  /**
   * Reads everything that is whole of a bot.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  salvage(idOrName: string): Promise<Salvage>;
  /**
   * The bots with advice on their settings, as far as the catalog can be read. The figures are those of each bot's last closing.
   * @param embedders the embedders of new bots, as `EngineOptions.embedders`
   */
  advised(embedders: Readonly<Record<string, EmbedderOffer>>): Promise<readonly AdvisedBot[]>;
  /** Releases the directory. */
  close(): Promise<void>;
}

const A_STORAGE = anObjectWith<Storage>("a storage", "list", "verify", "salvage", "close");

/** A bot with advice on its settings. */
export type AdvisedBot = NamedBot & Required<Pick<FleetBot, "advice">>;

/**
 * Opens a data directory for inspection. It holds the lock until it is closed, and changes nothing.
 * @throws LoredexError `DIRECTORY_IN_USE`, `WRONG_USER`, `STORAGE_FAILED`
 */
export async function inspectDirectory(directory: string): Promise<OpenInspection> {
  requireArguments("inspectDirectory", { directory }, { directory: A_TEXT });
  const storage = await openFileInspection({
    directory: resolve(directory),
    fileSystem: nodeFileSystem,
    lockDirectory,
  });
  try {
    return await inspectionOf(storage, () => storage.readCache(CATALOG_STORE, FIGURES_CACHE));
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Inspects another storage than a directory. Changes nothing. Closing the inspection closes the storage.
 * @throws what the storage throws; it is closed then
 */
export async function inspectStorage(storage: Storage): Promise<OpenInspection> {
  requireArguments("inspectStorage", { storage }, { storage: A_STORAGE });
  try {
    return await inspectionOf(storage, () => figuresCacheIn(storage));
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function inspectionOf(
  storage: StorageInspection & { close(): Promise<void> },
  readFigures: () => Promise<Uint8Array | undefined>,
): Promise<OpenInspection> {
  const bots = await readBots(storage);
  const find = (idOrName: string): Promise<NamedBot> => findBot(storage, bots, idOrName);
  return {
    verify: async (idOrName) =>
      verifyStores(storage, () => bots, idOrName === undefined ? undefined : await find(idOrName)),
    salvage: async (idOrName) => salvageBot(storage, (await find(idOrName)).id),
    advised: async (embedders) => {
      const kinds = { embedders: recordOf<EmbedderOffer>(OFFER_OPTIONS) };
      requireArguments("OpenInspection.advised", { embedders }, kinds);
      const embedderFor = (language: string): string => defaultEmbedder(embedders, language);
      const figures = await figuresIn(readFigures);
      return bots.flatMap(({ id, name, info }) => {
        const advice = adviceOf(info, embedderFor, figures.get(id)?.writtenIn);
        return advice.length === 0 ? [] : [{ id, name, advice }];
      });
    },
    close: () => storage.close(),
  };
}

async function figuresCacheIn(storage: Storage): Promise<Uint8Array | undefined> {
  if (!(await storage.exists(CATALOG_STORE))) return undefined;
  const { store } = await readStore(storage, CATALOG_STORE);
  return store.readCache(FIGURES_CACHE).finally(() => store.close());
}

/** The bots of the catalog, as far as it can be read. */
async function readBots(storage: StorageInspection): Promise<(NamedBot & { readonly info: BotInfo })[]> {
  const state: CatalogState = emptyCatalog();
  const { snapshot, record } = recoverRecorded(CATALOG, state);
  await storage.salvage(CATALOG_STORE, {
    section: (section, sequence) =>
      passingOver(() => snapshot({ sequence, sections: new Map([[section.name, section]]) })),
    record: (sequence, payload) => {
      if (sequence > state.sequence) passingOver(() => record(sequence, payload));
    },
  });
  return [...state.bots.values()].map((entry: CatalogEntry) => {
    return { id: entry.id, name: entry.settings.name, info: infoOf(entry) };
  });
}

/** The stored figures of bots, from when each was last open. */
async function figuresIn(read: () => Promise<Uint8Array | undefined>): Promise<ReadonlyMap<string, KnownFigures>> {
  const figures = new KeptFigures({
    cache: { read, write: async () => undefined },
    open: () => [],
    isShared: false,
    isKnown: () => true,
    clock: systemClock,
    sleep: async () => undefined,
    logger: () => undefined,
  });
  await figures.load();
  return figures.all();
}

/** Ignores unreadable entries of the catalog, which only cost names here. `verify` reports them. */
function passingOver(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof LoredexError)) throw error;
  }
}

async function findBot(storage: StorageInspection, bots: readonly NamedBot[], idOrName: string): Promise<NamedBot> {
  requireArguments("OpenInspection", { idOrName }, { idOrName: A_STRING });
  const known = bots.find(({ id, name }) => id === idOrName || name === idOrName);
  if (known !== undefined) return known;
  // The catalog may have lost the bot.
  if (isId(idOrName) && (await storage.list()).includes(storeName(idOrName))) return { id: idOrName, name: idOrName };
  throw new LoredexError(
    "BOT_NOT_FOUND",
    `There is no bot with the id or name ${idOrName}. Where the catalog is damaged, name it by its id, as in stores/${storeName("ID")}.`,
  );
}
