import { CATALOG } from "../catalog/catalog-snapshot.ts";
import { type CatalogState, emptyCatalog } from "../catalog/catalog-state.ts";
import { FIGURES_CACHE } from "../catalog/catalog-store.ts";
import { ADMIN_STORE, botIdOfInsights, CATALOG_STORE, insightsName, storeName } from "../catalog/store-names.ts";
import { type EmbedderOffer, OFFER_OPTIONS } from "../embedding/embedder.ts";
import { recoverRecorded } from "../log/recorded-kind.ts";
import { GRAPH_CACHE } from "../model/derived-sections.ts";
import { LoredexError } from "../model/errors.ts";
import { A_FUNCTION, A_SIGNAL, anObjectWith, type OptionKinds, recordOf } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";
import type { Storage, Store } from "../storage/store.ts";
import { areSame, type Contents, contentsOf, copyStore, readStore } from "./copy-store.ts";
import { TokenCodesCopier } from "./copy-token-codes.ts";

/** How far a copy is. */
export interface CopyProgress {
  /** Bots of the source. */
  readonly bots: number;
  /** Bots that are whole in the target. */
  readonly botsDone: number;
  /** Records that were sent to the target by this call. A snapshot is not counted. */
  readonly records: number;
}

/** Options of {@link copyStores}. */
export interface CopyOptions {
  /** Called after each bot, and after each 1,000 records. What it throws ends the copy. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Ends the copy. The same call continues it. */
  readonly signal?: AbortSignal;
  /** The embedders of the bots whose token codes are copied, as of `Engine.open`. Those of other bots are made again in the target. Default: none. */
  readonly embedders?: Readonly<Record<string, EmbedderOffer>>;
}

/** The result of a copy. */
export interface CopyReport {
  /** Bots of the source, all of which are in the target now. */
  readonly bots: number;
  /** Bots that an earlier copy had brought. */
  readonly botsBefore: number;
  /** Records that were copied by this call. */
  readonly records: number;
}

const COPY_OPTIONS: OptionKinds<CopyOptions> = {
  onProgress: A_FUNCTION,
  signal: A_SIGNAL,
  embedders: recordOf<EmbedderOffer>(OFFER_OPTIONS),
};
const A_STORAGE = anObjectWith<Storage>("a storage", "create", "open", "list", "exists");
const PROGRESS_RECORDS = 1_000;
/** Stores of a shared source that are asked at once for later records. */
const ASKED_MAX = 32;

/**
 * Copies all bots with their keys and settings, and admin keys with their sessions and the audit log. Each bot appears in the target when it is whole, and the catalog is copied last. So no engine opens a target
 * that lacks something. Settings, keys, articles, documents, vectors and windows are the same afterwards, and token codes of `embedders`.
 *
 * Nothing may write to the source meanwhile. A data directory is locked by its storage. The nodes of a database must be stopped, and the copy fails if it
 * finds that one has written.
 *
 * The target must be empty, or hold nothing but an interrupted copy of this source: then bots that are the same are skipped, and others are replaced.
 * Both storages stay open.
 * @throws LoredexError `BOT_EXISTS` if the target holds anything else, `CONFLICT` if the source was written to, and the errors of both storages
 */
export async function copyStores(from: Storage, to: Storage, options: CopyOptions = {}): Promise<CopyReport> {
  const kinds = { from: A_STORAGE, to: A_STORAGE, options: COPY_OPTIONS };
  requireArguments("copyStores", { from, to, options }, kinds);
  const copier = new Copier(from, to, options);
  try {
    return await copier.copy();
  } finally {
    await copier.close();
  }
}

class Copier {
  readonly #from: Storage;
  readonly #to: Storage;
  readonly #options: CopyOptions;
  /** Stores of a shared source. They stay open, so that later records can be found without reading all again. */
  readonly #watched = new Map<string, Store>();
  readonly #tokenCodes: TokenCodesCopier;
  #progress: CopyProgress = { bots: 0, botsDone: 0, records: 0 };

  constructor(from: Storage, to: Storage, options: CopyOptions) {
    this.#from = from;
    this.#to = to;
    this.#options = options;
    this.#tokenCodes = new TokenCodesCopier(options.embedders ?? {}, options.signal);
  }

