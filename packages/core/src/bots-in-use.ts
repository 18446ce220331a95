import { analyzerOf } from "./analysis/languages.ts";
import { IdMaker } from "./articles/identifier.ts";
import { type Progress, UnfinishedWork, upgradeInTheEnd } from "./background/unfinished-work.ts";
import { BotFaults, isLasting } from "./catalog/bot-faults.ts";
import { infoOf } from "./catalog/bot-info.ts";
import type { CatalogEntry } from "./catalog/catalog-state.ts";
import { DiskWatch } from "./catalog/disk-watch.ts";
import { KeptFigures, type KeptFiguresDeps } from "./catalog/kept-figures.ts";
import { storeName } from "./catalog/store-names.ts";
import type { UnfinishedBots } from "./catalog/unfinished-bots.ts";
import type { Embedders } from "./embedding/embedders.ts";
import type { TokenCodeCache } from "./index/token-codes/held-codes.ts";
import { type GraphChoice, openGraphs } from "./index/vectors/graphs.ts";
import { isDefect, isShortOfMemory, LoredexError } from "./model/errors.ts";
import type { BotFault, EngineCondition } from "./model/faults.ts";
import type { BotInfo, Upgrade } from "./model/types.ts";
import type { OpenBotFigures, WorkEvent } from "./model/work.ts";
import { type Calling, SharedUse, type SharedUseDeps } from "./nodes/shared-use.ts";
import { type BotDeps, OpenBot } from "./open-bot.ts";
import type { Budgets } from "./platform/budgets.ts";
import type { Clock, Random } from "./platform/clock.ts";
import type { Logger } from "./platform/log-event.ts";
import { type Observed, ObservedWork } from "./platform/observed-work.ts";
import { type Held, OpenOnDemand } from "./platform/open-on-demand.ts";
import { succeeds } from "./platform/succeeds.ts";
import type { MemoryBudget } from "./quotas/memory-budget.ts";
import { sharedWindowClock, WindowClocks } from "./quotas/window-clock.ts";
import { TimeSlices } from "./scheduling/time-slices.ts";
import { SettingsInUse } from "./settings-in-use.ts";
import type { Storage } from "./storage/store.ts";

export interface BotsInUseDeps
  extends Budgets,
    Pick<SharedUseDeps<OpenBot>, "catchUpCatalog" | "catalogAgeMs" | "maxStalenessMs" | "staleMaxMs">,
    Pick<BotDeps, "note"> {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The same, but the timer keeps no process alive. */
  readonly idleSleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: Random;
  readonly logger: Logger;
  /** Receives an event when a search or write has ended. */
  readonly onWork: ((event: WorkEvent) => void) | undefined;
  readonly embedders: Embedders;
  readonly unfinished: UnfinishedBots;
  readonly background: boolean;
  readonly graphVectorsMin: number;
  readonly graph: GraphChoice;
  /** The directory for temporary files of graphs; undefined if no graphs are kept. */
  readonly temporaryDirectory: string | undefined;
  /** Makes the memory budget, which refuses writes that grow a bot while memory is short. `evict` closes idle bots that together hold this many bytes. */
  readonly memoryFor: (evict: (bytes: number) => void) => MemoryBudget;
  /** The token codes that are held in memory; undefined if none are kept. */
  readonly tokenCodeCache: TokenCodeCache | undefined;
  /** Keeps the figures of bots between two runs. */
  readonly figuresCache: KeptFiguresDeps["cache"];
  /** The catalog's entry of a bot; undefined if the bot was removed. */
  readonly known: (id: string) => CatalogEntry | undefined;
  /** Deletes the store of a removed bot. */
  readonly removeStore: (id: string) => Promise<void>;
  readonly onFirstOpened: (id: string, articleBytes: number) => Promise<void>;
  /** Reads and remembers the language of a bot's documents. */
  readonly written: (id: string) => BotDeps["written"];
}

/** The bots that are open or being opened. Each is opened on its first use, and evicted when it is idle and others need its memory or its place. */
export class BotsInUse {
  readonly #deps: BotsInUseDeps;
  readonly #bots: OpenOnDemand<OpenBot>;
  readonly #work: UnfinishedWork;
  readonly #faults: BotFaults;
  readonly #observed: ObservedWork;
  readonly #watch: DiskWatch;
  readonly #discarding = new Map<string, Promise<void>>();
  /** The figures of each bot, known without opening it. */
  readonly keptFigures: KeptFigures;
  readonly #windowClocks: WindowClocks;
  readonly #listSlices: TimeSlices;
  readonly #searchSlices: TimeSlices;
  readonly #memory: MemoryBudget;
  readonly settings: SettingsInUse;
  /** Undefined if no other node uses the storage. */
  readonly shared: SharedUse<OpenBot> | undefined;
  #graphs: ReturnType<typeof openGraphs> | undefined;
  readonly #closing = new AbortController();

