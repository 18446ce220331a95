import { isDamage, LoredexError } from "../model/errors.ts";
import { decideAgain, isOvertaken } from "../nodes/decide-again.ts";
import { Following } from "../nodes/following.ts";
import { JobTurn } from "../nodes/job-turn.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import { TimeSlices } from "../scheduling/time-slices.ts";
import type { PurgeSnapshot, Storage, Store } from "../storage/store.ts";
import { encodeRecord } from "./record-codec.ts";
import { type Recorded, type RecordedKind, recoverRecorded } from "./recorded-kind.ts";
import { RecordedPurges } from "./recorded-purges.ts";
import { isSnapshotDue, WHILE_WRITTEN } from "./snapshot-due.ts";

/** The pause before a state that could not be read is read again, in milliseconds. */
const UNREADABLE_MS = 5_000;

/** What a recorded state needs of the engine. */
export interface RecordedPlace {
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

/** Dependencies of {@link RecordedState}. */
export interface RecordedStateDeps<State extends Recorded, Entry extends { readonly kind: string }>
  extends RecordedPlace {
  readonly kind: RecordedKind<State, Entry>;
  /** Applies a record, of this node or of another one, also to what its owner derives from the state. Default: the kind's `apply`. */
  readonly apply?: (state: State, record: Entry, sequence: number, isOwn: boolean) => void;
  /** Called when the whole state was read, at first and when the stored history is another one. */
  readonly onRead?: (state: State, before: State) => void;
  /** Called when the purge after a removal has failed. The next purge repeats the work. Default: nothing is called. */
  readonly notPurged?: (error: unknown) => void;
}

/** A store that is open, and how it is followed. */
interface OpenStore {
  readonly store: Store;
  readonly following: Following;
  /** Snapshots are one node's job. */
  readonly turn: JobTurn;
}

/**
 * A state in memory that is all records of one store, applied in order: those of this node, and those of others on a shared storage. Its first use reads
 * it. Changes run one after the other.
 */
export class RecordedState<State extends Recorded, Entry extends { readonly kind: string }> {
  readonly #deps: RecordedStateDeps<State, Entry>;
  #state: State;
  /** Undefined before the state was read, and as long as no record has created the store. */
  #open: OpenStore | undefined;
  /** The stored history was not read yet, or is another one since: the state is that of before. */
  #isOutdated = true;
  #isClosed = false;
  /** When the store was last found missing, by the monotonic clock. */
  #missingSinceMs = 0;
  /** Why the state could not be read, and until when that is not tried. */
  #unreadable: { readonly error: unknown; readonly untilMs: number } | undefined;
  #reopening: Promise<void> | undefined;
  #wasRead = false;
  readonly #changes = new SerialQueue();
  readonly #purges: RecordedPurges;
  /** Snapshots and purges, one after the other. Changes continue meanwhile. */
  readonly #copies = new SerialQueue();
  #isSnapshotWaiting = false;
  /** Bytes of the log at the last snapshot that failed. */
  #failedAtBytes: number | undefined;

