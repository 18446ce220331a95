import { MemoryBudget } from "./accounting/memory-budget.ts";
import { RequestRates } from "./accounting/request-rates.ts";
import { IdMaker } from "./article/identifier.ts";
import { Bot } from "./bot.ts";
import { BotsInUse } from "./bots-in-use.ts";
import { BotAdvice } from "./catalog/bot-advice.ts";
import { infoOf } from "./catalog/bot-info.ts";
import { BotRegistry } from "./catalog/bot-registry.ts";
import type { CatalogEntry } from "./catalog/catalog-state.ts";
import { CatalogStore } from "./catalog/catalog-store.ts";
import { settleQuotaBytes } from "./catalog/first-quota.ts";
import { deleteRemovedBots } from "./catalog/removed-bots.ts";
import { UnfinishedBots } from "./catalog/unfinished-bots.ts";
import type { Advice } from "./domain/advice.ts";
import { LoredexError } from "./domain/errors.ts";
import type { EngineCondition } from "./domain/faults.ts";
import { DEFAULT_KEY, type KeyInfo, type KeyOptions } from "./domain/keys.ts";
import { A_STRING, AN_ASYNC_ITERABLE, optional } from "./domain/known-options.ts";
import { QUOTA_BYTES_MIN } from "./domain/limits.ts";
import { LANGUAGE_DEFAULT, TOKEN_MEMORY_BYTES_DEFAULT } from "./domain/options.ts";
import { requireArguments } from "./domain/require-options.ts";
import type { BotInfo, BotSettings, OpenedBot } from "./domain/types.ts";
import type { EngineFigures, FleetBot } from "./domain/work.ts";
import { Embedders } from "./embedding/embedders.ts";
import { type EngineOptions, type NewBot, requireOptions, storageIn, temporaryDirectoryFor } from "./engine-options.ts";
import { BACKUP_OPTIONS, type BackupOptions, backupOf } from "./operator/backup.ts";
import { type PurgeReport, purgeBot } from "./operator/purge.ts";
import { RESTORE_OPTIONS, type RestoreOptions, Restorer } from "./operator/restore.ts";
import { refuseIfWhole, type Salvage, salvageBot } from "./operator/salvage.ts";
import { type VerifyReport, verifyStores } from "./operator/verify.ts";
import { atMostEvery } from "./runtime/at-most-every.ts";
import { budgetsOf, memoryBoundsOf, NO_BUDGETS } from "./runtime/budgets.ts";
import { carefulLogger } from "./runtime/careful-logger.ts";
import type { Clock } from "./runtime/clock.ts";
import { closeEach } from "./runtime/close-each.ts";
import type { Logger } from "./runtime/log-event.ts";
import { machineLimits } from "./runtime/machine.ts";
import { machineReading } from "./runtime/memory-reading.ts";
import { Running } from "./runtime/running.ts";
import { idleSleep, systemClock, systemRandom, systemSleep } from "./runtime/system.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { Storage } from "./storage/store.ts";
import { analyzerOf } from "./text/languages.ts";
import { LANGUAGE_READER } from "./text/told-language.ts";
import { HeldSigns } from "./tokens/held-signs.ts";
import { GRAPH_VECTORS_MIN } from "./vector/passage-vectors.ts";

export type { EngineOptions, NewBot } from "./engine-options.ts";

/**
 * The engine: all bots of one data directory, which it holds alone until it is closed. The only place where the parts are
 * given the real disk, clock and randomness, but for the look without an engine in `inspect-directory.ts`.
 */
export class Engine {
  readonly #storage: Storage;
  readonly #catalog: CatalogStore;
  readonly #registry: BotRegistry;
  readonly #clock: Clock;
  readonly #embedders: Embedders;
  readonly #unfinished: UnfinishedBots;
  readonly #background: boolean;
  readonly #restorer: Restorer;
  readonly #bots: BotsInUse;
  readonly #advice: BotAdvice;
  readonly #heldSigns: HeldSigns;
  readonly #salvages = new Running();
  #languageRead: Promise<unknown> = Promise.resolve();
  readonly #requests: RequestRates;
  #closing: Promise<void> | undefined;