  async copy(): Promise<CopyReport> {
    if (!(await this.#from.exists(CATALOG_STORE))) {
      throw new LoredexError(
        "CORRUPT",
        "The source of the copy has no catalog: it is empty, or a copy to it was interrupted.",
      );
    }
    const state = emptyCatalog();
    const catalog = await contentsOf(this.#from, CATALOG_STORE, recoverRecorded(CATALOG, state));
    const beside = await this.#besideBots(state);
    const before = await this.#copiedBefore(state, catalog, beside);
    this.#progress = { ...this.#progress, bots: state.bots.size };
    let botsBefore = 0;
    for (const [id, { settings }] of state.bots) {
      if (await this.#copyOne(storeName(id), before, settings.embedder)) botsBefore += 1;
      this.#tell({ botsDone: this.#progress.botsDone + 1 });
    }
    for (const name of beside) await this.#copyOne(name, before);
    await this.#refuseIfWritten();
    if (!before.isComplete) await this.#copyCatalog(catalog);
    return { bots: state.bots.size, botsBefore, records: this.#progress.records };
  }

  async close(): Promise<void> {
    for (const store of this.#watched.values()) await store.close();
    await this.#tokenCodes.close();
  }

  /** Names of the stores of the source that are copied beside those of bots. */
  async #besideBots({ bots }: CatalogState): Promise<string[]> {
    const isKept = (store: string): boolean => {
      const botId = botIdOfInsights(store);
      return store === ADMIN_STORE || (botId !== undefined && bots.has(botId));
    };
    return (await this.#from.list()).filter(isKept).sort();
  }

  /** What an earlier copy left in the target. @throws LoredexError `BOT_EXISTS` */
  async #copiedBefore(state: CatalogState, catalog: Contents, beside: readonly string[]): Promise<CopiedBefore> {
    const stores = new Set(await this.#to.list());
    let isComplete = false;
    if (stores.delete(CATALOG_STORE)) {
      const there = await contentsOf(this.#to, CATALOG_STORE);
      isComplete = there.lastSequence > 0;
      if (isComplete && !areSame(there, catalog)) throw taken("it has a catalog");
    }
    const removed = new Set([...state.removed].flatMap((id) => [storeName(id), insightsName(id)]));
    const expected = new Set([...[...state.bots.keys()].map(storeName), ...beside]);
    const foreign = [...stores].find((name) => !expected.has(name) && !removed.has(name));
    if (foreign !== undefined) throw taken(`the source does not know its store ${foreign}`);
    // The bot was removed from the source since the earlier copy.
    for (const name of stores) if (removed.has(name)) await this.#to.remove(name);
    return { stores, isComplete };
  }

  /** Copies a store. Returns whether it was there before. @param embedder that of its bot */
  async #copyOne(name: string, { stores, isComplete }: CopiedBefore, embedder = ""): Promise<boolean> {
    this.#options.signal?.throwIfAborted();
    if (stores.has(name)) {
      const there = await contentsOf(this.#to, name);
      const { store, contents } = await readStore(this.#from, name);
      if (areSame(there, contents)) {
        await this.#completed(name, embedder, store);
        await this.#keep(name, store);
        return true;
      }
      await store.close();
      if (isComplete || there.lastSequence > contents.lastSequence) throw taken(`its store ${name} is another`);
    }
    const { store } = await copyStore(this.#from, this.#to, name, {
      replaces: stores.has(name),
      caches: [GRAPH_CACHE],
      more: (source, target) => this.#tokenCodes.copy(embedder, source, target),
      onRecord: () => this.#count(),
    });
    await this.#keep(name, store);
    return false;
  }

  /** Copies the token codes that a whole copy lacks: an earlier call may have had no embedder for them. Closes the source's store if that is aborted. */
  async #completed(name: string, embedder: string, source: Store): Promise<void> {
    if (this.#options.embedders === undefined || !Object.hasOwn(this.#options.embedders, embedder)) return;
    const { store: target } = await readStore(this.#to, name);
    try {
      await this.#tokenCodes.copy(embedder, source, target);
    } catch (error) {
      await source.close();
      throw error;
    } finally {
      await target.close();
    }
  }

  /** Copies the catalog, if it is still the one that was read. */
  async #copyCatalog(known: Contents): Promise<void> {
    const { store } = await copyStore(this.#from, this.#to, CATALOG_STORE, {
      // Only a catalog without a record is there.
      replaces: true,
      caches: [FIGURES_CACHE],
      onRecord: () => this.#count(),
      check: (contents) => {
        if (!areSame(contents, known)) throw written(CATALOG_STORE);
      },
    });
    await store.close();
  }

  async #keep(name: string, store: Store): Promise<void> {
    if (store.shared === undefined) await store.close();
    else this.#watched.set(name, store);
  }

  /** @throws LoredexError `CONFLICT` if a node has written to a copied store */
  async #refuseIfWritten(): Promise<void> {
    const stores = [...this.#watched];
    for (let at = 0; at < stores.length; at += ASKED_MAX) {
      this.#options.signal?.throwIfAborted();
      await Promise.all(stores.slice(at, at + ASKED_MAX).map(([name, store]) => refuseIfFollowed(name, store)));
    }
  }

  #count(): void {
    this.#options.signal?.throwIfAborted();
    const records = this.#progress.records + 1;
    if (records % PROGRESS_RECORDS === 0) this.#tell({ records });
    else this.#progress = { ...this.#progress, records };
  }

  #tell(changed: Partial<CopyProgress>): void {
    this.#progress = { ...this.#progress, ...changed };
    this.#options.onProgress?.(this.#progress);
  }
}

/** What an earlier copy has left in the target. */
interface CopiedBefore {
  /** Stores that the source has too, beside the catalog. */
  readonly stores: ReadonlySet<string>;
  /** Whether the catalog is there: then all bots must be the same. */
  readonly isComplete: boolean;
}

async function refuseIfFollowed(name: string, { shared }: Store): Promise<void> {
  let isWritten = false;
  try {
    await shared?.follow(() => {
      isWritten = true;
    });
  } catch (error) {
    if (!(error instanceof LoredexError) || error.code !== "REPLACED") throw error;
    isWritten = true;
  }
  if (isWritten) throw written(name);
}

function taken(what: string): LoredexError {
  const message = `The target of the copy is not empty, and holds no unfinished copy of this source: ${what}. Choose an empty target.`;
  return new LoredexError("BOT_EXISTS", message);
}

function written(name: string): LoredexError {
  const message = `The source was written to while it was copied (${name}). Stop all its nodes, then copy again: what is the same is not copied twice.`;
  return new LoredexError("CONFLICT", message);
}
