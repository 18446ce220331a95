import type { Administration } from "./administration/administration.ts";
import { analyzerOf } from "./analysis/languages.ts";
import { Bot } from "./bot.ts";
import { infoOf } from "./catalog/bot-info.ts";
import type { CatalogEntry } from "./catalog/catalog-state.ts";
import { CatalogStore } from "./catalog/catalog-store.ts";
import { fleetFigures, fleetOf } from "./catalog/fleet.ts";
import { deleteRemovedBots } from "./catalog/removed-bots.ts";
import { type EngineOptions, type NewBot, requireOptions, storageIn } from "./engine-options.ts";
import { type EngineParts, engineParts } from "./engine-parts.ts";
import { Insights } from "./insights/insights.ts";
import type { Advice } from "./model/advice.ts";
import { LoredexError } from "./model/errors.ts";
import type { EngineCondition } from "./model/faults.ts";
import { DEFAULT_KEY, type KeyInfo, type KeyOptions } from "./model/keys.ts";
import { A_STRING, AN_ASYNC_ITERABLE, optional } from "./model/known-options.ts";
import { requireArguments } from "./model/require-options.ts";
import type { BotInfo, BotSettings, OpenedBot } from "./model/types.ts";
import type { EngineFigures, FleetBot } from "./model/work.ts";
import { BACKUP_OPTIONS, type BackupOptions, beginBackup } from "./operations/backup.ts";
import { type PurgeReport, purgeBot } from "./operations/purge.ts";
import { RESTORE_OPTIONS, type RestoreOptions } from "./operations/restore.ts";
import { refuseIfWhole, type Salvage, salvageBot } from "./operations/salvage.ts";
import { type VerifyReport, verifyStores } from "./operations/verify.ts";
import { carefulLogger } from "./platform/careful-logger.ts";
import { chanceOf } from "./platform/chance.ts";
import { closeEach } from "./platform/close-each.ts";
import type { Logger } from "./platform/log-event.ts";
import { Running } from "./platform/running.ts";
import { idleSleep, systemClock, systemRandom, systemSleep } from "./platform/system.ts";
import { SerialQueue } from "./scheduling/serial-queue.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { Storage } from "./storage/store.ts";

export type { EngineOptions, NewBot } from "./engine-options.ts";

/**
 * The engine: all bots of one data directory, which it locks until it is closed. Only this class passes the real disk, clock and randomness on.
 * `inspect-directory.ts` is the exception: it reads a directory without an engine.
 */
export class Engine {
  readonly #storage: Storage;
  readonly #catalog: CatalogStore;
  readonly #parts: EngineParts;
  readonly #salvages = new Running();
  /** Analyzers of new languages are loaded one after the other: the language that is chosen last is set last. */
  readonly #languages = new SerialQueue();
  /** Who may administer the bots: admin keys, sessions of the console, and the audit log. */
  readonly administration: Administration;
  #closing: Promise<void> | undefined;

  private constructor(storage: Storage, catalog: CatalogStore, logger: Logger, options: EngineOptions) {
    this.#storage = storage;
    this.#catalog = catalog;
    this.#parts = engineParts({ storage, catalog, logger, options, refuseIfClosed: () => this.#refuseIfClosed() });
    this.administration = this.#parts.administration;
  }

