import { LoredexError, reasonOf } from "../model/errors.ts";
import type { SharedFigures } from "../model/work.ts";
import { atMostEvery } from "../platform/at-most-every.ts";
import { chanceOf } from "../platform/chance.ts";
import type { Clock, Random } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import type { Held, OpenOnDemand } from "../platform/open-on-demand.ts";
import type { SharedStorage } from "../storage/store.ts";
import { decideAgain, isOvertaken, isUnreachable } from "./decide-again.ts";
import type { Following } from "./following.ts";

/** How often a node asks for the heads of its open bots and of the catalog without being asked itself, in milliseconds. */
const BEAT_MS = 400;

/** A catalog that cannot be followed is logged at most once in this time, in milliseconds. */
const FAILED_TOLD_MS = 60_000;

/** How far answers may be behind the storage. */
export interface Staleness {
  /** Milliseconds by which the answer to a search may be behind while the storage answers. 0: by nothing. */
  readonly maxStalenessMs: number;
  /** Milliseconds for which open bots answer searches while the storage does not answer. */
  readonly staleMaxMs: number;
}

/** How a call works with a bot. */
export interface Calling {
  /** Whether it may be answered from memory; see {@link Staleness}. Default false. */
  readonly isSearch?: boolean;
  /** Ends the tries of a call that other nodes are quicker than; see {@link decideAgain}. */
  readonly signal?: AbortSignal | undefined;
}

/** A catalog that is older counts as too old at the soonest, in milliseconds: some beats may be late. */
const CATALOG_AGE_MS_MIN = 2_000;

/** An open bot, as this room sees it. */
export interface FollowingBot {
  readonly following: Following;
  discard(): Promise<void>;
}

export interface SharedUseDeps<Bot extends FollowingBot> extends Staleness {
  readonly storage: Pick<SharedStorage, "silentMs">;
  readonly bots: OpenOnDemand<Bot>;
  /** Applies the catalog's records of other nodes. */
  readonly catchUpCatalog: () => Promise<void>;
  /** The staleness of the catalog. */
  readonly catalogAgeMs: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly idleSleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/** Calls of bots whose storage other nodes use too: each call sees all that was durable before it, and is decided again when another node was quicker. */
export class SharedUse<Bot extends FollowingBot> {
  readonly #deps: SharedUseDeps<Bot>;
  readonly #closing = new AbortController();
  readonly #beating: Promise<void>;
  /** The bots whose heads are being asked for: one that waits holds up no other. */
  readonly #asking = new Set<Bot>();
  readonly #tellFailed: (message: string) => void;
  #isUnreachable = false;
  #conflicts = 0;

