import { isId } from "../articles/identifier.ts";
import { encodeRecord } from "../log/record-codec.ts";
import { isSnapshotDue, WHILE_WRITTEN } from "../log/snapshot-due.ts";
import { LoredexError } from "../model/errors.ts";
import type { CatalogRecord } from "../model/records.ts";
import { decideAgain, isOvertaken } from "../nodes/decide-again.ts";
import { Following } from "../nodes/following.ts";
import { JobTurn } from "../nodes/job-turn.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import { TimeSlices } from "../scheduling/time-slices.ts";
import type { PurgeSnapshot, Storage, Store } from "../storage/store.ts";
import { isLasting } from "./bot-faults.ts";
import { CatalogPurges } from "./catalog-purges.ts";
import { applyCatalog, decodeCatalogRecord, makesBot } from "./catalog-records.ts";
import { catalogSections, recoverCatalog } from "./catalog-snapshot.ts";
import { type CatalogEntry, type CatalogState, emptyCatalog } from "./catalog-state.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";
import { CATALOG_STORE, storeName } from "./store-names.ts";

/** Name of the catalog's cache that holds the figures of bots. */
export const FIGURES_CACHE = "figures";
/** The pause before a catalog that could not be read is read again, in milliseconds. */
const UNREADABLE_MS = 5_000;

/** Dependencies of {@link CatalogStore}. */
export interface CatalogDeps {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly chance: () => number;
  /** Resolves after `ms` milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly idleSleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Called when another node has changed a bot: its entries before and after. */
export type OnOthersChange = (before: CatalogEntry | undefined, after: CatalogEntry | undefined) => void;

/** The durable catalog: all bots with their settings and keys. Changes are rare, and run one after the other. */
export class CatalogStore {
  readonly #deps: CatalogDeps;
  #store: Store;
  #state: CatalogState;
  #following: Following;
  /** Why the catalog could not be read again, and until when that is not tried. */
  #unreadable: { readonly error: unknown; readonly untilMs: number } | undefined;
  /** Snapshots are one node's job. */
  #turn: JobTurn;
  readonly #logger: Logger;
  #byName = new Map<string, string>();
  #keys = new KnownKeys();
  #onOthers: OnOthersChange = () => undefined;
  #reopening: Promise<void> | undefined;
  /** The store is another one now, and was not read yet: the state is that of before. */
  #isOutdated = false;
  readonly #changes = new SerialQueue();
  readonly #purges: CatalogPurges;
  /** Snapshots and purges, one after the other. Changes continue meanwhile. */
  readonly #copies = new SerialQueue();
  #isSnapshotWaiting = false;
  /** Bytes of the log at the last snapshot that failed. */
  #failedAtBytes: number | undefined;

  private constructor(deps: CatalogDeps, store: Store, state: CatalogState) {
    this.#deps = deps;
    this.#store = store;
    this.#state = state;
    this.#logger = deps.logger;
    this.#following = this.#follow(store);
    this.#turn = this.#turnOf(store);
    this.#purges = new CatalogPurges({
      ...deps,
      isShared: store.shared !== undefined,
      sequence: () => this.#state.sequence,
      queue: this.#copies,
      purge: (through) => this.#purge(through),
    });
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
    const { snapshotSequence, keptAfter = snapshotSequence } = await store.recover(recoverCatalog(state));
    const catalog = new CatalogStore(deps, store, state);
    const [botId = ""] = catalog.removed.slice(-1);
    // An earlier run ended before a removed bot was purged from all that is stored.
    if (state.removedAt > keptAfter) await catalog.#purges.afterRemoval(botId, false);
    return catalog;
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

