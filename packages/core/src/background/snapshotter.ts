import type { SearchIndex } from "../index/search-index.ts";
import { firstVectorsSection } from "../index/snapshot/first-vectors.ts";
import { sectionsOf } from "../index/snapshot/index-sections.ts";
import type { RememberedCreate } from "../log/remembered-creates.ts";
import { type Due, isSnapshotDue, WHILE_WRITTEN } from "../log/snapshot-due.ts";
import type { BotState } from "../log/state.ts";
import { stateSections } from "../log/state-sections.ts";
import {
  AT_REST_MS,
  CLOSING_SNAPSHOT_LOG_BYTES_MIN,
  SHARED_SNAPSHOT_LOG_BYTES_MIN,
  SHARED_SNAPSHOT_LOG_SHARE,
  SNAPSHOT_LOG_SHARE,
} from "../model/options.ts";
import type { JobTurn } from "../nodes/job-turn.ts";
import type { Logger } from "../platform/log-event.ts";
import { SLICING, type Slicing } from "../scheduling/in-slices.ts";
import { aMillisecond, type Lane, scheduler } from "../scheduling/scheduler.ts";
import type { FirstSnapshot, Purged, Store } from "../storage/store.ts";

export interface SnapshotterDeps {
  readonly store: Store;
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly logger: Logger;
  readonly botId: string;
  /** See {@link Snapshotter.caughtUp}. */
  readonly lagBytesMax: number;
  /** Snapshots that are written because the log has grown are one node's job. */
  readonly turn: JobTurn;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Whether all accepted writes are indexed: a snapshot of before would leave the rest to each node that opens the bot. */
  readonly isIndexed: () => boolean;
}

const ON_CLOSING: Due = { bytesMin: CLOSING_SNAPSHOT_LOG_BYTES_MIN, share: SNAPSHOT_LOG_SHARE };
const SHARED_AT_REST: Due = { bytesMin: SHARED_SNAPSHOT_LOG_BYTES_MIN, share: SHARED_SNAPSHOT_LOG_SHARE };

/**
 * The contents of a snapshot, captured within one time slice, and encoded later, a slice at a time, while writes continue.
 * Invariant: all sections are of the same record.
 */
export function contentsOf(
  state: BotState,
  index: SearchIndex,
  slicing: Slicing = SLICING,
  creates?: readonly RememberedCreate[],
): FirstSnapshot {
  const sections = [
    ...stateSections(state, slicing, creates),
    ...sectionsOf(index, slicing),
    firstVectorsSection(index, slicing),
  ];
  return { sequence: state.sequence, sections };
}

/**
 * Where a snapshot waits between two slices: for a millisecond, since searches would queue up behind it in a busy process. Once
 * writes arrive, only in the background lane: the log grows until the snapshot is written.
 */
function laneOf(state: BotState): Lane {
  const { sequence } = state;
  return () => (state.sequence === sequence ? aMillisecond() : scheduler.background());
}

/** Decides when a bot's snapshots are written, and what they contain. */
export class Snapshotter {
  readonly #deps: SnapshotterDeps;
  #writing: Promise<void> | undefined;
  /** Derived sections that were too long: each is logged once. */
  readonly #leftOut = new Set<string>();
  /** The size of the log when the last snapshot failed. It is not tried again at once: on a full disk it would take space from writes. */
  #failedAtBytes = Number.NEGATIVE_INFINITY;