  constructor(deps: SharedUseDeps<Bot>) {
    this.#deps = deps;
    this.#tellFailed = atMostEvery(deps.clock, FAILED_TOLD_MS, (reason) => {
      const message = `What other nodes have changed cannot be applied: revoked keys stay valid here. ${reason}`;
      deps.logger({ level: "error", event: "catalogNotFollowed", message });
    });
    this.#beating = this.#beat();
  }

  /** Whether the storage did not answer when it was last asked, or the catalog could not be followed for too long. */
  get isUnreachable(): boolean {
    return this.#isUnreachable || this.#isCatalogOld();
  }

  /** Whether searches are still answered from memory while the storage does not answer. */
  condition(): { readonly answersSearches: boolean } {
    const { storage, staleMaxMs } = this.#deps;
    return { answersSearches: storage.silentMs() <= staleMaxMs && !this.#isCatalogOld() };
  }

  /**
   * Applies what other nodes have changed in the catalog, before a bot is opened.
   * @throws LoredexError `UNREACHABLE`, also for a catalog that cannot be read: that says nothing of the bot, and passes
   */
  async followCatalog(): Promise<void> {
    try {
      await this.#deps.catchUpCatalog();
    } catch (error) {
      if (isUnreachable(error) || isOvertaken(error)) throw error;
      throw new LoredexError("UNREACHABLE", `What other nodes have changed cannot be read. ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  figures(): SharedFigures {
    const ages = this.#deps.bots.values.map(({ following }) => following.ageMs);
    return { conflicts: this.#conflicts, stalenessMs: Math.max(this.#deps.catalogAgeMs(), ...ages) };
  }

  /** Whether the catalog may lack so much that a revoked key could count, or a removed bot be used. */
  #isCatalogOld(): boolean {
    return this.#deps.catalogAgeMs() > Math.max(this.#deps.staleMaxMs, CATALOG_AGE_MS_MIN);
  }

  /** Runs work with a bot that is up to date, and again after a conflict. `work` gets the staleness in milliseconds of a search while the storage is unreachable. */
  use<Result>(
    id: string,
    work: (bot: Bot, staleMs: number | undefined) => Result | Promise<Result>,
    { isSearch = false, signal }: Calling = {},
  ): Promise<Result> {
    const tried = async (): Promise<Result> => {
      if (this.#isCatalogOld()) await this.followCatalog();
      return this.#deps.bots.use(id, async (bot) => {
        const staleMs = await this.#catchUp(bot, isSearch);
        try {
          return await work(bot, staleMs);
        } catch (error) {
          // As of a write whose answer was lost.
          this.#noted(error);
          throw error;
        }
      });
    };
    return this.#decided(id, tried, signal);
  }

  /** Runs work, and again after a conflict. Unlike {@link use}, it neither keeps the bot open nor applies records first. */
  again<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const { replaced: _, ...again } = this.#again(id);
    // The bot is opened again by its next use.
    return decideAgain({ ...again, replaced: (error) => Promise.reject(error) }, work);
  }

  /** Runs work that keeps the bot open itself, and again after a conflict. If the stored history was replaced, the bot is opened again first. */
  repeated<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#decided(id, work);
  }

  /** Keeps a bot open, in step with other nodes as of now, until it is released. */
  hold(id: string): Promise<Held<Bot>> {
    return this.repeated(id, async () => {
      const held = await this.#deps.bots.hold(id);
      try {
        await this.#catchUp(held.value, false);
        return held;
      } catch (error) {
        held.release();
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#beating;
  }

  #again(id: string) {
    const { clock, random, sleep } = this.#deps;
    const overtaken = (): void => {
      this.#conflicts += 1;
    };
    return {
      clock,
      chance: chanceOf(random),
      sleep,
      overtaken,
      replaced: (error: LoredexError) => this.#reopen(id, error),
    };
  }

  #decided<Result>(id: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const tried = (): Promise<Result> =>
      work().catch((error: unknown) => {
        throw this.#isClosedByOthers(error) ? closedByOthers(error) : error;
      });
    return decideAgain(this.#again(id), tried, signal);
  }

  /** Whether a bot was closed during its call, for another node has removed it or replaced its history. Nothing was written since: the next try opens it. */
  #isClosedByOthers(error: unknown): error is LoredexError {
    return error instanceof LoredexError && error.code === "CLOSED" && !this.#closing.signal.aborted;
  }

  /** Brings a bot up to date. Resolves with its staleness in milliseconds if a search is answered from memory, as the storage does not answer. */
  async #catchUp(bot: Bot, isSearch: boolean): Promise<number | undefined> {
    const { maxStalenessMs, staleMaxMs } = this.#deps;
    try {
      await bot.following.catchUp(isSearch ? maxStalenessMs : 0);
      // A search that need not ask is told of the silence all the same.
      return isSearch && this.#deps.storage.silentMs() > 0 ? bot.following.ageMs : undefined;
    } catch (error) {
      this.#noted(error);
      const { ageMs } = bot.following;
      if (!isSearch || !isUnreachable(error) || ageMs > staleMaxMs) throw error;
      return ageMs;
    }
  }

  /** Drops what is in memory of a bot whose stored history is another now. The next use reads it again. */
  async #reopen(id: string, error: LoredexError): Promise<void> {
    const message = `What this node held of the bot is not what is stored: it is read again. ${error.message}`;
    this.#deps.logger({ level: "warn", event: "historyReplaced", message, botId: id });
    await this.#deps.bots.discard(id, (bot) => bot.discard());
    // The bot may have been removed.
    await this.#deps.catchUpCatalog();
  }

  async #beat(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await this.#deps.idleSleep(BEAT_MS, signal);
      if (signal.aborted) return;
      this.#askForHeads();
      try {
        // The catalog alone tells whether the storage answers: no bot need be open.
        await this.#deps.catchUpCatalog();
        this.#noted(undefined);
      } catch (error) {
        this.#noted(error);
        if (!isUnreachable(error) && !isOvertaken(error)) this.#tellFailed(reasonOf(error));
      }
    }
  }

  /** Has all open bots follow. It waits for none of them; a bot that fails says so to its next caller. */
  #askForHeads(): void {
    for (const bot of this.#deps.bots.values) {
      if (this.#asking.has(bot)) continue;
      this.#asking.add(bot);
      const asked = (): boolean => this.#asking.delete(bot);
      bot.following.catchUp().then(asked, asked);
    }
  }

  /** Logs when the storage stops to answer, and when it answers again. */
  #noted(error: unknown): void {
    const isUnreachableNow = isUnreachable(error);
    if (this.#isUnreachable === isUnreachableNow || (error !== undefined && !isUnreachableNow)) return;
    this.#isUnreachable = isUnreachableNow;
    const { logger, staleMaxMs } = this.#deps;
    const seconds = staleMaxMs / 1_000;
    const rest = `Nothing can be written; open bots answer searches for ${seconds} s. ${reasonOf(error)}`;
    if (isUnreachableNow)
      logger({ level: "error", event: "databaseUnreachable", message: `The database does not answer. ${rest}` });
    else logger({ level: "info", event: "databaseReachable", message: "The database answers again." });
  }
}

function closedByOthers(cause: LoredexError): LoredexError {
  return new LoredexError("CONFLICT", "Other nodes have changed the bot so that it was closed here.", { cause });
}