  /** Its staleness in milliseconds: 0 for a storage that only this process uses. */
  get ageMs(): number {
    return this.#following.ageMs;
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
    this.#reopening ??= this.#readAgainUnlessUnreadable().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  /** Throws the last error for a while if the catalog could not be read, since all of it would be read each time. */
  async #readAgainUnlessUnreadable(): Promise<void> {
    const { clock } = this.#deps;
    if (this.#unreadable !== undefined && clock.monotonicMs() < this.#unreadable.untilMs) throw this.#unreadable.error;
    try {
      await this.#readAgain();
    } catch (error) {
      if (isLasting(error)) this.#unreadable = { error, untilMs: clock.monotonicMs() + UNREADABLE_MS };
      throw error;
    }
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
    [this.#turn, this.#failedAtBytes, this.#isOutdated] = [this.#turnOf(store), undefined, false];
    [this.#byName, this.#keys] = [new Map(), new KnownKeys()];
    for (const entry of state.bots.values()) this.#enter(entry);
    for (const id of new Set([...before.keys(), ...state.bots.keys()])) {
      this.#onOthers(before.get(id), state.bots.get(id));
    }
  }

  #turnOf({ shared }: Store): JobTurn {
    return new JobTurn("snapshot", shared, this.#deps.clock);
  }

  #follow({ shared }: Store): Following {
    const apply = (sequence: number, payload: Uint8Array): void => {
      const record = decodeCatalogRecord(sequence, payload);
      this.#onOthers(...this.#apply(record, sequence));
    };
    // The state has nothing of what another node has purged: it is the one that the purge has kept.
    return new Following(shared, apply, this.#deps.clock, { purged: () => undefined });
  }

  /** Appends and applies a record, which is durable and in force when this resolves. Called within {@link exclusively}. */
  async commit(record: CatalogRecord): Promise<void> {
    this.#refuseIfOutdated();
    const sequence = await this.#store.append(encodeRecord(record), undefined, !makesBot(record));
    this.#apply(record, sequence);
    this.#snapshotIfDue();
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
    return this.#purges.now();
  }

  /** Purges after the removal of a bot. A failure is logged, and the next purge repeats the work: the bot is removed in any case. */
  purgeRemoved(botId: string): Promise<void> {
    return this.#purges.afterRemoval(botId);
  }

  /** Deletes the store of a bot that is not in the catalog. On a shared storage that holds up to the deletion: a node that enters the bot is not overlooked. */
  async removeStore(botId: string): Promise<void> {
    const { storage } = this.#deps;
    if (storage.shared === undefined) return storage.remove(storeName(botId));
    await decideAgain({ ...this.#deps, replaced: () => this.#reopen() }, async () => {
      await this.catchUp();
      this.#refuseIfOutdated();
      if (!this.#state.bots.has(botId)) await storage.remove(storeName(botId), this.#store.shared?.head());
    });
  }

  async #purge(through = this.#state.sequence): Promise<void> {
    const purge = async (): Promise<void> => {
      await this.catchUp();
      this.#refuseIfOutdated();
      await this.#store.purge((last) => this.#purged(last, through));
    };
    if (this.#store.shared === undefined) return purge();
    await decideAgain({ ...this.#deps, replaced: () => this.#reopen() }, purge);
  }

  async #purged(last: number, through: number): Promise<PurgeSnapshot> {
    const slices = new TimeSlices(this.#deps.clock);
    // A record is applied a moment after it was appended.
    while (this.#state.sequence < last) await slices.yield();
    const { sequence } = this.#state;
    const sections = catalogSections(this.#state, this.#deps.clock);
    return { sequence, sections, erasesThrough: Math.min(through, sequence) };
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
    await this.#purges.close();
    await this.#reopening?.catch(() => undefined);
    await this.#store.close();
  }

  #enter(entry: CatalogEntry): void {
    this.#byName.set(entry.settings.name, entry.id);
    this.#keys.enter(entry);
  }

  #leave(entry: CatalogEntry): void {
    this.#byName.delete(entry.settings.name);
    this.#keys.leave(entry);
  }

  /** Writes a snapshot in the background if the log has grown enough, by the rule of bots. */
  #snapshotIfDue(): void {
    if (this.#isSnapshotWaiting || !isSnapshotDue(this.#store.sizes(), WHILE_WRITTEN, this.#failedAtBytes)) return;
    this.#isSnapshotWaiting = true;
    void this.#copies.run(() =>
      this.#snapshot().finally(() => {
        this.#isSnapshotWaiting = false;
      }),
    );
  }

  /** Never rejects. */
  async #snapshot(): Promise<void> {
    const [store, turn] = [this.#store, this.#turn];
    try {
      if (!(await turn.take())) return;
      await this.#writeSnapshot(store, turn).finally(() => turn.leave());
      this.#failedAtBytes = undefined;
    } catch (error) {
      // The history is another one now: the catalog is read again.
      if (isOvertaken(error)) return;
      // The log still has everything.
      this.#failedAtBytes = store.sizes().logBytesSinceSnapshot;
      this.#logger({ level: "warn", event: "snapshotFailed", message: "The catalog's snapshot failed.", error });
    }
  }

  async #writeSnapshot(store: Store, turn: JobTurn): Promise<void> {
    this.#refuseIfOutdated();
    const { sequence } = this.#state;
    const sections = catalogSections(this.#state, this.#deps.clock);
    await store.writeSnapshot(
      sequence,
      sections.map((section) => ({ ...section, chunks: turn.during(section.chunks) })),
    );
  }
}
