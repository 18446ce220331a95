import type { MemoryBudget } from "./accounting/memory-budget.ts";
import { WindowClock } from "./accounting/window-clock.ts";
import { IdMaker } from "./article/identifier.ts";
import { BotFaults, isDamage, isShortOfMemory } from "./catalog/bot-faults.ts";
import { infoOf } from "./catalog/bot-info.ts";
import type { CatalogEntry } from "./catalog/catalog-state.ts";
import { DiskWatch } from "./catalog/disk-watch.ts";
import { KeptFigures, type KeptFiguresDeps } from "./catalog/kept-figures.ts";
import { storeName } from "./catalog/store-names.ts";
import type { UnfinishedBots } from "./catalog/unfinished-bots.ts";
import { LoredexError } from "./domain/errors.ts";
import type { BotFault, EngineCondition } from "./domain/faults.ts";
import { EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "./domain/options.ts";
import type { BotInfo, ImportOutcome, Upgrade } from "./domain/types.ts";
import type { OpenBotFigures, WorkEvent, WorkKind } from "./domain/work.ts";
import type { Embedders } from "./embedding/embedders.ts";
import { type BotParts, OpenBot } from "./open-bot.ts";
import type { Budgets } from "./runtime/budgets.ts";
import type { Clock, Random } from "./runtime/clock.ts";
import { type Held, KeptOpen } from "./runtime/kept-open.ts";
import type { Logger } from "./runtime/log-event.ts";
import { ObservedWork } from "./runtime/observed-work.ts";
import { SharedTurns } from "./runtime/shared-turns.ts";
import { Turns } from "./runtime/steps.ts";
import type { Storage } from "./storage/store.ts";
import { analyzerOf } from "./text/languages.ts";
import type { HeldSigns } from "./tokens/held-signs.ts";
import { type Progress, UnfinishedWork } from "./upkeep/unfinished-work.ts";
import { type GraphKind, openGraphs } from "./vector/graphs.ts";

export interface BotsInUseParts extends Budgets {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Resolves after that many milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The same, and keeps no process alive. */
  readonly idleSleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: Random;
  readonly logger: Logger;
  /** Is told of work that has ended. */
  readonly onWork: ((event: WorkEvent) => void) | undefined;
  readonly embedders: Embedders;
  readonly unfinished: UnfinishedBots;
  readonly background: boolean;
  readonly graphVectorsMin: number;
  readonly graphs: GraphKind;
  /** Where the files of graphs may lie for a moment; undefined if none are kept. */
  readonly temporaryDirectory: string | undefined;
  /** Refuses writes that grow a bot while memory is short, given what evicts idle bots that hold so many bytes. */
  readonly memoryFor: (evict: (bytes: number) => void) => MemoryBudget;
  /** What is held of the signs of tokens; undefined where none are kept. */
  readonly heldSigns: HeldSigns | undefined;
  /** Where the figures of bots are kept between two runs. */
  readonly figuresCache: KeptFiguresDeps["cache"];
  /** What the catalog says of a bot now; undefined if it has gone. */
  readonly known: (id: string) => CatalogEntry | undefined;
  readonly onFirstOpened: (id: string, articleBytes: number) => Promise<void>;
  /** What is known of the language of a bot's documents. */
  readonly written: (id: string) => BotParts["written"];
}

/** So long a bot keeps its place at a time for whoever waits for its vectors: an embedder that never answers shall not keep others out. */
const UPGRADING_MS_MAX = 60_000;

/**
 * The bots that are open, or being opened: each once, on its first use, until it is idle and others need its memory or its place. Its
 * next use opens it again.
 */
export class BotsInUse {
  readonly #parts: BotsInUseParts;
  readonly #bots: KeptOpen<OpenBot>;
  readonly #work: UnfinishedWork;
  readonly #faults: BotFaults;
  readonly #observed: ObservedWork;
  readonly #watch: DiskWatch;
  readonly #discarding = new Map<string, Promise<void>>();
  /** What is known of each bot without opening it. */
  readonly keptFigures: KeptFigures;
  /** The time of a bot's rate window goes on while it is not open. */
  readonly #windowClocks = new Map<string, WindowClock>();
  readonly #listing: Turns;
  readonly #answering: SharedTurns;
  readonly #memory: MemoryBudget;
  #graphs: ReturnType<typeof openGraphs> | undefined;
  readonly #closing = new AbortController();

  constructor(parts: BotsInUseParts) {
    this.#parts = parts;
    this.#listing = new Turns(parts.clock);
    this.keptFigures = new KeptFigures({
      ...parts,
      cache: parts.figuresCache,
      sleep: parts.idleSleep,
      open: () => this.figures(),
      isKnown: (id) => parts.known(id) !== undefined,
    });
    this.#answering = new SharedTurns(parts.clock);
    this.#bots = new KeptOpen({
      open: (id) => this.#open(id),
      close: (bot) => {
        this.keptFigures.closed(bot.figures());
        return bot.close();
      },
      occupation: (bot) => bot.occupation,
      whenInterruptible: async (bot) => bot.whenSearchable(),
      bytes: (bot) => bot.memoryBytes(),
      openMax: parts.openBotsMax,
      bytesMax: parts.memoryBytes,
      onLetGo: (id, bot) => this.#onLetGo(id, bot),
      onCloseFailed: (id, error) => this.#onCloseFailed(id, error),
      // Anything but damage may pass: then the bot is tried again when it is next asked for.
      isRefused: (_id, error) => isDamage(error),
    });
    this.#memory = parts.memoryFor((bytes) => this.#bots.evict(bytes));
    this.#observed = new ObservedWork(parts.clock, parts.onWork);
    this.#faults = new BotFaults(parts.clock, parts.logger);
    this.#watch = new DiskWatch({
      ...parts,
      faults: this.#faults,
      isOpen: (id) => this.#bots.has(id),
      isAwaited: () => this.#bots.isOpening,
      keepOpen: (id) => this.#bots.keepForGood(id),
    });
    this.#work = new UnfinishedWork({
      embedderOf: (id) => this.#embedderOf(id),
      takeUp: (id) => this.#takeUp(id),
      sleep: parts.sleep,
    });
  }

  /** What keeps a bot from being used or written to, as far as it is known. */
  faultOf(id: string): BotFault | undefined {
    return this.#faults.of(id);
  }

  /** Which bots have a fault, and whether anything can be written. */
  condition(): EngineCondition {
    return this.#watch.condition();
  }

  /** Looks in the background whether the files of these bots can be used. */
  lookThrough(ids: readonly string[]): void {
    this.#watch.lookThrough(ids);
  }

  /** Work of a bot that whoever counts is told of when it has ended. */
  observed<Result>(
    id: string,
    kind: WorkKind,
    work: (bot: OpenBot) => Result | Promise<Result>,
    outcomeOf?: (result: Result) => ImportOutcome,
  ): Promise<Result> {
    return this.#observed.during(id, kind, () => this.use(id, work), outcomeOf);
  }

  /** The figures of those that are open. */
  figures(): OpenBotFigures[] {
    // One that was removed a moment ago has no settings any more.
    return this.#bots.values
      .filter((bot) => !bot.isClosed && this.#parts.known(bot.id) !== undefined)
      .map((bot) => this.keptFigures.completed(bot.figures()));
  }

  get count(): number {
    return this.#bots.count;
  }

  /** What the catalog says of a bot now. @throws LoredexError `BOT_NOT_FOUND`, `CLOSED` */
  info(id: string): BotInfo {
    return infoOf(this.#entry(id));
  }

  /** Works with a bot, which stays open meanwhile. @throws what its store is refused for */
  use<Result>(id: string, work: (bot: OpenBot) => Result | Promise<Result>): Promise<Result> {
    return this.#bots.use(id, work);
  }

  /** Keeps a bot open until it is released. @throws as {@link use} */
  hold(id: string): Promise<Held<OpenBot>> {
    return this.#bots.hold(id);
  }

  /**
   * Resolves when a bot has all the vectors that it will get for now. It keeps its place while they are made: else others that wait for
   * theirs would take it before the first is there, and so on for ever. While its embedder gets nowhere, nothing keeps it open.
   */
  async whenUpgraded(id: string): Promise<Upgrade> {
    for (let failures = 0; ; ) {
      const { upgraded, isFailing } = await this.use(id, async (bot) => {
        await bot.whenSearchable();
        const upgraded = bot.whenUpgraded().then((upgrade) => (bot.wasLetGo ? undefined : upgrade));
        // It is waited for below, unless the bot is closed meanwhile.
        upgraded.catch(() => undefined);
        return { upgraded, isFailing: await this.#isFailing(bot, upgraded) };
      });
      const upgrade = await upgraded;
      if (upgrade !== undefined) return upgrade;
      failures = isFailing ? failures + 1 : 0;
      if (failures === 0) continue;
      // The bots of this embedder would only take each other's places.
      const pauseMs = Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** (failures - 1));
      await this.#parts.sleep(pauseMs, this.#closing.signal);
    }
  }

  /** Resolves when a bot is upgraded, or has had its time, with false; or when its embedder fails, with true. */
  async #isFailing(bot: OpenBot, upgraded: Promise<unknown>): Promise<boolean> {
    const over = new AbortController();
    const failing = bot.workOff().then((isDone) => (isDone ? upgraded.then(() => false) : true));
    const late = this.#parts.sleep(UPGRADING_MS_MAX, over.signal).then(() => false);
    try {
      return await Promise.race([failing, late]);
    } finally {
      over.abort();
    }
  }

  /** Gives a bot the embedder that its settings name now. One that is not open gets it with its next opening, which is soon if it has work. */
  async renewEmbedder(id: string): Promise<void> {
    const open = await this.#bots.find(id);
    // Others may have changed it meanwhile, or have removed the bot.
    const embedder = this.#parts.known(id)?.settings.embedder;
    if (embedder === undefined) return;
    if (open !== undefined && !open.isClosed) await open.useEmbedder(this.#parts.embedders.get(embedder));
    const { background, unfinished } = this.#parts;
    const isOpen = open !== undefined && !open.isClosed;
    if (isOpen || this.#closing.signal.aborted || this.#embedderOf(id) === undefined) return;
    // Whether vectors are missing is only known once it is open.
    unfinished.set(id, true);
    if (background) this.#work.add(id);
  }

  /** Has a bot that is open take the language of its settings; one that is not takes it when it is opened. */
  async renewLanguage(id: string): Promise<void> {
    const open = await this.#bots.find(id);
    // It may be changed again while what the language needs is read: the setting counts that is there then.
    for (;;) {
      const language = this.#parts.known(id)?.settings.language;
      const analyzer = language === undefined ? undefined : await analyzerOf(language);
      if (analyzer === undefined || open === undefined || open.isClosed) return;
      if (this.#parts.known(id)?.settings.language === language) return open.useLanguage(analyzer);
    }
  }

  /** Closes a bot that the catalog has no more, and deletes its store. */
  discard(id: string): Promise<void> {
    const discarding = this.#discard(id).finally(() => this.#discarding.delete(id));
    this.#discarding.set(id, discarding);
    return discarding;
  }

  async #discard(id: string): Promise<void> {
    await this.#bots.discard(id, (bot) => bot.discard());
    this.#windowClocks.delete(id);
    this.keptFigures.forget(id);
    this.#faults.forget(id);
    await this.#parts.storage.remove(storeName(id));
  }

  /** Resolves when the store of a bot that is being discarded is gone, or could not be deleted. */
  async whenGone(id: string): Promise<void> {
    await this.#discarding.get(id)?.catch(() => undefined);
  }

  /** Opens no bot any more, and closes all there are. */
  async closeAll(): Promise<void> {
    this.#closing.abort();
    await this.#watch.close();
    await Promise.allSettled(this.#discarding.values());
    const closing = this.#bots.close();
    await this.#work.close();
    await closing;
    await this.keptFigures.close();
  }

  /** What a start does besides answering: takes up what an earlier run left unfinished, one bot after the other, and says which embedders are missing. */
  begin(all: readonly CatalogEntry[]): void {
    void this.#parts.embedders.look(all.map(({ settings }) => settings.embedder));
    for (const id of this.#parts.unfinished.ids) this.#work.add(id);
  }

  /** Opens a bot and has its work go on, which nobody waits for. */
  takeUp(id: string): void {
    this.#work.add(id);
  }

  async #takeUp(id: string): Promise<Progress> {
    // One that is open has its work go on.
    if (this.#bots.has(id)) return "goes on";
    const { isRoomy } = this.#bots;
    try {
      const bot = await this.use(id, (opened) => opened);
      const rest = bot.workOff();
      rest.catch(() => undefined);
      if (isRoomy) return "goes on";
      return (await rest) && !bot.wasLetGo ? "done" : "stuck";
    } catch (error) {
      if (isShortOfMemory(error)) {
        this.#work.add(id);
        return "stuck";
      }
      const isTold = this.#faults.of(id) !== undefined;
      if (!isTold && !this.#closing.signal.aborted && this.#parts.known(id) !== undefined) {
        const message = "A bot with unfinished work could not be opened; it is tried again when it is used.";
        this.#parts.logger({ level: "error", event: "botNotOpened", message, botId: id, error });
      }
      return "goes on";
    }
  }

  #embedderOf(id: string): string | undefined {
    const name = this.#parts.known(id)?.settings.embedder;
    return name !== undefined && this.#parts.embedders.names.includes(name) ? name : undefined;
  }

  #onLetGo(id: string, bot: OpenBot): void {
    bot.letGo();
    const { background, unfinished } = this.#parts;
    if (background && unfinished.has(id) && !bot.hasGivenUp) this.#work.add(id);
  }

  #onCloseFailed(id: string, error: unknown): void {
    const message = "A bot that nobody used could not be closed properly; what was acknowledged is on disk.";
    this.#parts.logger({ level: "warn", event: "botNotClosed", message, botId: id, error });
  }

  async #open(id: string): Promise<OpenBot> {
    this.#faults.refuseEarly(id);
    try {
      const bot = await this.#openStore(id);
      if (this.#entry(id).settings.quotaBytes === undefined) await this.#parts.onFirstOpened(id, bot.stats().bytesUsed);
      this.#faults.usable(id);
      this.#faults.written(id);
      return bot;
    } catch (error) {
      if (this.#closing.signal.aborted || this.#parts.known(id) === undefined) throw error;
      const told = this.#faults.openingFailed(id, error);
      this.#watch.failed("opening");
      throw told;
    }
  }

  async #openStore(id: string): Promise<OpenBot> {
    const { storage, clock, random, embedders } = this.#parts;
    const { language, embedder } = this.#entry(id).settings;
    const analyzer = await analyzerOf(language);
    const unknown = `The bot's language "${language}" is not known to this version of Loredex.`;
    if (analyzer === undefined) throw new LoredexError("UNSUPPORTED_FORMAT", unknown);
    const store = await storage.open(storeName(id));
    const memory = this.#memory.ofBot();
    const opening = OpenBot.open({
      ...this.#parts,
      info: () => this.info(id),
      store,
      analyzer,
      listing: this.#listing,
      answering: this.#answering,
      windowClock: (lastAdmissionMs) => this.#windowClockOf(id, lastAdmissionMs),
      ids: new IdMaker(clock, random),
      embedder: embedders.get(embedder),
      graphs: () => {
        this.#graphs ??= openGraphs(this.#parts.graphs, this.#parts.temporaryDirectory);
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
      onUnfinished: (unfinished) => this.#noteWork(id, unfinished),
      written: this.#parts.written(id),
    });
    opening.catch(() => memory.close());
    return opening;
  }

  #windowClockOf(id: string, lastAdmissionMs: number): WindowClock {
    const known = this.#windowClocks.get(id);
    const windowClock = known ?? new WindowClock(this.#parts.clock, lastAdmissionMs);
    this.#windowClocks.set(id, windowClock);
    return windowClock;
  }

  /** A bot whose embedder is not known here has no work here; what it had is for those who know it. */
  #noteWork(id: string, unfinished: boolean): void {
    if (unfinished || this.#embedderOf(id) !== undefined) this.#parts.unfinished.set(id, unfinished);
  }

  #entry(id: string): CatalogEntry {
    const entry = this.#parts.known(id);
    if (entry === undefined) throw new LoredexError("BOT_NOT_FOUND", `There is no bot with the id or name ${id}.`);
    return entry;
  }
}
