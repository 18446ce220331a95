import { isId } from "../articles/identifier.ts";
import { type RecordedPlace, RecordedState } from "../log/recorded-state.ts";
import { LoredexError } from "../model/errors.ts";
import { must } from "../model/must.ts";
import type { CatalogRecord } from "../model/records.ts";
import type { Store } from "../storage/store.ts";
import { applyCatalog } from "./catalog-records.ts";
import { CATALOG } from "./catalog-snapshot.ts";
import type { CatalogEntry, CatalogState } from "./catalog-state.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";
import { CATALOG_STORE, insightsName, storeName } from "./store-names.ts";

/** Name of the catalog's cache that holds the figures of bots. */
export const FIGURES_CACHE = "figures";

/** Called when another node has changed a bot: its entries before and after. */
export type OnOthersChange = (before: CatalogEntry | undefined, after: CatalogEntry | undefined) => void;

/** The durable catalog: all bots with their settings and keys. */
export class CatalogStore {
  readonly #storage: RecordedPlace["storage"];
  readonly #recorded: RecordedState<CatalogState, CatalogRecord>;
  #byName = new Map<string, string>();
  #keys = new KnownKeys();
  #onOthers: OnOthersChange = () => undefined;

  private constructor(place: RecordedPlace) {
    this.#storage = place.storage;
    this.#recorded = new RecordedState({
      ...place,
      kind: CATALOG,
      apply: (state, record, sequence, isOwn) => this.#apply(state, record, sequence, isOwn),
      onRead: (state, before) => this.#onRead(state, before),
      notPurged: (error) => {
        const message = "The name of a removed bot could not be deleted from the catalog's older records yet.";
        const [botId = ""] = this.removed.slice(-1);
        place.logger({ level: "warn", event: "removedNotPurged", message, botId, error });
      },
    });
  }

  /**
   * Opens the catalog; creates it in a new directory.
   * @throws LoredexError `CORRUPT` if it is missing beside bots: a new catalog would lose their keys silently
   */
  static async open(place: RecordedPlace): Promise<CatalogStore> {
    const { storage } = place;
    const catalog = new CatalogStore(place);
    if (!(await storage.exists(CATALOG_STORE))) {
      const others = await storage.list();
      // Another node may have created it meanwhile.
      if (others.length > 0 && !others.includes(CATALOG_STORE)) {
        throw new LoredexError(
          "CORRUPT",
          `The data directory holds ${others.length} stores but no catalog, which knows their names and keys. Restore it from a backup, or finish a copy that was interrupted.`,
        );
      }
      await catalog.#recorded.create();
    }
    await catalog.#recorded.open();
    return catalog;
  }

  get #bots(): ReadonlyMap<string, CatalogEntry> {
    return this.#recorded.state.bots;
  }

  /** All bots, by name. */
  entries(): CatalogEntry[] {
    return this.all().sort((a, b) => (a.settings.name < b.settings.name ? -1 : 1));
  }

  /** All bots, in the order in which they were created. */
  all(): CatalogEntry[] {
    return [...this.#bots.values()];
  }

  /** Ids of all bots, in the order in which they were created. */
  get ids(): string[] {
    return [...this.#bots.keys()];
  }

  find(idOrName: string): CatalogEntry | undefined {
    const id = isId(idOrName) ? idOrName : this.#byName.get(idOrName);
    return id === undefined ? undefined : this.#bots.get(id);
  }

  /** Ids of removed bots, whose stores may still exist. */
  get removed(): readonly string[] {
    return [...this.#recorded.state.removed];
  }

  /** The bot that a key opens, and which of its keys it is; undefined for an invalid key. Takes the same time whatever is wrong with the key. */
  authenticate(key: string): { readonly entry: CatalogEntry; readonly key: KnownKey } | undefined {
    const known = this.#keys.find(key);
    const entry = known === undefined ? undefined : this.#bots.get(known.botId);
    return known === undefined || entry === undefined ? undefined : { entry, key: known };
  }

  /** Whether any key of any bot lists this origin. */
  listsOrigin(origin: string): boolean {
    return this.#keys.listsOrigin(origin);
  }

  /** Runs changes one after the other. See {@link RecordedState.exclusively}. */
  exclusively<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#recorded.exclusively(change);
  }

  /** Has a function called for each change of a bot by another node. */
  onOthers(changed: OnOthersChange): void {
    this.#onOthers = changed;
  }

  /** Its staleness in milliseconds: 0 for a storage that only this process uses. */
  get ageMs(): number {
    return this.#recorded.ageMs;
  }

  /** Applies what other nodes have written, if there are any. @throws LoredexError `UNREACHABLE` */
  catchUp(): Promise<void> {
    return this.#recorded.catchUp();
  }

  /** Appends and applies a record, which is durable and in force when this resolves. Called within {@link exclusively}. */
  commit(record: CatalogRecord): Promise<void> {
    return this.#recorded.commit(record);
  }

  /** Deletes older data from the store's files: names of bots that were removed before the call, digests of keys that were replaced before it. */
  purge(): Promise<void> {
    return this.#recorded.purge();
  }

  /** Purges after the removal of a bot. A failure is logged, and the next purge repeats the work: the bot is removed in any case. */
  purgeRemoved(): Promise<void> {
    return this.#recorded.purgeRemoved();
  }

  /** Deletes the stores of a bot that is not in the catalog. On a shared storage that holds up to the deletion: a node that enters the bot is not overlooked. */
  async removeStore(botId: string): Promise<void> {
    const remove = async (head?: string): Promise<void> => {
      await this.#storage.remove(insightsName(botId), head);
      await this.#storage.remove(storeName(botId), head);
    };
    if (this.#storage.shared === undefined) return remove();
    await this.#recorded.decided(async (head) => {
      if (!this.#bots.has(botId)) await remove(head);
    });
  }

  /** The figures of bots that an earlier run stored; undefined if there are none. */
  readFigures(): Promise<Uint8Array | undefined> {
    return this.#store.readCache(FIGURES_CACHE);
  }

  /** Stores the figures of bots beside the catalog, not durably. */
  writeFigures(figures: Uint8Array): Promise<void> {
    return this.#store.writeCache(FIGURES_CACHE, figures);
  }

  close(): Promise<void> {
    return this.#recorded.close();
  }

  get #store(): Store {
    return must(this.#recorded.store, "the store of the catalog");
  }

  #apply(state: CatalogState, record: CatalogRecord, sequence: number, isOwn: boolean): void {
    const before = state.bots.get(record.id);
    if (before !== undefined) this.#leave(before);
    applyCatalog(state, record, sequence);
    const after = state.bots.get(record.id);
    if (after !== undefined) this.#enter(after);
    if (!isOwn) this.#onOthers(before, after);
  }

  #onRead({ bots }: CatalogState, { bots: before }: CatalogState): void {
    [this.#byName, this.#keys] = [new Map(), new KnownKeys()];
    for (const entry of bots.values()) this.#enter(entry);
    for (const id of new Set([...before.keys(), ...bots.keys()])) this.#onOthers(before.get(id), bots.get(id));
  }

  #enter(entry: CatalogEntry): void {
    this.#byName.set(entry.settings.name, entry.id);
    this.#keys.enter(entry);
  }

  #leave(entry: CatalogEntry): void {
    this.#byName.delete(entry.settings.name);
    this.#keys.leave(entry);
  }
}