  private constructor(storage: Storage, catalog: CatalogStore, logger: Logger, options: EngineOptions) {
    const { clock = systemClock, random = systemRandom } = options;
    // Without a directory what is known is nowhere else.
    const keepsAll = options.directory === undefined && options.storage === undefined;
    const budgets = keepsAll ? NO_BUDGETS : budgetsOf(options, machineLimits());
    const memoryBounds = memoryBoundsOf(options.memoryMaxBytes, machineLimits());
    const tellShort = atMostEvery(clock, 60_000, (which) => {
      const message = `Writes that grow a bot are refused: the process is short of memory (${which}). See --memory-max and the heap.`;
      logger({ level: "warn", event: "memoryShort", message });
    });
    this.#storage = storage;
    this.#catalog = catalog;
    this.#clock = clock;
    this.#requests = new RequestRates(clock);
    const making = { storage, catalog, clock, random, ids: new IdMaker(clock, random) };
    const embedders = new Embedders(options.embedders, logger, systemSleep, { isPatient: options.patient ?? false });
    this.#embedders = embedders;
    const choices = {
      embedders: embedders.names,
      bytesMin: QUOTA_BYTES_MIN,
      embedderFor: (language: string): string => embedders.defaultFor(language),
    };
    this.#registry = new BotRegistry(making, choices, () => this.#refuseIfClosed());
    this.#unfinished = new UnfinishedBots(catalog, systemSleep, logger);
    this.#background = options.background ?? true;
    this.#heldSigns = new HeldSigns(options.tokenMemoryBytes ?? TOKEN_MEMORY_BYTES_DEFAULT);
    this.#bots = new BotsInUse({
      storage,
      clock,
      sleep: systemSleep,
      random,
      logger,
      onWork: options.onWork,
      embedders: this.#embedders,
      unfinished: this.#unfinished,
      background: this.#background,
      graphVectorsMin: options.graphVectorsMin ?? GRAPH_VECTORS_MIN,
      graphs: options.graphs ?? "codes",
      temporaryDirectory: temporaryDirectoryFor(options),
      ...budgets,
      memoryFor: (evict) =>
        new MemoryBudget({ reading: machineReading(), maxima: memoryBounds, evict, onRefused: tellShort }),
      heldSigns: (options.thirdLook ?? true) ? this.#heldSigns : undefined,
      known: (id) => catalog.find(id),
      onFirstOpened: (id, heldBytes) => settleQuotaBytes(catalog, logger, { id, heldBytes }),
      idleSleep,
      written: (id) => ({
        reader: LANGUAGE_READER,
        lastKnown: this.#bots.keptFigures.closedOf(id)?.writtenIn,
        onKnown: (writtenIn) => {
          this.#bots.keptFigures.changed();
          this.#advice.tell(id, writtenIn);
        },
      }),
      figuresCache: { read: () => catalog.readFigures(), write: (figures) => catalog.writeFigures(figures) },
    });
    const figures = () => this.#bots.keptFigures.all();
    this.#advice = new BotAdvice({ catalog, figures, embedderFor: choices.embedderFor, logger });
    this.#restorer = new Restorer({ ...making, whenGone: (id) => this.#bots.whenGone(id) });
  }

  /**
   * Opens a data directory, or an engine in memory. Bots are opened when they are first used.
   * @throws LoredexError `DIRECTORY_IN_USE`, `WRONG_USER`, `CORRUPT`, `UNSUPPORTED_FORMAT`, `STORAGE_FAILED`; ValidationError for an unknown option or one that makes no sense
   */
  static async open(options: EngineOptions = {}): Promise<Engine> {
    let storage = storageIn(options);
    let catalog: CatalogStore | undefined;
    try {
      requireOptions(options);
      const { directory, random = systemRandom } = options;
      const logger = carefulLogger(options.logger);
      // Read before there are requests: it takes a quarter of a second. Other languages are read when a bot of theirs is opened, and so is this one by
      // an engine that does nothing by itself: a single command may open no bot at all.
      if (options.background ?? true) await analyzerOf(LANGUAGE_DEFAULT);
      storage ??= await openStorage(directory, random, logger);
      catalog = await CatalogStore.open(storage, logger);
      await deleteRemovedBots(storage, catalog.removed, logger);
      const engine = new Engine(storage, catalog, logger, options);
      await engine.#bots.keptFigures.load();
      if (engine.#background) engine.#bots.begin(catalog.entries());
      if (engine.#background) engine.#advice.tellAll();
      if (engine.#background) engine.#bots.lookThrough(catalog.ids);
      return engine;
    } catch (error) {
      // Nothing that fails here says more than what came first.
      await catalog?.close().catch(() => undefined);
      await storage?.close().catch(() => undefined);
      throw error;
    }
  }

  /** Makes a bot with its key. The key is given here and never again. @throws LoredexError `BOT_EXISTS`, ValidationError */
  createBot(settings: NewBot): Promise<{ bot: BotInfo; key: string }> {
    return this.#registry.create(settings);
  }

  /**
   * The bot of this name, made if it is not there: for programs that run again and again. Settings are those of a new bot; one that is there keeps
   * its own, whatever they are ({@link updateBot} changes them). `key` is given to whoever made it, and never again.
   * @throws ValidationError, whether the bot is there or not
   */
  ensureBot(settings: NewBot): Promise<{ bot: BotInfo; key?: string }> {
    return this.#registry.ensure(settings);
  }

  /** All bots, by name. */
  listBots(): BotInfo[] {
    this.#refuseIfClosed();
    return this.#catalog.entries().map((entry) => this.#infoOf(entry));
  }

  #infoOf(entry: CatalogEntry): BotInfo {
    const fault = this.#bots.faultOf(entry.id);
    return fault === undefined ? infoOf(entry) : { ...infoOf(entry), fault };
  }

  /** All bots by name, with what is known of each without opening it: at once. */
  fleet(): FleetBot[] {
    const known = this.#bots.keptFigures.all();
    return this.listBots().map((bot) => {
      const figures = known.get(bot.id);
      const advice = this.#advice.of(bot, figures?.writtenIn);
      const told = advice.length === 0 ? bot : { ...bot, advice };
      // A limit may change while its bot is closed.
      return figures === undefined ? told : { ...told, figures: { ...figures, quotaCharacters: bot.quotaCharacters } };
    });
  }

  /** What may be wrong in a bot's settings, as far as that is known without opening it; `Bot.stats` checks. @throws LoredexError `BOT_NOT_FOUND` */
  advice(idOrName: string): readonly Advice[] {
    const entry = this.#registry.entry(idOrName, "Engine.advice");
    return this.#advice.of(infoOf(entry), this.#bots.keptFigures.all().get(entry.id)?.writtenIn);
  }

  /** How the engine is, for whoever watches it: at once, without a look at the disk. */
  condition(): EngineCondition {
    return this.#bots.condition();
  }

  /** What it holds and has to do, for metrics: at once, and without opening a bot. */
  figures(): EngineFigures {
    const questionVectors = this.#embedders.questionFigures();
    const { figures: tokenSigns } = this.#heldSigns;
    const known = this.#bots.keptFigures.all();
    const fleet = this.#catalog.all().map(({ id, settings: { name, quotaCharacters } }) => {
      return { id, name, quotaCharacters, figures: known.get(id) };
    });
    return { bots: fleet.length, openBots: this.#bots.figures(), fleet, questionVectors, tokenSigns };
  }

  /** How many bots are open just now. */
  get openBots(): number {
    return this.#bots.count;
  }

  findBot(idOrName: string): BotInfo | undefined {
    requireArguments("Engine.findBot", { idOrName }, { idOrName: A_STRING });
    this.#refuseIfClosed();
    const entry = this.#catalog.find(idOrName);
    return entry === undefined ? undefined : this.#infoOf(entry);
  }

  /**
   * A bot to work with. It is opened now, and again by its next call where it was let go meanwhile.
   * @throws LoredexError `BOT_NOT_FOUND`, and what its store is refused for: `CORRUPT`, `UNSUPPORTED_FORMAT`, and for now `BOT_INACCESSIBLE`
   */
  async bot(idOrName: string): Promise<Bot> {
    this.#refuseIfClosed();
    const { id } = this.#registry.entry(idOrName, "Engine.bot");
    await this.#bots.use(id, () => undefined);
    return new Bot(id, this.#bots);
  }

  /**
   * Changes settings of a bot. A new language brings its embedder where the bot had that of the language before. With a new embedder, its vectors are made anew in the background; in a new language its words are, and searches go on with
   * the words of before until all of them are there.
   * @throws LoredexError `BOT_NOT_FOUND`, `BOT_EXISTS`, ValidationError
   */
  async updateBot(idOrName: string, settings: Partial<BotSettings>): Promise<BotInfo> {
    const read = (wanted: string): Promise<unknown> => this.#read(wanted);
    const { id, embedder, language } = await this.#registry.update(idOrName, settings, read);
    if (language) await this.#bots.renewLanguage(id);
    if (embedder) await this.#bots.renewEmbedder(id);
    return infoOf(this.#registry.entry(id));
  }

  /** Reads what a language needs, after those wanted before: the one that is chosen last is set last. */
  #read(language: string): Promise<unknown> {
    this.#languageRead = Promise.allSettled([this.#languageRead]).then(() => analyzerOf(language));
    return this.#languageRead;
  }

  /** Removes a bot with everything it knows, for good. @throws LoredexError `BOT_NOT_FOUND` */
  async removeBot(idOrName: string): Promise<void> {
    const id = await this.#registry.strikeOff(idOrName);
    this.#advice.forget(id);
    await this.#bots.discard(id);
    await this.#catalog.purgeRemoved(id);
  }

  /**
   * Gives a bot one more key, beside `default`, of 1 to 200 characters' name. The key is given here and never again.
   * @throws LoredexError `BOT_NOT_FOUND`, `KEY_EXISTS`, ValidationError, also for more than {@link BOT_KEYS_MAX}
   */
  addKey(idOrName: string, name: string, options: KeyOptions = {}): Promise<string> {
    return this.#registry.addKey(idOrName, name, options);
  }

  /**
   * Gives a key a new secret, by default that of `default`; the old one is dead at once, all else of it stays. The key is given here and never again.
   * @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND`
   */
  rotateKey(idOrName: string, name: string = DEFAULT_KEY): Promise<string> {
    return this.#registry.rotateKey(idOrName, name);
  }

  /** Takes a key away, by default `default`, which {@link rotateKey} gives back. @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND` */
  revokeKey(idOrName: string, name: string = DEFAULT_KEY): Promise<void> {
    return this.#registry.revokeKey(idOrName, name);
  }

  /** The keys of a bot that are in force, `default` first, then as they were added. @throws LoredexError `BOT_NOT_FOUND` */
  listKeys(idOrName: string): KeyInfo[] {
    return this.#registry.listKeys(idOrName);
  }

  /** The bot that this key opens, and which key it is; undefined for a missing, unknown or revoked key, in the same time. */
  authenticate(key: string | undefined): OpenedBot | undefined {
    requireArguments("Engine.authenticate", { key }, { key: optional(A_STRING) });
    this.#refuseIfClosed();
    const found = this.#catalog.authenticate(key ?? "");
    return found === undefined ? undefined : { ...infoOf(found.entry), key: found.key.info };
  }

  /** Counts a request with this key, if its rate has room for it: 0. Else it is not counted: milliseconds until there is room. */
  admitRequest({ id, key: { name, requestsPerMinute } }: Pick<OpenedBot, "id" | "key">): number {
    return requestsPerMinute === undefined ? 0 : this.#requests.admit(`${id} ${name}`, requestsPerMinute);
  }

  /** Whether any key of any bot lists this origin. */
  listsOrigin(origin: string): boolean {
    requireArguments("Engine.listsOrigin", { origin }, { origin: A_STRING });
    return this.#catalog.listsOrigin(origin);
  }

  /**
   * Reads every file of one bot, or of everything, and compares it with its checksums. Changes nothing; writes go on meanwhile.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  async verify(idOrName?: string): Promise<VerifyReport> {
    this.#refuseIfClosed();
    const only = idOrName === undefined ? undefined : infoOf(this.#registry.entry(idOrName, "Engine.verify"));
    return verifyStores(this.#storage, () => this.#catalog.entries().map(infoOf), only);
  }

  /** Takes out of a damaged bot what is whole; nothing is changed. @throws LoredexError `BOT_NOT_FOUND`, `BOT_IS_WHOLE` for one that can be opened */
  async salvage(idOrName: string): Promise<Salvage> {
    const { id, settings } = this.#registry.entry(idOrName, "Engine.salvage");
    await refuseIfWhole(this.bot(id), settings.name);
    this.#refuseIfClosed();
    return this.#salvages.add(salvageBot(this.#storage, id));
  }

  /**
   * Makes what of a bot was deleted or replaced before the call really gone from the directory, durably; so does it with the catalog's records of
   * names and keys that are no more. Reads and writes go on. It takes the room and the time of a snapshot; one that failed is ended by another.
   * @throws LoredexError `DISK_FULL`, `STORAGE_FAILED`, `READ_ONLY`, and as {@link bot}: a damaged bot is not purged
   */
  async purge(idOrName: string): Promise<PurgeReport> {
    this.#refuseIfClosed();
    const { id } = this.#registry.entry(idOrName, "Engine.purge");
    return purgeBot(id, this.#catalog, () => this.#bots.hold(id));
  }

  /**
   * A backup of a bot as it is when the first bytes are asked for, consistent while writes continue. Whole only with its last byte.
   * @throws LoredexError as {@link bot}
   */
  async *backup(idOrName: string, options: BackupOptions = {}): AsyncGenerator<Uint8Array, void> {
    requireArguments("Engine.backup", { options }, { options: BACKUP_OPTIONS });
    const { withDerived = false } = options;
    this.#refuseIfClosed();
    const { id } = this.#registry.entry(idOrName, "Engine.backup");
    const { value, release } = await this.#bots.hold(id);
    try {
      const derived = withDerived ? await value.derived() : undefined;
      yield* backupOf(this.#registry.entry(id), value.contents(), Math.floor(this.#clock.wallMs()), derived);
    } finally {
      release();
    }
  }

  /**
   * Brings a bot back from a backup, with its id and key where that bot is not, else with `as` under another name; then `key`
   * is the new one, given here and never again. A backup that is cut off or was changed leaves nothing.
   * @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT`, `BOT_EXISTS`, ValidationError
   */
  async restore(
    backup: AsyncIterable<Uint8Array>,
    options: RestoreOptions = {},
  ): Promise<{ bot: BotInfo; key?: string }> {
    const kinds = { backup: AN_ASYNC_ITERABLE, options: RESTORE_OPTIONS };
    requireArguments("Engine.restore", { backup, options }, kinds);
    this.#refuseIfClosed();
    const { entry, ...key } = await this.#restorer.restore(backup, options);
    if (this.#background && this.#catalog.find(entry.id)?.unfinished === true) this.#bots.takeUp(entry.id);
    return { bot: infoOf(entry), ...key };
  }

  /** Finishes what runs, writes what makes the next start quick, and lets the directory go. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#restorer.settled();
    await this.#salvages.settled();
    await this.#registry.settled();
    const bots = { close: () => this.#bots.closeAll() };
    await closeEach([bots, this.#unfinished, this.#embedders, this.#catalog, this.#storage]);
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined) throw new LoredexError("CLOSED", "The engine is closed.");
  }
}