  /**
   * Opens a data directory, or an engine in memory. Bots are opened when they are first used.
   * @throws LoredexError `DIRECTORY_IN_USE`, `WRONG_USER`, `CORRUPT`, `UNSUPPORTED_FORMAT`, `STORAGE_FAILED`; ValidationError for an unknown or invalid
   * option
   */
  static async open(options: EngineOptions = {}): Promise<Engine> {
    let storage = storageIn(options);
    let catalog: CatalogStore | undefined;
    try {
      requireOptions(options);
      const { directory, random = systemRandom } = options;
      const logger = carefulLogger(options.logger);
      const { onStatement } = options;
      if (onStatement !== undefined) storage?.shared?.observe(carefulLogger(onStatement, "onStatement"));
      storage ??= await openStorage(directory, random, logger);
      const { clock = systemClock } = options;
      const time = { clock, sleep: systemSleep, idleSleep };
      catalog = await CatalogStore.open({ ...time, storage, logger, chance: chanceOf(random) });
      await deleteRemovedBots(storage, catalog, logger);
      const engine = new Engine(storage, catalog, logger, options);
      await engine.#parts.bots.keptFigures.load();
      if (engine.#parts.background) engine.#parts.bots.begin(catalog.entries());
      if (engine.#parts.background) engine.#parts.advice.tellAll();
      if (engine.#parts.background) engine.#parts.bots.lookThrough(catalog.ids);
      return engine;
    } catch (error) {
      // The first error is the one to report.
      await catalog?.close().catch(() => undefined);
      await storage?.close().catch(() => undefined);
      throw error;
    }
  }

  /** Makes a bot with its key. The key is returned here and never again. @throws LoredexError `BOT_EXISTS`, ValidationError */
  createBot(settings: NewBot): Promise<{ bot: BotInfo; key: string }> {
    return this.#parts.registry.create(settings);
  }

  /**
   * Returns the bot of this name, and makes it with these settings if it is missing: for programs that run again and again. An existing bot
   * keeps its settings ({@link updateBot} changes them). `key` is returned to the caller that made the bot, and never again.
   * @throws ValidationError, whether the bot exists or not
   */
  ensureBot(settings: NewBot): Promise<{ bot: BotInfo; key?: string }> {
    return this.#parts.registry.ensure(settings);
  }

  /** All bots, by name. */
  listBots(): BotInfo[] {
    this.#refuseIfClosed();
    return this.#catalog.entries().map((entry) => this.#infoOf(entry));
  }

  #infoOf(entry: CatalogEntry): BotInfo {
    const fault = this.#parts.bots.faultOf(entry.id);
    return fault === undefined ? infoOf(entry) : { ...infoOf(entry), fault };
  }

  /** All bots by name, with the figures that are known without opening them. O(bots); reads nothing from the disk. */
  fleet(): FleetBot[] {
    return fleetOf(this.listBots(), this.#parts.bots.keptFigures.all(), this.#parts.advice);
  }

  /** Advice about a bot's settings, as far as it is known without opening the bot; `Bot.stats` checks. @throws LoredexError `BOT_NOT_FOUND` */
  advice(idOrName: string): readonly Advice[] {
    const entry = this.#parts.registry.entry(idOrName, "Engine.advice");
    return this.#parts.advice.of(infoOf(entry), this.#parts.bots.keptFigures.all().get(entry.id)?.writtenIn);
  }

  /** The condition of the engine, for monitors. Answers at once, without reading the disk. */
  condition(): EngineCondition {
    return this.#parts.bots.condition();
  }

  /**
   * Applies all changes of bots, settings and keys that other nodes made before the call. Without a call, they are applied within a second.
   * Resolves at once for a storage that only this process uses. @throws LoredexError `UNREACHABLE`
   */
  catchUp(): Promise<void> {
    this.#refuseIfClosed();
    return this.#catalog.catchUp();
  }

  /** The figures of the engine, for metrics. Answers at once, without opening a bot. */
  figures(): EngineFigures {
    const questionVectors = this.#parts.embedders.questionFigures();
    const { figures: tokenCodes } = this.#parts.tokenCodeCache;
    const known = this.#parts.bots.keptFigures.all();
    const fleet = fleetFigures(this.#catalog.all(), known);
    const figures = { bots: fleet.length, openBots: this.#parts.bots.figures(), fleet, questionVectors, tokenCodes };
    return { ...figures, ...(this.#parts.bots.shared && { shared: this.#parts.bots.shared.figures() }) };
  }

  /** How many bots are open now. */
  get openBots(): number {
    return this.#parts.bots.count;
  }

  findBot(idOrName: string): BotInfo | undefined {
    requireArguments("Engine.findBot", { idOrName }, { idOrName: A_STRING });
    this.#refuseIfClosed();
    const entry = this.#catalog.find(idOrName);
    return entry === undefined ? undefined : this.#infoOf(entry);
  }

  /**
   * Opens a bot and returns a handle of it. If the bot is evicted later, the next call on the handle opens it again.
   * @throws LoredexError `BOT_NOT_FOUND`, and if its store cannot be opened: `CORRUPT`, `UNSUPPORTED_FORMAT`, or for now `BOT_INACCESSIBLE`
   */
  async bot(idOrName: string): Promise<Bot> {
    requireArguments("Engine.bot", { idOrName }, { idOrName: A_STRING });
    this.#refuseIfClosed();
    const { id } = await this.#parts.registry.current(idOrName);
    return new Bot(id, this.#parts.bots, await this.#parts.bots.open(id));
  }

  /**
   * What the users of a bot ask and do not find, its golden questions and its runs. Opens no bot.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  async insights(idOrName: string): Promise<Insights> {
    requireArguments("Engine.insights", { idOrName }, { idOrName: A_STRING });
    this.#refuseIfClosed();
    return new Insights((await this.#parts.registry.current(idOrName)).id, this.#parts.insights);
  }

  /**
   * Changes settings of a bot. A new language brings its default embedder if the bot had the default embedder of the old language.
   * A new embedder's vectors are made in the background. In a new language, searches use the old terms until all documents have the new ones.
   * @throws LoredexError `BOT_NOT_FOUND`, `BOT_EXISTS`, ValidationError
   */
  async updateBot(idOrName: string, settings: Partial<BotSettings>): Promise<BotInfo> {
    const read = (wanted: string): Promise<unknown> => this.#languages.run(async () => analyzerOf(wanted));
    const { id, embedder, language } = await this.#parts.registry.update(idOrName, settings, read);
    if (language) await this.#parts.bots.settings.renewLanguage(id);
    if (embedder) await this.#parts.bots.settings.renewEmbedder(id);
    return infoOf(this.#parts.registry.entry(id));
  }

  /** Removes a bot and all its data, for good. @throws LoredexError `BOT_NOT_FOUND` */
  async removeBot(idOrName: string): Promise<void> {
    const id = await this.#parts.registry.strikeOff(idOrName);
    this.#parts.advice.forget(id);
    await this.#parts.bots.discard(id);
    await this.#catalog.purgeRemoved();
  }

  /**
   * Gives a bot another key, beside `default`, with a name of 1 to 200 characters. The key is returned here and never again.
   * @throws LoredexError `BOT_NOT_FOUND`, `KEY_EXISTS`, ValidationError, also for more than {@link BOT_KEYS_MAX}
   */
  addKey(idOrName: string, name: string, options: KeyOptions = {}): Promise<string> {
    return this.#parts.registry.addKey(idOrName, name, options);
  }

  /**
   * Gives a key a new secret, by default that of `default`. The old secret is invalid at once; all else stays. The key is returned here and never again.
   * @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND`
   */
  rotateKey(idOrName: string, name: string = DEFAULT_KEY): Promise<string> {
    return this.#parts.registry.rotateKey(idOrName, name);
  }

  /** Revokes a key, by default `default`, which {@link rotateKey} gives back. @throws LoredexError `BOT_NOT_FOUND`, `KEY_NOT_FOUND` */
  revokeKey(idOrName: string, name: string = DEFAULT_KEY): Promise<void> {
    return this.#parts.registry.revokeKey(idOrName, name);
  }

  /** The valid keys of a bot, `default` first, then in the order of their creation. @throws LoredexError `BOT_NOT_FOUND` */
  listKeys(idOrName: string): KeyInfo[] {
    return this.#parts.registry.listKeys(idOrName);
  }

  /** The bot of this key, with the key's name and options; undefined for a missing, unknown or revoked key, in the same time. */
  authenticate(key: string | undefined): OpenedBot | undefined {
    requireArguments("Engine.authenticate", { key }, { key: optional(A_STRING) });
    this.#refuseIfClosed();
    const found = this.#catalog.authenticate(key ?? "");
    return found === undefined ? undefined : { ...infoOf(found.entry), key: found.key.info };
  }

  /**
   * Counts a request with this key and gives 0 if the key's rate allows it. Otherwise gives the milliseconds until it does, and counts nothing.
   * A shared storage counts for all nodes, so that its answer is a promise. While it does not answer, this node counts by itself.
   */
  admitRequest({ id, key: { name, requestsPerMinute } }: Pick<OpenedBot, "id" | "key">): number | Promise<number> {
    return requestsPerMinute === undefined ? 0 : this.#parts.admission(`${id} ${name}`, requestsPerMinute);
  }

  /** Whether any key of any bot lists this origin. */
  listsOrigin(origin: string): boolean {
    requireArguments("Engine.listsOrigin", { origin }, { origin: A_STRING });
    return this.#catalog.listsOrigin(origin);
  }

  /**
   * Reads every file of one bot, or of everything, and compares it with its checksums. Changes nothing; writes continue meanwhile.
   * @throws LoredexError `BOT_NOT_FOUND`
   */
  async verify(idOrName?: string): Promise<VerifyReport> {
    this.#refuseIfClosed();
    const only = idOrName === undefined ? undefined : infoOf(this.#parts.registry.entry(idOrName, "Engine.verify"));
    return verifyStores(this.#storage, () => this.#catalog.entries().map(infoOf), only);
  }

  /** Extracts the undamaged data of a damaged bot; changes nothing. @throws LoredexError `BOT_NOT_FOUND`, `BOT_IS_WHOLE` for a bot that can be opened */
  async salvage(idOrName: string): Promise<Salvage> {
    const { id, settings } = this.#parts.registry.entry(idOrName, "Engine.salvage");
    await refuseIfWhole(this.bot(id), settings.name);
    this.#refuseIfClosed();
    return this.#salvages.add(salvageBot(this.#storage, id));
  }

  /**
   * Erases deleted and replaced data of a bot from the directory, durably: all that was deleted or replaced before the call.
   * Also erases past names and keys of bots, and past admin keys. Reads and writes continue.
   * It takes the disk space and the time of a snapshot. After a failure, call it again.
   * @throws LoredexError `DISK_FULL`, `STORAGE_FAILED`, `READ_ONLY`, and as {@link bot}: a damaged bot is not purged
   */
  async purge(idOrName: string): Promise<PurgeReport> {
    this.#refuseIfClosed();
    const { id } = await this.#parts.registry.current(idOrName, "Engine.purge");
    const questions = { purge: () => this.#parts.insights.purge(id) };
    const rest = [questions, this.#catalog, this.administration];
    return this.#parts.bots.repeated(id, () => purgeBot(id, this.#catalog, rest, () => this.#parts.bots.hold(id)));
  }

  /**
   * Streams a backup of a bot, consistent as of the first byte requested, while writes continue. It is complete only with its last byte.
   * @throws LoredexError as {@link bot}
   */
  async *backup(idOrName: string, options: BackupOptions = {}): AsyncGenerator<Uint8Array, void> {
    requireArguments("Engine.backup", { options }, { options: BACKUP_OPTIONS });
    this.#refuseIfClosed();
    const { id } = await this.#parts.registry.current(idOrName, "Engine.backup");
    const about = () => ({ entry: this.#parts.registry.entry(id), takenAtMs: Math.floor(this.#parts.clock.wallMs()) });
    const questions = () => this.#parts.insights.sections(id);
    const begun = () => beginBackup(() => this.#parts.bots.hold(id), about, options, questions);
    yield* await this.#parts.bots.repeated(id, begun);
  }

  /**
   * Restores a bot from a backup, with its id and key if that id is free. Otherwise give `as`, another name; `key` is then the new key,
   * returned here and never again. A truncated or changed backup restores nothing.
   * @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT`, `BOT_EXISTS`, ValidationError
   */
  async restore(
    backup: AsyncIterable<Uint8Array>,
    options: RestoreOptions = {},
  ): Promise<{ bot: BotInfo; key?: string }> {
    const kinds = { backup: AN_ASYNC_ITERABLE, options: RESTORE_OPTIONS };
    requireArguments("Engine.restore", { backup, options }, kinds);
    this.#refuseIfClosed();
    const { entry, ...key } = await this.#parts.restorer.restore(backup, options);
    if (this.#parts.background && this.#catalog.find(entry.id)?.unfinished === true) this.#parts.bots.takeUp(entry.id);
    return { bot: infoOf(entry), ...key };
  }

  /** Finishes running work, writes snapshots that make the next start quick, and unlocks the directory. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#parts.restorer.settled();
    await this.#salvages.settled();
    await this.#parts.registry.settled();
    const bots = { close: () => this.#parts.bots.closeAll() };
    await closeEach([
      this.#parts.insights,
      bots,
      this.administration,
      this.#parts.unfinished,
      this.#parts.embedders,
      this.#catalog,
      this.#storage,
    ]);
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined) throw new LoredexError("CLOSED", "The engine is closed.");
  }
}
