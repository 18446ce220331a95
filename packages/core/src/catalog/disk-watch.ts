import { type LoredexError, reasonOf } from "../model/errors.ts";
import type { EngineCondition } from "../model/faults.ts";
import { FAULT_RETRY_MS_MAX, FAULT_RETRY_MS_MIN } from "../model/options.ts";
import type { Logger } from "../platform/log-event.ts";
import type { LostStores, Storage } from "../storage/store.ts";
import { type BotFaults, isForbidden } from "./bot-faults.ts";
import { PlaceWatch } from "./place-watch.ts";
import { botIdOf, storeName } from "./store-names.ts";

/** Dependencies of {@link DiskWatch}. */
export interface DiskWatchDeps {
  readonly storage: Pick<Storage, "requireAccess" | "requireWritable" | "checkPlaces">;
  readonly faults: BotFaults;
  readonly logger: Logger;
  /** Resolves after that many milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** As `sleep`, but keeps no process alive. */
  readonly idleSleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Whether the watch may check in the background. */
  readonly background: boolean;
  /** Whether a bot is open, which proves that its files can be used. */
  readonly isOpen: (id: string) => boolean;
  /** Whether a call waits for the disk now. */
  readonly isAwaited: () => boolean;
  /** Keeps an open bot in memory until the engine is closed: its files are lost, so it exists only there. */
  readonly keepOpen: (id: string) => void;
}

/** Pause of a background check while a call waits for the disk, in milliseconds. */
const GIVE_WAY_MS = 10;
/** Maximum number of such pauses for one bot: the check must end even if calls wait all the time. */
const GIVE_WAYS_MAX = 100;

/**
 * Watches a data directory in the background.
 * At the start it checks once whether all files can be used, so that no request has to fail first.
 * While there is a fault, it checks whether the fault has been repaired.
 * Every few seconds it checks that the files in use are still in their places, even without `background`.
 */
export class DiskWatch {
  readonly #deps: DiskWatchDeps;
  readonly #closing = new AbortController();
  readonly #places: PlaceWatch;
  #canWrite = true;
  /** The directory is no longer the one that was opened. Only a restart repairs that. */
  #isLost = false;
  /** A write has failed since the last check of the directory. */
  #isInDoubt = false;
  #watching: Promise<void> | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: DiskWatchDeps) {
    this.#deps = deps;
    const { storage, idleSleep } = deps;
    this.#places = new PlaceWatch({ storage, sleep: idleSleep, onLost: (lost) => this.#onLost(lost) });
  }

  /** The condition of the engine, as known by now. */
  condition(): EngineCondition {
    const faults = [...this.#deps.faults.all()].map(([id, { kind }]) => ({ id, kind }));
    return { canWrite: this.#canWrite, faults };
  }

  /** Starts a check of these bots' files, one bot after the other. It gives way to calls that wait for the disk. */
  lookThrough(ids: readonly string[]): void {
    if (this.#deps.background) this.#looking ??= this.#lookThrough(ids);
  }

  /** Starts checks after a failure, repeated until it is repaired. A failed write has the directory checked: perhaps all writes would fail. */
  failed(what: "opening" | "write"): void {
    if (!this.#deps.background || this.#closing.signal.aborted) return;
    if (what === "write") this.#isInDoubt = true;
    this.#watching ??= this.#watch();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#places.close();
    await this.#looking;
    await this.#watching;
  }

  /** Records lost files. The loss of the whole directory is logged once, and not for each of its bots. */
  #onLost({ directory, stores }: LostStores): void {
    const { faults, logger, keepOpen } = this.#deps;
    if (directory !== undefined && !this.#isLost) {
      this.#isLost = true;
      this.#canWrite = false;
      faults.allReadOnly(directory);
      logger({ level: "error", event: "directoryLost", message: directory.message });
    }
    for (const [name, error] of stores) {
      const id = botIdOf(name);
      if (id === undefined) continue;
      if (directory === undefined) faults.writeFailed(id, error);
      keepOpen(id);
    }
  }

  async #lookThrough(ids: readonly string[]): Promise<void> {
    const found = new Map<string, LoredexError>();
    const { isAwaited, sleep } = this.#deps;
    for (const id of ids) {
      for (let waits = 0; waits < GIVE_WAYS_MAX && isAwaited() && !this.#closing.signal.aborted; waits++)
        await sleep(GIVE_WAY_MS, this.#closing.signal);
      if (this.#closing.signal.aborted) return;
      const error = await this.#forbidden(id);
      if (error !== undefined && !this.#deps.isOpen(id) && this.#deps.faults.of(id) === undefined) found.set(id, error);
    }
    this.#deps.faults.foundForbidden(found);
    if (found.size > 0) this.failed("opening");
  }

  async #watch(): Promise<void> {
    try {
      for (let pauseMs = FAULT_RETRY_MS_MIN; ; pauseMs = Math.min(FAULT_RETRY_MS_MAX, pauseMs * 2)) {
        await this.#tryWriting();
        const { faults, sleep } = this.#deps;
        for (const id of faults.forbidden) {
          if (this.#closing.signal.aborted) return;
          if ((await this.#forbidden(id)) === undefined) faults.usable(id);
        }
        if (this.#isLost || (this.#canWrite && !this.#isInDoubt && faults.forbidden.length === 0)) return;
        await sleep(pauseMs, this.#closing.signal);
        if (this.#closing.signal.aborted) return;
      }
    } finally {
      // In the same moment as the last check of the faults: a failure after it starts a new watch.
      this.#watching = undefined;
    }
  }

  async #tryWriting(): Promise<void> {
    if (this.#isLost || (this.#canWrite && !this.#isInDoubt)) return;
    this.#isInDoubt = false;
    const { storage, logger } = this.#deps;
    const failure = await failureOf(storage.requireWritable());
    // A bot's own fault is logged for that bot.
    if (failure === undefined && !this.#canWrite) {
      logger({ level: "info", event: "directoryWritable", message: "The data directory can be written to again." });
    } else if (failure !== undefined && this.#canWrite) {
      const message = `Nothing can be written in the data directory, reading still works; it is tried again by itself. ${reasonOf(failure)}`;
      logger({ level: "error", event: "directoryNotWritable", message });
    }
    this.#canWrite = failure === undefined;
  }

  /** The error if this process may not use a bot's files; undefined otherwise. Other faults show when the bot is opened. */
  async #forbidden(id: string): Promise<LoredexError | undefined> {
    const failure = await failureOf(this.#deps.storage.requireAccess(storeName(id)));
    return isForbidden(failure) ? failure : undefined;
  }
}

async function failureOf(trial: Promise<void>): Promise<unknown> {
  return trial.then(
    () => undefined,
    (error: unknown) => error,
  );
}