  /** Settles when no purge runs any more. */
  #purging: Promise<void> | undefined;
  #hasStopped = false;
  /** The wait for a rest; undefined if nothing was written since the last one. */
  #resting: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(deps: SnapshotterDeps) {
    this.#deps = deps;
  }

  /** The contents of a snapshot of the state as it is now. */
  contents(creates?: readonly RememberedCreate[]): FirstSnapshot {
    const { state, index } = this.#deps;
    return contentsOf(state, index, { ...SLICING, lane: laneOf(state) }, creates);
  }

  /**
   * Writes a snapshot of the state as it is now.
   * @param turn the job that is prolonged meanwhile
   * @param again see {@link Store.writeSnapshot}
   */
  async write(turn?: JobTurn, again = false): Promise<void> {
    // A snapshot from before the purge would contain deleted data.
    while (this.#purging !== undefined) await this.#purging;
    const { sequence, sections: parts } = this.contents();
    const sections = turn === undefined ? parts : parts.map((part) => ({ ...part, chunks: turn.during(part.chunks) }));
    for (const name of await this.#deps.store.writeSnapshot(sequence, sections, again)) this.#tellOfMissing(name);
  }

  /**
   * Replaces all stored data by the state at the time when `ready` has resolved: see {@link Store.purge}. Idempotency keys are left out, and forgotten
   * once the purge has succeeded: the digest of a deleted text would confirm a guess at that text.
   */
  purge(ready: () => Promise<void>): Promise<Purged> {
    const { store, state } = this.#deps;
    let creates: readonly RememberedCreate[] = [];
    const contents = async (): Promise<FirstSnapshot> => {
      await ready();
      creates = state.creates.all();
      return this.contents([]);
    };
    const purge = async (): Promise<Purged> => {
      const purged = await store.purge(contents);
      state.creates.forget(creates);
      return purged;
    };
    const purged = Promise.resolve(this.#purging).then(purge);
    const settled: Promise<void> = purged
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => {
        if (this.#purging === settled) this.#purging = undefined;
      });
    this.#purging = settled;
    return purged;
  }

  #tellOfMissing(section: string): void {
    if (this.#leftOut.has(section)) return;
    this.#leftOut.add(section);
    const { logger, botId } = this.#deps;
    const message = `Snapshots are written without "${section}", which has grown too long: every start makes it again, and takes longer.`;
    logger({ level: "warn", event: "snapshotPartLeftOut", message, botId });
  }

  /**
   * Writes a snapshot in the background if the log has grown enough, and none is being written. A failed snapshot loses nothing. Of a store that nodes share,
   * less is enough once the bot is at rest.
   */
  writeIfDue(): void {
    if (this.#isDue(WHILE_WRITTEN)) this.#writeNow();
    this.writeAtRest();
  }

  /**
   * Writes a snapshot of a store that nodes share once the bot is at rest, if one is due. To be called for each record, and when the bot was opened: this
   * node has replayed what others have left, and no other one should have to.
   */
  writeAtRest(): void {
    if (this.#deps.store.shared === undefined || this.#closing.signal.aborted) return;
    this.#resting ??= this.#whenAtRest()
      .then((isAtRest) => {
        if (isAtRest && this.#isDue(SHARED_AT_REST)) this.#writeNow();
      })
      .finally(() => {
        this.#resting = undefined;
      });
  }

  /** Resolves with true when nothing was written for a while; with false if the bot is closed before. */
  async #whenAtRest(): Promise<boolean> {
    const { state, sleep, isIndexed } = this.#deps;
    for (let before = -1; before !== state.sequence || !isIndexed(); ) {
      before = state.sequence;
      await sleep(AT_REST_MS, this.#closing.signal);
      if (this.#closing.signal.aborted) return false;
    }
    return true;
  }

  /**
   * Writes a snapshot in the background although the log has not grown, as derived data has changed. It waits for a running one, which has the old
   * data.
   */
  writeAnyway(): void {
    const running = this.#writing ?? this.#purging;
    if (running === undefined) this.#writeNow(true);
    else void running.then(() => this.#writeNow(true));
  }

  /** Writes a snapshot in the background if the log has grown since the last one: it leaves out deleted data. */
  writeForCapacity(): void {
    const { logBytesSinceSnapshot } = this.#deps.store.sizes();
    if (logBytesSinceSnapshot > Math.max(0, this.#failedAtBytes)) this.#writeNow();
  }

  /**
   * Resolves when the running snapshot is written, if the log is far ahead of it; undefined if nobody needs to wait. Never rejects.
   * Unlimited writes are quicker than snapshots, which yield to everything else: without this wait, the log would grow until the bot is full.
   */
  caughtUp(): Promise<void> | undefined {
    const { logBytesSinceSnapshot, snapshotBytes } = this.#deps.store.sizes();
    const isAhead = logBytesSinceSnapshot > Math.max(this.#deps.lagBytesMax, snapshotBytes);
    return isAhead ? this.#writing : undefined;
  }

  #writeNow(again = false): void {
    if (this.#hasStopped || this.#purging !== undefined) return;
    this.#writing ??= this.#tryWrite(again).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Whether a snapshot is being written in the background. */
  get isWriting(): boolean {
    return this.#writing !== undefined;
  }

  /** Begins no snapshot by itself any more: the store is about to be deleted. */
  stop(): void {
    this.#hasStopped = true;
    this.#closing.abort();
  }

  /** Waits for a running snapshot, then writes a last one if it makes the next start quicker. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (;;) {
      const running = this.#writing ?? this.#purging;
      if (running === undefined) break;
      await running;
    }
    const due = this.#deps.store.shared === undefined ? ON_CLOSING : SHARED_AT_REST;
    if (!this.#hasStopped && this.#isDue(due)) await this.#tryWrite();
  }

  #isDue(due: Due): boolean {
    return isSnapshotDue(this.#deps.store.sizes(), due, this.#failedAtBytes);
  }

  async #tryWrite(again = false): Promise<void> {
    const { logger, botId, store, turn } = this.#deps;
    try {
      if (!(await turn.take())) return;
      await this.write(turn, again).finally(() => turn.leave());
      this.#failedAtBytes = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.#failedAtBytes = store.sizes().logBytesSinceSnapshot;
      const message = "A snapshot could not be written; the log has everything, and the next one is tried as it grows.";
      logger({ level: "warn", event: "snapshotFailed", message, botId, error });
    }
  }
}