  constructor(deps: BotsInUseDeps) {
    this.#deps = deps;
    this.#windowClocks = new WindowClocks(deps.clock);
    this.#listSlices = new TimeSlices(deps.clock);
    this.keptFigures = new KeptFigures({
      ...deps,
      cache: deps.figuresCache,
      sleep: deps.idleSleep,
      open: () => this.figures(),
      isKnown: (id) => deps.known(id) !== undefined,
      isShared: deps.storage.shared !== undefined,
    });
    this.#searchSlices = TimeSlices.ofSearches(deps.clock);
    const { shared } = deps.storage;
    this.#bots = new OpenOnDemand({
      open: (id) => this.#open(id),
      close: (bot) => {
        this.keptFigures.closed(bot.figures());
        return bot.close();
      },
      occupation: (bot) => bot.occupation,
      whenInterruptible: async (bot) => bot.whenSearchable(),
      bytes: (bot) => bot.memoryBytes(),
      openMax: deps.openBotsMax,
      bytesMax: deps.memoryBytes,
      onEvict: (id, bot) => this.#onEvict(id, bot),
      onCloseFailed: (id, error) => this.#onCloseFailed(id, error),
      onWorkFailed: (id, error) => this.#onFailed(id, error),
      // All other errors may pass: the bot is opened again by its next use.
      isRefused: (_id, error) => shared === undefined && isLasting(error),
    });
    this.shared = shared && new SharedUse({ ...deps, storage: shared, bots: this.#bots });
    this.#memory = deps.memoryFor((bytes) => this.#bots.evict(bytes));
    this.#observed = new ObservedWork(deps.clock, deps.onWork);
    this.#faults = new BotFaults(deps.clock, deps.logger, shared !== undefined);
    this.#watch = new DiskWatch({
      ...deps,
      faults: this.#faults,
      isOpen: (id) => this.#bots.has(id),
      isAwaited: () => this.#bots.isOpening,
      keepOpen: (id) => this.#bots.keepForGood(id),
    });
    this.settings = new SettingsInUse({
      ...deps,
      find: (id) => this.#bots.find(id),
      takeUp: (id) => this.#work.add(id),
      forget: (id) => this.#ending(id, this.#forget(id)),
      isClosing: () => this.#closing.signal.aborted,
    });
    this.#work = new UnfinishedWork({
      embedderOf: (id) => this.settings.embedderOf(id),
      takeUp: (id) => this.#takeUp(id),
      sleep: deps.sleep,
    });
  }

  /** The fault that keeps a bot from being used or written to; undefined if none is known. */
  faultOf(id: string): BotFault | undefined {
    return this.#faults.of(id);
  }

  /** The bots that have a fault, and whether anything can be written. */
  condition(): EngineCondition {
    const known = this.#watch.condition();
    return this.shared?.isUnreachable === true ? { ...known, unreachable: this.shared.condition() } : known;
  }

  /** Checks in the background whether the files of these bots can be used. */
  lookThrough(ids: readonly string[]): void {
    // A database has no permissions of single bots.
    if (this.shared === undefined) this.#watch.lookThrough(ids);
  }

  /** Works with a bot that was just opened in `openedMs`, and reports the work to `onWork` when it has ended; see {@link ObservedWork.by}. */
  observedBy(id: string, openedMs: number): Observed<OpenBot> {
    return this.#observed.by(id, openedMs, (work, calling) => this.use(id, work, calling));
  }

  /** The figures of the open bots. */
  figures(): OpenBotFigures[] {
    // A bot that was just removed has no settings any more.
    return this.#bots.values
      .filter((bot) => !bot.isClosed && this.#deps.known(bot.id) !== undefined)
      .map((bot) => this.keptFigures.completed(bot.figures()));
  }

  /** The number of bots that are open, being opened or being closed. */
  get count(): number {
    return this.#bots.count;
  }

  /** The settings of a bot, from the catalog. @throws LoredexError `BOT_NOT_FOUND`, `CLOSED` */
  info(id: string): BotInfo {
    return infoOf(this.#entry(id));
  }

  /** Works with a bot, which stays open meanwhile. @throws the error of opening its store */
  use<Result>(
    id: string,
    work: (bot: OpenBot, staleMs?: number) => Result | Promise<Result>,
    calling?: Calling,
  ): Promise<Result> {
    return this.shared?.use(id, work, calling) ?? this.#bots.use(id, work);
  }

  /**
   * Opens a bot, and tells how many milliseconds that took. It is in step with other nodes only as of its opening: each call of it catches up by itself.
   * @throws as {@link use}
   */
  async open(id: string): Promise<number> {
    const { clock } = this.#deps;
    const startedMs = clock.monotonicMs();
    await this.repeated(id, () => this.#bots.use(id, () => undefined));
    return clock.monotonicMs() - startedMs;
  }

  /** Runs work that holds a bot, again if another node was quicker. */
  repeated<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.shared?.repeated(id, work) ?? work();
  }

  /** Keeps a bot open until it is released. @throws as {@link use} */
  hold(id: string): Promise<Held<OpenBot>> {
    return this.shared?.hold(id) ?? this.#bots.hold(id);
  }

  /**
   * Resolves when a bot has all the vectors that it will get for now. The bot stays open while they are made: other waiting bots would otherwise evict
   * it before the first vector, and so on for ever. While its embedder fails, nothing keeps it open.
   */
  whenUpgraded(id: string): Promise<Upgrade> {
    const { sleep } = this.#deps;
    return upgradeInTheEnd({ use: (work) => this.use(id, work), sleep, closing: this.#closing.signal });
  }

  /** Closes a bot that was removed from the catalog, and deletes its store. */
  discard(id: string): Promise<void> {
    const removed = this.#forget(id).then(() => this.#deps.removeStore(id));
    return this.#ending(id, removed);
  }

  /** Lets {@link whenGone} wait for the end of a bot here. */
  #ending(id: string, end: Promise<void>): Promise<void> {
    const discarding = end.finally(() => {
      if (this.#discarding.get(id) === discarding) this.#discarding.delete(id);
    });
    this.#discarding.set(id, discarding);
    return discarding;
  }

  /** Closes a bot that was removed from the catalog. */
  async #forget(id: string): Promise<void> {
    await this.#bots.discard(id, (bot) => bot.discard());
    this.#windowClocks.forget(id);
    this.keptFigures.forget(id);
    this.#faults.forget(id);
  }

  /** Resolves when a bot that is being discarded is closed here, and its store deleted if this node removed it, or could not be. */
  async whenGone(id: string): Promise<void> {
    await this.#discarding.get(id)?.catch(() => undefined);
  }

  /** Closes all bots, and opens no bot any more. */
  async closeAll(): Promise<void> {
    this.#closing.abort();
    await this.#watch.close();
    await this.shared?.close();
    await Promise.allSettled(this.#discarding.values());
    const closing = this.#bots.close();
    await this.#work.close();
    await closing;
    await this.keptFigures.close();
  }

  /** Starts background jobs: opens bots with unfinished work, one after the other, and logs which embedders are missing. */
  begin(all: readonly CatalogEntry[]): void {
    void this.#deps.embedders.look(all.map(({ settings }) => settings.embedder));
    for (const id of this.#deps.unfinished.ids) this.#work.add(id);
  }

  /** Adds a bot to the unfinished work: it is opened and its work done in the background. */
  takeUp(id: string): void {
    this.#work.add(id);
  }

  async #takeUp(id: string): Promise<Progress> {
    if (this.#bots.has(id)) {
      // An open bot does its work by itself, once its embedder is open.
      void succeeds(this.#bots.find(id).then((open) => open?.workOff()));
      return "continues";
    }
    const { isHalfFree } = this.#bots;
    try {
      const bot = await this.use(id, (opened) => opened);
      // An error was logged. No more can be made before the bot is opened again.
      const rest = bot.workOff().catch(() => true);
      if (isHalfFree) return "continues";
      return (await rest) && !bot.wasEvicted ? "done" : "stuck";
    } catch (error) {
      if (isShortOfMemory(error)) {
        this.#work.add(id);
        return "stuck";
      }
      if (this.#faults.of(id) === undefined && !this.#closing.signal.aborted && this.#deps.known(id) !== undefined) {
        const message = "A bot with unfinished work could not be opened; it is tried again when it is used.";
        this.#deps.logger({ level: "error", event: "botNotOpened", message, botId: id, error });
      }
      return "continues";
    }
  }

  #onEvict(id: string, bot: OpenBot): void {
    bot.evict();
    const { background, unfinished } = this.#deps;
    if (background && unfinished.has(id) && !bot.hasGivenUp) this.#work.add(id);
  }

  /** Quarantines a bot in which a defect showed. It is closed without a snapshot, which would keep a state that cannot be trusted. */
  #onFailed(id: string, error: unknown): void {
    if (!isDefect(error) || this.#faults.isQuarantined(id) || this.#deps.known(id) === undefined) return;
    this.#faults.defectFound(id, error);
    this.#bots.discard(id, (bot) => bot.discard()).catch((failure: unknown) => this.#onCloseFailed(id, failure));
  }

  #onCloseFailed(id: string, error: unknown): void {
    const message = "A bot that nobody used could not be closed properly; what was acknowledged is on disk.";
    this.#deps.logger({ level: "warn", event: "botNotClosed", message, botId: id, error });
  }

  async #open(id: string): Promise<OpenBot> {
    this.#faults.refuseEarly(id);
    try {
      const bot = await this.#openStore(id).catch((error: unknown) => {
        // Another node may have removed the bot meanwhile, and restored it. Only damage shows again.
        if (this.shared === undefined || !isLasting(error)) throw error;
        return this.#openStore(id);
      });
      await this.#opened(id, bot).catch((error: unknown) => bot.discard().then(() => Promise.reject(error)));
      return bot;
    } catch (error) {
      if (this.#closing.signal.aborted || this.#deps.known(id) === undefined) throw error;
      const told = this.#faults.openingFailed(id, error);
      this.#watch.failed("opening");
      throw told;
    }
  }

  /** Notes that a bot is open. @throws if it may not be used, or was removed meanwhile */
  async #opened(id: string, bot: OpenBot): Promise<void> {
    this.#faults.refuseEarly(id);
    if (this.#entry(id).settings.quotaBytes === undefined) await this.#deps.onFirstOpened(id, bot.stats().bytesUsed);
    this.#faults.usable(id);
    this.#faults.written(id);
  }

  async #openStore(id: string): Promise<OpenBot> {
    const { storage, clock, random, embedders } = this.#deps;
    // Another node may have changed the settings, or removed the bot.
    await this.shared?.followCatalog();
    const { language, embedder } = this.#entry(id).settings;
    const analyzer = await analyzerOf(language);
    const unknown = `The bot's language "${language}" is not known to this version of Loredex.`;
    if (analyzer === undefined) throw new LoredexError("UNSUPPORTED_FORMAT", unknown);
    const store = await storage.open(storeName(id));
    const memory = this.#memory.ofBot();
    const opening = OpenBot.open({
      ...this.#deps,
      info: () => this.info(id),
      // Background jobs report their errors to the logger alone.
      jobLogger: (event) => {
        this.#deps.logger(event);
        this.#onFailed(id, event.error);
      },
      store,
      analyzer,
      listSlices: this.#listSlices,
      searchSlices: this.#searchSlices,
      windowClock: (state) => sharedWindowClock(this.#deps, state) ?? this.#windowClocks.of(id, state.lastChargeMs),
      again: (work) => this.shared?.again(id, work) ?? work(),
      ids: new IdMaker(clock, random),
      embedder: embedders.get(embedder),
      graphs: () => {
        this.#graphs ??= openGraphs(this.#deps.graph, this.#deps.temporaryDirectory);
        return this.#graphs;
      },
      memory,
      onWritten: () => {
        this.#faults.written(id);
        this.keptFigures.changed();
      },
      onWriteFailed: (error) => {
        this.#faults.writeFailed(id, error);
        if (this.#faults.of(id) !== undefined) this.#watch.failed("write");
      },
      onUnfinished: (unfinished) => {
        // A bot whose embedder this engine lacks keeps its note, for engines that have the embedder.
        if (unfinished || this.settings.embedderOf(id) !== undefined) this.#deps.unfinished.set(id, unfinished);
      },
      written: this.#deps.written(id),
    });
    opening.catch(() => memory.close());
    return opening;
  }

  #entry(id: string): CatalogEntry {
    const entry = this.#deps.known(id);
    if (entry === undefined) throw new LoredexError("BOT_NOT_FOUND", `There is no bot with the id or name ${id}.`);
    return entry;
  }
}
