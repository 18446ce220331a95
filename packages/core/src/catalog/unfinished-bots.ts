import type { Logger } from "../platform/log-event.ts";
import type { CatalogStore } from "./catalog-store.ts";

/**
 * Bots that have finished are recorded after this many milliseconds, together: the next article of each may come soon, and every node reads each record.
 * So a start after a crash opens some bots for nothing.
 */
const REST_MS = 60_000;

/**
 * Records in the catalog which bots have passages without vectors, so that a start opens these and no others.
 * A bot is recorded as unfinished soon after a document without vectors was indexed, when its embedder was changed, and when it is closed with documents
 * that wait to be indexed. It is recorded as finished at most once in {@link REST_MS}, and when this node ends. No write of a document waits for the record: after a crash
 * in between, the bot's work continues when the bot is next used.
 */
export class UnfinishedBots {
  readonly #catalog: CatalogStore;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #logger: Logger;
  readonly #unfinished: Set<string>;
  /** Bots that are to be recorded as finished. */
  readonly #finished = new Set<string>();
  readonly #closing = new AbortController();
  #resting: Promise<void> | undefined;
  /** Changes that are not recorded yet, in order. */
  readonly #unwritten = new Map<string, boolean>();
  #writing: Promise<void> | undefined;

  constructor(catalog: CatalogStore, sleep: (ms: number, signal?: AbortSignal) => Promise<void>, logger: Logger) {
    this.#catalog = catalog;
    this.#sleep = sleep;
    this.#logger = logger;
    this.#unfinished = new Set(this.ids);
  }

  /** Ids of the bots that the catalog has as unfinished: at the start, those that an earlier run left. */
  get ids(): string[] {
    return this.#catalog
      .entries()
      .filter(({ unfinished }) => unfinished === true)
      .map(({ id }) => id);
  }

  /** Whether a bot has unfinished work, as far as that is known. */
  has(id: string): boolean {
    return this.#unfinished.has(id);
  }

  set(id: string, unfinished: boolean): void {
    if (unfinished) this.#unfinished.add(id);
    else this.#unfinished.delete(id);
    if (unfinished) {
      this.#finished.delete(id);
      this.#write(id, true);
    } else {
      this.#finished.add(id);
      this.#resting ??= this.#takeOff();
    }
  }

  /** Resolves when no change waits to be recorded, except that of a bot that rests. Never rejects. */
  async recorded(): Promise<void> {
    await this.#writing;
  }

  /** Records the changes that are left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#resting;
    await this.#writing;
  }

  async #takeOff(): Promise<void> {
    await this.#sleep(REST_MS, this.#closing.signal);
    this.#resting = undefined;
    for (const id of this.#finished) this.#write(id, false);
    this.#finished.clear();
  }

  #write(id: string, unfinished: boolean): void {
    this.#unwritten.set(id, unfinished);
    this.#writing ??= this.#writeAll();
  }

  /** Records one change at a time: a key that is revoked meanwhile waits for one record, and not for those of all bots. */
  async #writeAll(): Promise<void> {
    for (const [id, unfinished] of this.#unwritten) {
      this.#unwritten.delete(id);
      await this.#writeDown(id, unfinished);
    }
    this.#writing = undefined;
  }

  async #writeDown(id: string, unfinished: boolean): Promise<void> {
    try {
      await this.#catalog.exclusively(async () => {
        const entry = this.#catalog.find(id);
        if (entry === undefined || (entry.unfinished === true) === unfinished) return;
        await this.#catalog.commit({ kind: "botWork", id, unfinished });
      });
    } catch (error) {
      // Nothing is lost by it: the bot continues when it is next opened.
      const message = "It could not be written down whether this bot has unfinished work.";
      this.#logger({ level: "warn", event: "workNotNoted", message, botId: id, error });
    }
  }
}
