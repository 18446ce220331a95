import { isId } from "../articles/identifier.ts";
import { encodeRecord } from "../log/record-codec.ts";
import { understanding } from "../log/unreadable.ts";
import { LoredexError } from "../model/errors.ts";
import { SNAPSHOT_LOG_BYTES_MIN } from "../model/options.ts";
import type { CatalogRecord } from "../model/records.ts";
import { decideAgain, isOvertaken } from "../nodes/decide-again.ts";
import { Following } from "../nodes/following.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import type { LoadedSnapshot, SnapshotSection, Storage, Store } from "../storage/store.ts";
import { applyCatalog, decodeCatalogRecord, makesBot } from "./catalog-records.ts";
import { type CatalogEntry, type CatalogState, emptyCatalog } from "./catalog-state.ts";
import { storedNamedKey } from "./key-shape.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";
import { settingsOfToday } from "./settings.ts";
import { CATALOG_STORE } from "./store-names.ts";

/** Name of the catalog's cache that holds the figures of bots. */
export const FIGURES_CACHE = "figures";
const SECTION = "bots";
const VERSION = 1;
/** Version of a catalog in which a bot has added keys. A Loredex that does not know these keys would drop them. */
const VERSION_WITH_MORE_KEYS = 2;

/** Dependencies of {@link CatalogStore}. */
export interface CatalogDeps {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly chance: () => number;
  /** Resolves after `ms` milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Called when another node has changed a bot: its entries before and after. */
export type OnOthersChange = (before: CatalogEntry | undefined, after: CatalogEntry | undefined) => void;

/** The durable catalog: all bots with their settings and keys. Changes are rare, and run one after the other. */
export class CatalogStore {
  readonly #deps: CatalogDeps;
  #store: Store;
  #state: CatalogState;
  #following: Following;
  readonly #logger: Logger;
  #byName = new Map<string, string>();
  #keys = new KnownKeys();
  #onOthers: OnOthersChange = () => undefined;
  #reopening: Promise<void> | undefined;
  /** The store is another one now, and was not read yet: the state is that of before. */
  #isOutdated = false;
  readonly #changes = new SerialQueue();
  /** A purge that has not begun yet: later calls share it. */
  #nextPurge: Promise<void> | undefined;

  private constructor(deps: CatalogDeps, store: Store, state: CatalogState) {
    this.#deps = deps;
    this.#store = store;
    this.#state = state;
    this.#logger = deps.logger;
    this.#following = this.#follow(store);
    for (const entry of state.bots.values()) this.#enter(entry);
  }

  /**
   * Opens the catalog; creates it in a new directory.
   * @throws LoredexError `CORRUPT` if it is missing beside bots: a new catalog would lose their keys silently
   */
  static async open(deps: CatalogDeps): Promise<CatalogStore> {
    const { storage } = deps;
    if (!(await storage.exists(CATALOG_STORE))) {
      const others = await storage.list();
      // Another node may have created it meanwhile.
      if (others.length > 0 && !others.includes(CATALOG_STORE)) {
        throw new LoredexError(
          "CORRUPT",
          `The data directory holds ${others.length} stores but no catalog, which knows their names and keys. Restore it from a backup, or finish a copy that was interrupted.`,
        );
      }
      await storage.create(CATALOG_STORE).catch(async (error: unknown) => {
        if (!(await storage.exists(CATALOG_STORE))) throw error;
      });
    }
    return decideAgain({ ...deps, replaced: async () => undefined }, () => CatalogStore.#read(deps));
  }

  static async #read(deps: CatalogDeps): Promise<CatalogStore> {
    const store = await deps.storage.open(CATALOG_STORE);
    try {
      return await CatalogStore.#recovered(deps, store);
    } catch (error) {
      await store.close().catch(() => undefined);
      throw error;
    }
  }

  static async #recovered(deps: CatalogDeps, store: Store): Promise<CatalogStore> {
    const state = emptyCatalog();
    const { snapshot, record } = recoverCatalog(state);
    let purged: ReadonlySet<string> = new Set();
    const report = await store.recover({
      snapshot: (loaded) => {
        snapshot(loaded);
        purged = new Set(state.removed);
      },
      record,
    });
    const catalog = new CatalogStore(deps, store, state);
    const isOlderThere = purged.size > 0 && report.keepsOlder === true;
    if (isOlderThere || catalog.removed.some((id) => !purged.has(id))) await catalog.#endPurge();
    return catalog;
  }

