import { resolve } from "node:path";
import { isId } from "../articles/identifier.ts";
import { infoOf } from "../catalog/bot-info.ts";
import { type CatalogEntry, type CatalogState, emptyCatalog } from "../catalog/catalog-state.ts";
import { FIGURES_CACHE, recoverCatalog } from "../catalog/catalog-store.ts";
import { KeptFigures } from "../catalog/kept-figures.ts";
import { CATALOG_STORE, storeName } from "../catalog/store-names.ts";
import { type EmbedderOffer, OFFER_OPTIONS } from "../embedding/embedder.ts";
import { defaultEmbedder } from "../embedding/embedders.ts";
import { adviceOf } from "../model/advice.ts";
import { LoredexError } from "../model/errors.ts";
import { A_STRING, A_TEXT, recordOf } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";
import type { BotInfo } from "../model/types.ts";
import type { FleetBot, KnownFigures } from "../model/work.ts";
import { systemClock } from "../platform/system.ts";
import { type FileInspection, openFileInspection } from "../storage/file-inspection.ts";
import { lockDirectory } from "../storage/lock.ts";
import { nodeFileSystem } from "../storage/node-file-system.ts";
import type { StorageInspection } from "../storage/store.ts";
import { type Salvage, salvageBot } from "./salvage.ts";
import { type NamedBot, type VerifyReport, verifyStores } from "./verify.ts";

/** A look into a data directory without opening an engine on it: also where an engine would refuse to be opened. */
export interface OpenInspection {
  /**
   * Checks every checksum of one bot, or of everything. A bot is named by its id, or by its name as far as the catalog is whole.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  verify(idOrName?: string): Promise<VerifyReport>;
  /**
   * Takes out of a bot what is whole.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  salvage(idOrName: string): Promise<Salvage>;
  /**
   * The bots whose settings may be wrong, as far as the catalog is whole, and as known when each bot was last open.
   * @param embedders what new bots are given an embedder of, as `EngineOptions.embedders`
   */
  advised(embedders: Readonly<Record<string, EmbedderOffer>>): Promise<readonly AdvisedBot[]>;
  /** Lets the directory go. */
  close(): Promise<void>;
}

/** A bot whose settings may be wrong. */
export type AdvisedBot = NamedBot & Required<Pick<FleetBot, "advice">>;

/**
 * Holds a data directory to look into it; nothing in it is changed.
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
        const figures = await figuresIn(storage);
        return bots.flatMap(({ id, name, info }) => {
          const advice = adviceOf(info, embedderFor, figures.get(id)?.writtenIn);
          return advice.length === 0 ? [] : [{ id, name, advice }];
        });
      },
      close: () => storage.close(),
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The bots as far as the catalog can be read. */
async function readBots(storage: StorageInspection): Promise<(NamedBot & { readonly info: BotInfo })[]> {
  const state: CatalogState = emptyCatalog();
  const { snapshot, record } = recoverCatalog(state);
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

/** What was known of bots when each was last open. */
async function figuresIn(storage: FileInspection): Promise<ReadonlyMap<string, KnownFigures>> {
  const figures = new KeptFigures({
    cache: { read: () => storage.readCache(CATALOG_STORE, FIGURES_CACHE), write: async () => undefined },
    open: () => [],
    isKnown: () => true,
    clock: systemClock,
    sleep: async () => undefined,
    logger: () => undefined,
  });
  await figures.load();
  return figures.all();
}

/** What of the catalog cannot be understood is verify's to tell; here it only costs names. */
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
  // The catalog may have lost it.
  if (isId(idOrName) && (await storage.list()).includes(storeName(idOrName))) return { id: idOrName, name: idOrName };
  throw new LoredexError(
    "BOT_NOT_FOUND",
    `There is no bot with the id or name ${idOrName}. Where the catalog is damaged, name it by its id, as in stores/${storeName("ID")}.`,
  );
}
