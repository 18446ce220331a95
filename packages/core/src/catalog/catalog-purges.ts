import type { Logger } from "../platform/log-event.ts";
import type { SerialQueue } from "../scheduling/serial-queue.ts";

/**
 * On a shared storage the catalog is purged this many milliseconds after a bot was removed. By then the other nodes have applied the removal, so that none
 * of them must read the whole catalog again. Removals of this time share a purge.
 */
const PURGE_AFTER_MS = 30_000;
/** A node that closes before that gives the others this many milliseconds. */
const FOLLOWED_MS = 1_000;

/** Dependencies of {@link CatalogPurges}. */
export interface CatalogPurgesDeps {
  readonly isShared: boolean;
  /** Number of the catalog's last record that is applied here. */
  readonly sequence: () => number;
  /** What runs in it runs one after the other: purges, and what else copies the state. */
  readonly queue: SerialQueue;
  /** Purges the store. Records after `through` may be left; default: none is. */
  readonly purge: (through?: number) => Promise<void>;
  /** Resolves after `ms` milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly idleSleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/** When the catalog's store is purged. Calls that wait for a purge share it. */
export class CatalogPurges {
  readonly #deps: CatalogPurgesDeps;
  readonly #closing = new AbortController();
  /** A purge that has not begun yet: later calls share it. */
  #next: Promise<void> | undefined;
  /** The purge that follows removals on a shared storage. */
  #later: Promise<void> | undefined;
  /** The bot whose removal was not purged yet. */
  #removed: string | undefined;
  /** Whether this node has removed a bot: a purge of earlier removals need not happen before it closes. */
  #isOwn = false;

  constructor(deps: CatalogPurgesDeps) {
    this.#deps = deps;
  }

  /** Purges all records that are replaced at the call. */
  now(): Promise<void> {
    // Many bots may be removed at once: one waiting purge is enough for all of them.
    if (this.#next !== undefined) return this.#next;
    const purge = this.#deps.queue
      .run(() => {
        this.#next = undefined;
        return this.#deps.purge();
      })
      .finally(() => {
        // It may have failed before its turn: a later call must not share that.
        if (this.#next === purge) this.#next = undefined;
      });
    this.#next = purge;
    return purge;
  }

  /**
   * Purges after the removal of a bot: before this resolves, or within a minute if other nodes use the catalog. A failure is logged, and the next purge
   * repeats the work: the bot is removed in any case.
   */
  async afterRemoval(botId: string, isOwn = true): Promise<void> {
    if (!this.#deps.isShared) return this.#tried(botId, () => this.now());
    this.#removed = botId;
    this.#isOwn ||= isOwn;
    this.#later ??= this.#purgeLater().finally(() => {
      this.#later = undefined;
    });
  }

  /** Purges what waits for it. Resolves when the queue is empty. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#later;
    await this.#deps.queue.settled();
  }

  async #purgeLater(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#removed !== undefined) {
      const botId = this.#removed;
      this.#removed = undefined;
      // Records after this one may be unknown to other nodes when the purge begins.
      const through = this.#deps.sequence();
      if (!signal.aborted) await this.#deps.idleSleep(PURGE_AFTER_MS - FOLLOWED_MS, signal);
      if (signal.aborted && !this.#isOwn) return;
      await this.#deps.sleep(FOLLOWED_MS);
      await this.#tried(botId, () => this.#deps.queue.run(() => this.#deps.purge(through)));
    }
  }

  async #tried(botId: string, purge: () => Promise<void>): Promise<void> {
    try {
      await purge();
    } catch (error) {
      const message = "The name of a removed bot could not be deleted from the catalog's older records yet.";
      this.#deps.logger({ level: "warn", event: "removedNotPurged", message, botId, error });
    }
  }
}