  /** Repeats a purge: an earlier run ended before a removed bot was purged from all files. */
  async #endPurge(): Promise<void> {
    const [botId = ""] = this.removed.slice(-1);
    await this.purgeRemoved(botId);
  }

  /** All bots, by name. */
  entries(): CatalogEntry[] {
    return [...this.#state.bots.values()].sort((a, b) => (a.settings.name < b.settings.name ? -1 : 1));
  }

  /** All bots, in the order in which they were created. */
  all(): CatalogEntry[] {
    return [...this.#state.bots.values()];
  }

  /** Ids of all bots, in the order in which they were created. */
  get ids(): string[] {
    return [...this.#state.bots.keys()];
  }

  find(idOrName: string): CatalogEntry | undefined {
    const id = isId(idOrName) ? idOrName : this.#byName.get(idOrName);
    return id === undefined ? undefined : this.#state.bots.get(id);
  }

  /** Ids of removed bots, whose stores may still exist. */
  get removed(): readonly string[] {
    return [...this.#state.removed];
  }

  /** The bot that a key opens, and which of its keys it is; undefined for an invalid key. Takes the same time whatever is wrong with the key. */
  authenticate(key: string): { readonly entry: CatalogEntry; readonly key: KnownKey } | undefined {
    const known = this.#keys.find(key);
    const entry = known === undefined ? undefined : this.#state.bots.get(known.botId);
    return known === undefined || entry === undefined ? undefined : { entry, key: known };
  }

  /** Whether any key of any bot lists this origin. */
  listsOrigin(origin: string): boolean {
    return this.#keys.listsOrigin(origin);
  }

  /**
   * Runs changes one after the other, so that each is decided on the result of the one before. A change is its decision and its record.
   * Slower work comes before or after it, so that revoking a key does not wait for it.
   */
  exclusively<Result>(change: () => Promise<Result>): Promise<Result> {
    if (this.#store.shared === undefined) return this.#changes.run(change);
    const again = { ...this.#deps, replaced: () => this.#reopen() };
    return this.#changes.run(() => decideAgain(again, () => this.catchUp().then(change)));
  }

  /** Has a function called for each change of a bot by another node. */
  onOthers(changed: OnOthersChange): void {
    this.#onOthers = changed;
  }

  /** Applies what other nodes have written, if there are any. @throws LoredexError `UNREACHABLE` */
  async catchUp(): Promise<void> {
    if (this.#isOutdated) return this.#reopen();
    try {
      await this.#following.catchUp();
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      await this.#reopen();
    }
  }

  /** Reads a history again that is another now, as after a purge by another node. */
  #reopen(): Promise<void> {
    this.#reopening ??= this.#readAgain().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  async #readAgain(): Promise<void> {
    // If the storage stops to answer meanwhile, the next call continues.
    this.#isOutdated = true;
    await this.#store.close();
    const store = await this.#deps.storage.open(CATALOG_STORE);
    const state = emptyCatalog();
    await store.recover(recoverCatalog(state));
    const before = this.#state.bots;
    [this.#store, this.#state, this.#following] = [store, state, this.#follow(store)];
    this.#isOutdated = false;
    [this.#byName, this.#keys] = [new Map(), new KnownKeys()];
    for (const entry of state.bots.values()) this.#enter(entry);
    for (const id of new Set([...before.keys(), ...state.bots.keys()])) {
      this.#onOthers(before.get(id), state.bots.get(id));
    }
  }

  #follow({ shared }: Store): Following {
    const apply = (sequence: number, payload: Uint8Array): void => {
      const record = decodeCatalogRecord(sequence, payload);
      this.#onOthers(...this.#apply(record, sequence));
    };
    return new Following(shared, apply, this.#deps.clock);
  }

  /** Appends and applies a record, which is durable and in force when this resolves. Called within {@link exclusively}. */
  async commit(record: CatalogRecord): Promise<void> {
    this.#refuseIfOutdated();
    const sequence = await this.#store.append(encodeRecord(record), undefined, !makesBot(record));
    this.#apply(record, sequence);
    if (this.#store.sizes().logBytesSinceSnapshot > SNAPSHOT_LOG_BYTES_MIN) await this.#snapshot();
  }

  /** @throws LoredexError `REPLACED`: then {@link exclusively} decides again */
  #refuseIfOutdated(): void {
    if (this.#isOutdated) throw new LoredexError("REPLACED", "The catalog is being read again.");
  }

  /** Returns the bot's entries before and after the record. */
  #apply(record: CatalogRecord, sequence: number): [CatalogEntry | undefined, CatalogEntry | undefined] {
    const before = this.#state.bots.get(record.id);
    if (before !== undefined) this.#leave(before);
    applyCatalog(this.#state, record, sequence);
    const after = this.#state.bots.get(record.id);
    if (after !== undefined) this.#enter(after);
    return [before, after];
  }

  /** Deletes older data from the store's files: names of bots that were removed before the call, digests of keys that were replaced before it. */
  purge(): Promise<void> {
    // Many bots may be removed at once: one waiting purge is enough for all of them.
    if (this.#nextPurge !== undefined) return this.#nextPurge;
    const purge = this.exclusively(async () => {
      this.#nextPurge = undefined;
      this.#refuseIfOutdated();
      await this.#store.purge(async () => ({ sequence: this.#state.sequence, sections: this.#sections() }));
    }).finally(() => {
      // It may have failed before its turn: a later call must not share that.
      if (this.#nextPurge === purge) this.#nextPurge = undefined;
    });
    this.#nextPurge = purge;
    return purge;
  }

  /** Purges after the removal of a bot. A failure is logged, and the next purge repeats the work: the bot is removed in any case. */
  async purgeRemoved(botId: string): Promise<void> {
    try {
      await this.purge();
    } catch (error) {
      const message = "The name of a removed bot could not be deleted from the catalog's older records yet.";
      this.#logger({ level: "warn", event: "removedNotPurged", message, botId, error });
    }
  }

  /** The figures of bots that an earlier run stored; undefined if there are none. */
  readFigures(): Promise<Uint8Array | undefined> {
    return this.#store.readCache(FIGURES_CACHE);
  }

  /** Stores the figures of bots beside the catalog, not durably. */
  writeFigures(figures: Uint8Array): Promise<void> {
    return this.#store.writeCache(FIGURES_CACHE, figures);
  }

  async close(): Promise<void> {
    await this.#changes.settled();
    await this.#reopening?.catch(() => undefined);
    await this.#store.close();
  }

  #sections(): SnapshotSection[] {
    const bots = [...this.#state.bots.values()];
    const bytes = new TextEncoder().encode(JSON.stringify({ bots, removed: this.removed }));
    const version = bots.some(({ moreKeys }) => moreKeys !== undefined) ? VERSION_WITH_MORE_KEYS : VERSION;
    return [{ name: SECTION, version, chunks: [bytes] }];
  }

  #enter(entry: CatalogEntry): void {
    this.#byName.set(entry.settings.name, entry.id);
    this.#keys.enter(entry);
  }

  #leave(entry: CatalogEntry): void {
    this.#byName.delete(entry.settings.name);
    this.#keys.leave(entry);
  }

  async #snapshot(): Promise<void> {
    try {
      await this.#store.writeSnapshot(this.#state.sequence, this.#sections());
    } catch (error) {
      // The log still has everything.
      this.#logger({ level: "warn", event: "snapshotFailed", message: "The catalog's snapshot failed.", error });
    }
  }
}

/** Recovers the catalog from a snapshot and records into `state`, which must be empty. */
export function recoverCatalog(state: CatalogState): {
  snapshot(snapshot: LoadedSnapshot): void;
  record(sequence: number, payload: Uint8Array): void;
} {
  return {
    snapshot: (snapshot) => understanding("The catalog's snapshot", () => loadSnapshot(state, snapshot)),
    record: (sequence, payload) => {
      const record = decodeCatalogRecord(sequence, payload);
      understanding(`Record ${sequence} of the catalog`, () => {
        applyCatalog(state, record, sequence);
        checkEntry(state.bots.get(record.id));
      });
    },
  };
}

/** Checks an entry, so that later code can rely on its fields. @throws TypeError, RangeError */
function checkEntry(entry: CatalogEntry | undefined): void {
  if (entry === undefined) return;
  const { name, language, embedder } = entry.settings;
  const isWhole = [name, language, embedder].every((text) => typeof text === "string");
  if (!isId(entry.id) || !isWhole) throw new TypeError("a bot has no id, name, language or embedder");
  // Throws for an invalid time.
  new Date(entry.createdAtMs).toISOString();
  for (const key of entry.moreKeys ?? []) storedNamedKey(key);
}

function loadSnapshot(state: CatalogState, { sequence, sections }: LoadedSnapshot): void {
  const section = sections.get(SECTION);
  if (section === undefined || (section.version !== VERSION && section.version !== VERSION_WITH_MORE_KEYS)) {
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      "The catalog was written by a newer version of Loredex: use that one.",
    );
  }
  // Boundary: the section's checksum has been verified and this version of the format wrote it.
  const { bots, removed } = JSON.parse(new TextDecoder().decode(section.bytes)) as {
    bots: CatalogEntry[];
    removed: string[];
  };
  for (const entry of bots) {
    checkEntry(entry);
    state.bots.set(entry.id, { ...entry, settings: settingsOfToday(entry.settings) });
  }
  for (const id of removed) state.removed.add(id);
  state.sequence = sequence;
}
