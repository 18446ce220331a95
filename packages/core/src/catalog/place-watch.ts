import { PLACE_CHECK_MS } from "../model/options.ts";
import type { LostStores, Storage } from "../storage/store.ts";
import { CATALOG_STORE } from "./store-names.ts";

/** Dependencies of {@link PlaceWatch}. */
export interface PlaceWatchDeps {
  readonly storage: Pick<Storage, "checkPlaces">;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called after every check that has found lost files. */
  readonly onLost: (lost: LostStores) => void;
}

/** Checks every few seconds that the files in use are still in their places. A removed file takes writes without an error. */
export class PlaceWatch {
  readonly #deps: PlaceWatchDeps;
  readonly #closing = new AbortController();
  readonly #watching: Promise<void>;

  constructor(deps: PlaceWatchDeps) {
    this.#deps = deps;
    this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { storage, sleep, onLost } = this.#deps;
    if (storage.checkPlaces === undefined) return;
    const { signal } = this.#closing;
    for (;;) {
      await sleep(PLACE_CHECK_MS, signal);
      if (signal.aborted) return;
      // A disk that does not answer fails writes in its own way.
      const lost = await storage.checkPlaces(CATALOG_STORE).catch(() => undefined);
      if (lost !== undefined && !signal.aborted && (lost.directory !== undefined || lost.stores.size > 0)) onLost(lost);
    }
  }
}
