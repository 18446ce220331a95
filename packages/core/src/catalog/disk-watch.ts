import { type LoredexError, reasonOf } from "../model/errors.ts";
import type { EngineCondition } from "../model/faults.ts";
import { FAULT_RETRY_MS_MAX, FAULT_RETRY_MS_MIN } from "../model/options.ts";
import type { Logger } from "../platform/log-event.ts";
import type { LostStores, Storage } from "../storage/store.ts";
import { type BotFaults, isForbidden } from "./bot-faults.ts";
import { PlaceWatch } from "./place-watch.ts";
import { botIdOf, storeName } from "./store-names.ts";

export interface DiskWatchDeps {
  readonly storage: Pick<Storage, "requireAccess" | "requireWritable" | "checkPlaces">;
  readonly faults: BotFaults;
  readonly logger: Logger;
  /** Resolves after that many milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The same, and keeps no process alive. */
  readonly idleSleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Whether there is anything to be done by itself. */
  readonly background: boolean;
  /** Whether a bot is open, which proves that its files can be used. */
  readonly isOpen: (id: string) => boolean;
  /** Whether somebody waits for the disk just now. */
  readonly isAwaited: () => boolean;
  /** Keeps an open bot in memory to the end: its files are lost, so it exists only there. */
  readonly keepOpen: (id: string) => void;
}

/** Whoever only looks leaves the disk for so long to who waits for it. */
const GIVE_WAY_MS = 10;
/** So often for one bot: where somebody waits all the time, the look must come to its end as well. */
const GIVE_WAYS_MAX = 100;

/**
 * Looks after a data directory in the background: once at the start whether all files can be used, so that nobody has to find out by a
 * request that fails; then, as long as something is wrong, whether it has been mended. Without faults, it is only checked every few seconds that the files
 * in use are still in their places; this goes without `background` too.
 */
export class DiskWatch {
  readonly #deps: DiskWatchDeps;
  readonly #closing = new AbortController();
  readonly #places: PlaceWatch;
  #canWrite = true;
  /** The directory is no longer what was opened: only a restart mends that. */
  #isLost = false;
  /** A write has failed since the last trial. */
  #isInDoubt = false;
  #watching: Promise<void> | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: DiskWatchDeps) {
    this.#deps = deps;
    const { storage, idleSleep } = deps;
    this.#places = new PlaceWatch({ storage, sleep: idleSleep, onLost: (lost) => this.#onLost(lost) });
  }

  /** What is known by now. */
  condition(): EngineCondition {
    const faults = [...this.#deps.faults.all()].map(([id, { kind }]) => ({ id, kind }));
    return { canWrite: this.#canWrite, faults };
  }

  /** Looks at the files of these bots, one bot after the other, while nobody waits for the disk: nobody waits for this. */
  lookThrough(ids: readonly string[]): void {
    if (this.#deps.background) this.#looking ??= this.#lookThrough(ids);
  }

  /** Something has failed: it is looked at, and looked at again until it is mended. Where one write fails, perhaps all would. */
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

  /** If the whole directory is lost, that is told once, and not for each of its bots. */
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
      // In the same moment as the last look at what has failed: what fails after it begins anew.
      this.#watching = undefined;
    }
  }

  async #tryWriting(): Promise<void> {
    if (this.#isLost || (this.#canWrite && !this.#isInDoubt)) return;
    this.#isInDoubt = false;
    const { storage, logger } = this.#deps;
    const failure = await failureOf(storage.requireWritable());
    // A bot's own fault is told as that.
    if (failure === undefined && !this.#canWrite) {
      logger({ level: "info", event: "directoryWritable", message: "The data directory can be written to again." });
    } else if (failure !== undefined && this.#canWrite) {
      const message = `Nothing can be written in the data directory, reading goes on; it is tried again by itself. ${reasonOf(failure)}`;
      logger({ level: "error", event: "directoryNotWritable", message });
    }
    this.#canWrite = failure === undefined;
  }

  /** Undefined for what can be used, and for what is wrong in another way: opening it tells. */
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