  constructor(deps: RecordedStateDeps<State, Entry>) {
    this.#deps = deps;
    this.#state = deps.kind.empty();
    this.#purges = new RecordedPurges({
      ...deps,
      isShared: deps.storage.shared !== undefined,
      sequence: () => this.#state.sequence,
      queue: this.#copies,
      purge: (through) => this.#purge(through),
      notPurged: deps.notPurged ?? (() => undefined),
    });
  }

  /** The state, which must not be changed: empty before it was read. Another object when the stored history is another one. */
  get state(): State {
    return this.#state;
  }

  /** The store, for its caches; undefined while there is none. */
  get store(): Store | undefined {
    return this.#open?.store;
  }

  /** The staleness in milliseconds: 0 for a storage that only this process uses. */
  get ageMs(): number {
    const { storage, clock } = this.#deps;
    if (storage.shared === undefined) return 0;
    return this.#open?.following.ageMs ?? clock.monotonicMs() - this.#missingSinceMs;
  }

  /** Reads the state. Other calls do that too, if it was not called. @throws LoredexError, as of a store that cannot be read */
  open(): Promise<void> {
    return this.#reopen();
  }

  /** Creates the store, unless another node was quicker. */
  async create(): Promise<void> {
    const { storage, kind } = this.#deps;
    await storage.create(kind.store).catch(async (error: unknown) => {
      if (!(await storage.exists(kind.store))) throw error;
    });
  }

  /**
   * Runs changes one after the other, so that each is decided on the result of the one before. A change is its decision and its record.
   * Slower work comes before or after it, so that no change waits for it. On a shared storage a change runs again if another node was quicker.
   */
  exclusively<Result>(change: () => Promise<Result>): Promise<Result> {
    const { shared } = this.#deps.storage;
    if (shared === undefined && !this.#isOutdated) return this.#changes.run(change);
    const current = (): Promise<Result> => this.catchUp().then(change);
    return this.#changes.run(shared === undefined ? current : () => this.#again(current));
  }

  /** Appends and applies a record, which is durable and in force when this resolves. The first record creates the store. Called within {@link exclusively}. */
  async commit(record: Entry): Promise<void> {
    this.#refuseIfOutdated();
    const { store } = this.#open ?? (await this.#begun());
    const sequence = await store.append(encodeRecord(record), undefined, this.#deps.kind.frees(record));
    this.#apply(record, sequence, true);
    this.#snapshotIfDue();
  }

  /** Creates and opens the store for its first record. @throws LoredexError `CONFLICT` if another node has written that: the change is decided again */
  async #begun(): Promise<OpenStore> {
    await this.create();
    // A reading that began earlier may have missed the store.
    await this.#reopening?.catch(() => undefined);
    await this.#reopen();
    if (this.#open !== undefined && this.#state.sequence === 0) return this.#open;
    throw new LoredexError("CONFLICT", `Another node has written to the ${this.#deps.kind.name} first.`);
  }

  /** Applies what other nodes have written, if there are any, up to the call or to `staleMs` milliseconds before. @throws LoredexError `UNREACHABLE` */
  async catchUp(staleMs = 0): Promise<void> {
    if (this.#isOutdated) return this.#reopen();
    if (this.#open === undefined) {
      // Another node may have created the store.
      const isFresh = this.#deps.storage.shared === undefined || (staleMs > 0 && this.ageMs <= staleMs);
      return isFresh ? undefined : this.#reopen();
    }
    try {
      await this.#open.following.catchUp(staleMs);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      await this.#reopen();
    }
  }

  /**
   * Runs work that is decided on the state without being a change, and on a shared storage again if another node has written meanwhile. `work` gets the
   * {@link SharedStore.head} of the state.
   */
  decided<Result>(work: (head: string | undefined) => Promise<Result>): Promise<Result> {
    const current = async (): Promise<Result> => {
      await this.catchUp();
      this.#refuseIfOutdated();
      return work(this.#open?.store.shared?.head());
    };
    return this.#deps.storage.shared === undefined ? current() : this.#again(current);
  }

  /** Deletes all that was removed or replaced before the call from the store's files. */
  purge(): Promise<void> {
    return this.#purges.now();
  }

  /** The same after a removal, within a minute if other nodes use the store. Never rejects. */
  purgeRemoved(): Promise<void> {
    return this.#purges.afterRemoval();
  }

  /** Finishes running changes and purges, and closes the store. */
  async close(): Promise<void> {
    await this.#changes.settled();
    await this.#purges.close();
    this.#isClosed = true;
    await this.#reopening?.catch(() => undefined);
    await this.#open?.store.close();
  }

  #again<Result>(work: () => Promise<Result>): Promise<Result> {
    return decideAgain({ ...this.#deps, replaced: () => this.#reopen() }, work);
  }

  /** @throws LoredexError `REPLACED`: then {@link exclusively} decides again */
  #refuseIfOutdated(): void {
    if (this.#isOutdated) throw new LoredexError("REPLACED", `The ${this.#deps.kind.name} is being read again.`);
  }

  #apply(record: Entry, sequence: number, isOwn: boolean): void {
    const { apply = this.#deps.kind.apply } = this.#deps;
    apply(this.#state, record, sequence, isOwn);
  }

  /** Reads the state at first, and a history that is another one now, as after a purge by another node. There may be another purge while it is read. */
  #reopen(): Promise<void> {
    const again = { ...this.#deps, replaced: async () => undefined };
    this.#reopening ??= decideAgain(again, () => this.#readUnlessUnreadable()).finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  /** Throws the last error for a while if the store could not be read, since all of it would be read each time. */
  async #readUnlessUnreadable(): Promise<void> {
    const { clock } = this.#deps;
    if (this.#isClosed) throw new LoredexError("CLOSED", "The engine is closed.");
    if (this.#unreadable !== undefined && clock.monotonicMs() < this.#unreadable.untilMs) throw this.#unreadable.error;
    try {
      await this.#read();
    } catch (error) {
      if (isDamage(error)) this.#unreadable = { error, untilMs: clock.monotonicMs() + UNREADABLE_MS };
      throw error;
    }
  }

  async #read(): Promise<void> {
    const { storage, kind, clock, onRead } = this.#deps;
    // If the storage stops to answer meanwhile, the next call continues.
    this.#isOutdated = true;
    await this.#open?.store.close();
    const nowMs = clock.monotonicMs();
    const isThere = kind.isRequired || (await storage.exists(kind.store));
    const store = isThere ? await storage.open(kind.store) : undefined;
    const state = kind.empty();
    const recovered = await store?.recover(recoverRecorded(kind, state, clock)).catch(async (error: unknown) => {
      await store.close().catch(() => undefined);
      throw error;
    });
    const before = this.#state;
    [this.#state, this.#failedAtBytes, this.#isOutdated, this.#missingSinceMs] = [state, undefined, false, nowMs];
    this.#open = store && {
      store,
      following: this.#follow(store),
      turn: new JobTurn("snapshot", store.shared, clock),
    };
    onRead?.(state, before);
    if (this.#wasRead) return;
    this.#wasRead = true;
    const { snapshotSequence = 0, keptAfter = snapshotSequence } = recovered ?? {};
    // An earlier run ended before what was removed was purged from all that is stored.
    if (state.removedAt > keptAfter) await this.#purges.afterRemoval(false);
  }

  #follow({ shared }: Store): Following {
    const { kind, clock } = this.#deps;
    const apply = (sequence: number, payload: Uint8Array): void =>
      this.#apply(kind.decode(sequence, payload), sequence, false);
    // The state has nothing of what another node has purged: it is the one that the purge has kept.
    return new Following(shared, apply, clock, { purged: () => undefined });
  }

  async #purge(through?: number): Promise<void> {
    if (this.#open === undefined) await this.catchUp();
    const upTo = through ?? this.#state.sequence;
    await this.decided(async () => {
      await this.#open?.store.purge((last) => this.#purged(last, upTo));
    });
  }

  async #purged(last: number, through: number): Promise<PurgeSnapshot> {
    const { kind, clock } = this.#deps;
    const slices = new TimeSlices(clock);
    // A record is applied a moment after it was appended.
    while (this.#state.sequence < last) await slices.yield();
    const { sequence } = this.#state;
    return { sequence, sections: kind.sections(this.#state, clock), erasesThrough: Math.min(through, sequence) };
  }

  /** Writes a snapshot in the background if the log has grown enough, by the rule of bots. */
  #snapshotIfDue(): void {
    const sizes = this.#open?.store.sizes();
    if (sizes === undefined || this.#isSnapshotWaiting) return;
    if (!isSnapshotDue(sizes, WHILE_WRITTEN, this.#failedAtBytes)) return;
    this.#isSnapshotWaiting = true;
    void this.#copies.run(() =>
      this.#snapshot().finally(() => {
        this.#isSnapshotWaiting = false;
      }),
    );
  }

  /** Never rejects. */
  async #snapshot(): Promise<void> {
    if (this.#open === undefined) return;
    const { store, turn } = this.#open;
    try {
      if (!(await turn.take())) return;
      await this.#writeSnapshot(store, turn).finally(() => turn.leave());
      this.#failedAtBytes = undefined;
    } catch (error) {
      // The history is another one now: the state is read again.
      if (isOvertaken(error)) return;
      // The log still has everything.
      this.#failedAtBytes = store.sizes().logBytesSinceSnapshot;
      const message = `The snapshot of the ${this.#deps.kind.name} failed.`;
      this.#deps.logger({ level: "warn", event: "snapshotFailed", message, error });
    }
  }

  async #writeSnapshot(store: Store, turn: JobTurn): Promise<void> {
    this.#refuseIfOutdated();
    const { kind, clock } = this.#deps;
    const { sequence } = this.#state;
    const sections = kind
      .sections(this.#state, clock)
      .map((section) => ({ ...section, chunks: turn.during(section.chunks) }));
    await store.writeSnapshot(sequence, sections);
  }
}
